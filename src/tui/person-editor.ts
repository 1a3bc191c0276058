// The person's own editor in the place of the client: the screen is its own meanwhile, and what went wrong is said.
import type { CommandContext } from './commands/context.ts';
import type { EditorFault } from './open-editor.ts';

export interface PersonEditorOptions {
  env: Readonly<Record<string, string>>;
  /** Leaves the terminal to `during` and takes it back. */
  suspend(during: () => Promise<void>): Promise<void>;
  sayError(text: string, hint?: string): void;
}

/** The two ways into the editor; its code is loaded with the first. */
export function personEditor({ env, suspend, sayError }: PersonEditorOptions): Pick<CommandContext, 'openEditor' | 'editText'> {
  const sayFault = ({ why, text }: EditorFault, hint?: string) =>
    sayError(text, why === 'not-started' ? 'set EDITOR to a program that is there' : hint);
  return {
    async openEditor(path, line) {
      const { runEditor } = await import('./open-editor.ts');
      const fault = await outside(() => runEditor(env, path, line));
      if (fault !== null) sayFault(fault);
    },
    async editText(text) {
      const { editText } = await import('./open-editor.ts');
      const result = await outside(() => editText(env, text));
      if ('text' in result) return result.text;
      sayFault(result.fault, 'the text is as it was');
      return null;
    },
  };

  async function outside<T>(act: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    await suspend(() => act().then(resolve, reject));
    return promise;
  }
}
