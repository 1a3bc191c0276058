// Fits a scripted tool call to whatever tools an agent offers: the tool is found by name, its arguments are filled from its own schema.

export type ToolSpec =
  | { kind: 'shell'; command: string; escalate?: boolean; why?: string; timeout?: number }
  | { kind: 'write'; path: string; content: string }
  | { kind: 'edit'; path: string; old: string; new: string }
  | { kind: 'read'; path: string }
  | { kind: 'ask'; question: string; options: string[] };

export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

export interface OfferedTool {
  name: string;
  /** Takes free text instead of JSON. */
  custom: boolean;
  schema: Schema;
}

export type ToolCall = { name: string; args: unknown } | { name: string; input: string };

/** Names under which agents offer a tool of each kind, most specific first. */
const NAMES: Record<ToolSpec['kind'], string[]> = {
  shell: [
    'exec_command',
    'shell_command',
    'shell',
    'local_shell',
    'bash',
    'run_shell_command',
    'execute_command',
    'execute_bash',
    'run_commands',
    'run_command',
    'execute',
    'terminal',
  ],
  write: ['write', 'write_file', 'create', 'create_file', 'write_to_file', 'editor', 'apply_patch'],
  edit: ['edit', 'replace', 'edit_file', 'str_replace_editor', 'str_replace', 'replace_in_file', 'editor', 'apply_patch'],
  ask: [
    'askuserquestion',
    'question',
    'ask_user',
    'ask_user_question',
    'ask_followup_question',
    'request_user_input',
    'ask_question',
    'askuser',
    'ask_questions',
  ],
  read: ['read', 'read_file', 'view', 'read_files', 'readfile'],
};

/** The tools that a request of any of the four APIs offers. */
export function offeredTools(body: Record<string, unknown>): OfferedTool[] {
  const found: OfferedTool[] = [];
  const add = (entry: unknown): void => {
    if (!entry || typeof entry !== 'object') return;
    const tool = entry as Record<string, unknown>;
    const declared = tool.functionDeclarations ?? tool.function_declarations;
    if (Array.isArray(declared)) declared.forEach(add);
    else if (tool.type === 'namespace' && Array.isArray(tool.tools)) tool.tools.forEach(add);
    else {
      const shape = (tool.function ?? tool) as Record<string, unknown>;
      const name = shape.name ?? tool.type;
      if (typeof name === 'string')
        found.push({
          name,
          custom: tool.type === 'custom',
          schema: (shape.parameters ?? shape.parametersJsonSchema ?? shape.input_schema ?? {}) as Schema,
        });
    }
  };
  if (Array.isArray(body.tools)) body.tools.forEach(add);
  return found;
}

/** The call that does `spec` with one of `tools`; null when none fits. `folder` makes paths absolute. */
export function callFor(spec: ToolSpec, tools: OfferedTool[], folder: string): ToolCall | null {
  const tool = NAMES[spec.kind].map((name) => tools.find((t) => t.name.toLowerCase() === name)).find((t) => t !== undefined);
  // Agents without a tool to read with have the shell do it, as their models do.
  if (!tool) return spec.kind === 'read' ? callFor({ kind: 'shell', command: `cat '${spec.path}'` }, tools, folder) : null;
  if (tool.custom) return { name: tool.name, input: patchText(spec) };
  return { name: tool.name, args: fill(tool.schema, { spec, folder }) ?? {} };
}

function patchText(spec: ToolSpec): string {
  if (spec.kind === 'edit') return `*** Begin Patch\n*** Update File: ${spec.path}\n@@\n-${spec.old}\n+${spec.new}\n*** End Patch`;
  if (spec.kind !== 'write') return '';
  const lines = spec.content.trimEnd().split('\n');
  return `*** Begin Patch\n*** Add File: ${spec.path}\n${lines.map((l) => `+${l}`).join('\n')}\n*** End Patch`;
}

interface Filling {
  spec: ToolSpec;
  folder: string;
  /** The option that is being filled, inside a question's list. */
  option?: string;
}

