// What programs tell by OSC besides drawing: titles, notifications, progress, status, folder, prompt marks, clipboard. Every text is
// cleaned here, where it enters; malformed reports are dropped. Never answers anything.
import { hostname } from 'node:os';
import { clean } from '../model/clean.ts';
import type { ProgramStatus, TerminalFact } from '../model/terminal-facts.ts';

/** Longest texts kept, UTF-16 units. */
const MAX_TITLE = 256;
const MAX_BODY = 1024;
const MAX_PATH = 4096;
/** Largest clipboard write, bytes decoded. */
export const MAX_CLIPBOARD_TEXT = 6 * 1024 * 1024;
/** OSC 7501 record ids: depth and length are the sender's choice, so they are bounded. */
const STATUS_ID = /^[\w.-]{1,64}(?:\/[\w.-]{1,64}){0,7}$/;
const STATUS_WORD = /^[\w.-]{1,64}$/;
const STATES = ['idle', 'working', 'blocked', 'done', 'error', 'clear'] as const;

/** OSC numbers read here. */
export const FACT_CODES = [7, 9, 52, 99, 133, 777, 7501] as const;

/** The facts in an OSC string of the given code; empty when it says nothing (or nothing valid). */
export function readFact(code: number, data: string, notes: NotificationParts): TerminalFact[] {
  const fact = read(code, data, notes);
  return fact ? [fact] : [];
}

function read(code: number, data: string, notes: NotificationParts): TerminalFact | null {
  switch (code) {
    case 7:
      return folder(data);
    case 9:
      return /^4(?:;|$)/.test(data) ? progress(data) : notification('osc9', '', data);
    case 52:
      return clipboard(data);
    case 99:
      return notes.add(data);
    case 133:
      return promptMark(data);
    case 777: {
      const [verb, title = '', ...body] = data.split(';');
      return verb === 'notify' ? notification('osc777', title, body.join(';')) : null;
    }
    case 7501:
      return status(data);
    default:
      return null;
  }
}

function notification(source: 'osc9' | 'osc99' | 'osc777', title: string, body: string): TerminalFact | null {
  const fact = { fact: 'notification' as const, source, title: clean(title, MAX_TITLE), body: clean(body, MAX_BODY) };
  return fact.title || fact.body ? fact : null;
}

function progress(data: string): TerminalFact | null {
  const [, state = '0', value] = data.split(';');
  if (!/^[0-4]$/.test(state)) return null;
  const percent = value !== undefined && /^\d{1,3}$/.test(value) ? Math.min(Number(value), 100) : null;
  return { fact: 'progress', state: Number(state) as 0 | 1 | 2 | 3 | 4, value: percent };
}

/** `file://host/path` of this host (or without host); kitty's `kitty-shell-cwd:` is not read. */
function folder(data: string): TerminalFact | null {
  const match = /^file:\/\/([^/]*)(\/.*)$/.exec(data.slice(0, MAX_PATH));
  if (!match || !['', 'localhost', hostname()].includes(match[1]!)) return null;
  const path = decoded(match[2]!);
  return path && !/[\u0000-\u001f\u007f]/.test(path) ? { fact: 'cwd', path } : null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function promptMark(data: string): TerminalFact | null {
  const match = /^([ABCD])(?:;(\d{1,3})?)?/.exec(data);
  if (!match) return null;
  const exit = match[1] === 'D' && match[2] !== undefined ? Number(match[2]) : null;
  return { fact: 'prompt-mark', mark: match[1] as 'A' | 'B' | 'C' | 'D', exit };
}

/** A write; reads (`?`) and empty writes say nothing. */
function clipboard(data: string): TerminalFact | null {
  const payload = data.slice(data.indexOf(';') + 1);
  if (!data.includes(';') || payload === '?' || payload === '') return null;
  const text = fromBase64(payload, MAX_CLIPBOARD_TEXT);
  return text ? { fact: 'clipboard', text } : null;
}

function fromBase64(text: string, max: number): string | null {
  if (!/^[A-Za-z0-9+/\s]*={0,2}$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length <= max ? bytes.toString('utf8') : null;
}

/** Program Status Protocol, revision 0.4: `key=value` joined by ':'. */
function status(data: string): TerminalFact | null {
  if (data.length > 64 * 1024) return null;
  const keys = new Map(data.split(':').map((pair) => splitAt(pair, '=')));
  const state = STATES.find((name) => name === keys.get('state'));
  const id = keys.get('id') ?? '';
  if (!state || (id !== '' && !STATUS_ID.test(id))) return null;
  const report: ProgramStatus = { id, state };
  const word = (key: 'kind' | 'app') => {
    const value = keys.get(key);
    if (value && STATUS_WORD.test(value)) report[key] = value;
  };
  word('kind');
  word('app');
  const message = fromBase64(keys.get('msg') ?? '', MAX_BODY * 4);
  if (message) report.message = clean(message, MAX_BODY);
  const title = fromBase64(keys.get('title') ?? '', MAX_TITLE * 4);
  if (title) report.title = clean(title, MAX_TITLE);
  const percent = keys.get('progress');
  if (percent && /^\d{1,3}$/.test(percent)) report.progress = Math.min(Number(percent), 100);
  return { fact: 'status', report };
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** kitty notifications (OSC 99) come in parts with the same id: `d=0` announces more. */
export class NotificationParts {
  #id = '';
  #title = '';
  #body = '';

  add(data: string): TerminalFact | null {
    const [head, payload] = splitAt(data, ';');
    const keys = new Map(head.split(':').map((pair) => splitAt(pair, '=')));
    const kind = keys.get('p') ?? 'title';
    if (kind !== 'title' && kind !== 'body') return null;
    const id = keys.get('i') ?? '';
    if (id !== this.#id) this.#start(id);
    const text = keys.get('e') === '1' ? (fromBase64(payload, MAX_BODY * 4) ?? '') : payload;
    if (kind === 'title') this.#title = (this.#title + text).slice(0, MAX_BODY);
    else this.#body = (this.#body + text).slice(0, MAX_BODY);
    if (keys.get('d') === '0') return null;
    const fact = notification('osc99', this.#title, this.#body);
    this.#start('');
    return fact;
  }

  #start(id: string): void {
    this.#id = id;
    this.#title = '';
    this.#body = '';
  }
}
