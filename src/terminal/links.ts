// OSC 8 links of one terminal by number, as cells refer to them. Only schemes that are safe to open are kept; the table is bounded.
import type { Emulator } from './xterm.ts';

const SAFE = /^(?:https?|ftp|file|mailto):/i;
/** Longest URI, UTF-16 units (as in other terminals). */
const MAX_URI = 2083;
/** Links remembered per terminal; beyond it the oldest are forgotten and their cells lose the link. */
const MAX_LINKS = 4096;

export interface Link {
  /** The program's `id=`, '' when it gave none. */
  id: string;
  uri: string;
}

export class LinkTable {
  readonly #links = new Map<number, Link>();
  readonly #numbers = new Map<string, number>();
  #next = 1;

  /** Number of a link, the same for the same id and URI; 0 for one that is not kept. */
  add(id: string, uri: string): number {
    if (uri.length > MAX_URI || !SAFE.test(uri) || /[\u0000-\u001f\u007f-\u009f]/.test(uri)) return 0;
    const key = `${id.slice(0, 256)}\n${uri}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#next++;
    this.#links.set(number, { id: id.slice(0, 256), uri });
    this.#numbers.set(key, number);
    if (this.#links.size > MAX_LINKS) this.#forgetOldest();
    return number;
  }

  /** '' when the link is not known (any more). */
  uri(number: number): string {
    return this.#links.get(number)?.uri ?? '';
  }

  get(number: number): Link | undefined {
    return this.#links.get(number);
  }

  #forgetOldest(): void {
    const [number, link] = this.#links.entries().next().value!;
    this.#links.delete(number);
    this.#numbers.delete(`${link.id}\n${link.uri}`);
  }
}

/** Has a parser note OSC 8 links in `links`: its own table costs a marker per line and link, ours nothing per cell. */
export function watchLinks({ terminal, core }: Emulator, links: LinkTable): void {
  terminal.parser.registerOscHandler(8, (data) => {
    const at = data.indexOf(';');
    if (at === -1) return true;
    const id = /(?:^|:)id=([^:]*)/.exec(data.slice(0, at))?.[1] ?? '';
    const attributes = core._inputHandler._curAttrData;
    attributes.extended = attributes.extended.clone();
    attributes.extended._urlId = data.length > at + 1 ? links.add(id, data.slice(at + 1)) : 0;
    attributes.updateExtended();
    return true;
  });
}