/** A value for `schema`, guided by property names; undefined leaves it out. */
function fill(schema: Schema | undefined, filling: Filling, property = ''): unknown {
  if (!schema) return undefined;
  const variant = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  const shape = variant ? { ...schema, ...variant } : schema;
  const type = String((Array.isArray(shape.type) ? shape.type[0] : shape.type) ?? (shape.properties ? 'object' : 'string')).toLowerCase();
  const key = property.toLowerCase().replaceAll('_', '');
  const value = filling.spec.kind === 'ask' ? questionValue(key, shape, filling, filling.spec) : workValue(key, type, shape, filling);
  if (value !== undefined) return value;
  if (type !== 'object') return type === 'array' && key === 'edits' ? [fill(shape.items, filling, 'e')] : undefined;
  const filled: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(shape.properties ?? {})) {
    const one = fill(inner, filling, name) ?? (shape.required?.includes(name) ? blank(inner) : undefined);
    if (one !== undefined) filled[name] = one;
  }
  return filled;
}

function questionValue(key: string, shape: Schema, filling: Filling, spec: Extract<ToolSpec, { kind: 'ask' }>): unknown {
  if (key === 'options' || key === 'choices')
    return spec.options.map((option) => (shape.items?.type === 'string' ? option : fill(shape.items, { ...filling, option }, 'option')));
  if (key === 'requestedschema')
    return {
      type: 'object',
      properties: { choice: { type: 'string', title: 'Choice', description: 'Pick one', enum: spec.options } },
      required: ['choice'],
    };
  if (key === 'questions') return [fill(shape.items, filling, 'q')];
  if (['question', 'prompt', 'query', 'message'].includes(key)) return spec.question;
  if (['label', 'title', 'value'].includes(key)) return filling.option ?? 'Choice';
  if (key === 'description') return `Use ${filling.option ?? 'this'}`;
  if (key === 'header' || key === 'topic') return 'Choice';
  if (key === 'id') return 'choice';
  if (key === 'type' && shape.enum) return shape.enum.find((e) => /choice|select/.test(e)) ?? shape.enum[0];
  return undefined;
}

function workValue(key: string, type: string, shape: Schema, { spec, folder }: Filling): unknown {
  const of = <K extends string>(name: K): unknown => (spec as unknown as Record<string, unknown>)[name];
  if (key === 'command' || key === 'cmd') {
    const verb = spec.kind === 'edit' ? 'str_replace' : 'create';
    if (shape.enum) return shape.enum.includes(verb) ? verb : shape.enum[0];
    return type === 'array' ? ['bash', '-lc', of('command')] : (of('command') ?? verb);
  }
  if (key === 'commands') return [of('command')];
  if (['filepath', 'path', 'absolutepath', 'targetfile', 'filename'].includes(key)) {
    const path = of('path');
    return typeof path === 'string' && path.startsWith('/') ? path : path && `${folder}/${path}`;
  }
  if (['content', 'filetext', 'contents', 'newcontent'].includes(key)) return of('content');
  if (['oldstring', 'oldstr', 'oldtext'].includes(key)) return of('old');
  if (['newstring', 'newstr', 'newtext'].includes(key)) return of('new');
  if (['input', 'patch', 'patchtext'].includes(key)) return of('path') ? patchText(spec) : undefined;
  if (key === 'justification') return of('escalate') ? of('why') : undefined;
  if (['description', 'summary', 'explanation', 'instruction'].includes(key)) return of('why') ?? 'Check the project';
  if (key === 'sandboxpermissions') return of('escalate') ? 'require_escalated' : undefined;
  if (['timeout', 'timeoutms', 'yieldtimems'].includes(key)) return of('timeout');
  return undefined;
}

function blank(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  const type = String(Array.isArray(schema.type) ? schema.type[0] : schema.type).toLowerCase();
  const values: Record<string, unknown> = { boolean: false, number: 1, integer: 1, array: [], object: {} };
  return values[type] ?? 'none';
}
