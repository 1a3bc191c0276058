// Recorded output of real agents (asciicast v2) as fixtures: the bytes a terminal got, with the size it had.
import { readdirSync, readFileSync } from 'node:fs';

export interface Recording {
  name: string;
  cols: number;
  rows: number;
  /** Output in the chunks it came in. */
  chunks: Uint8Array[];
}

const FOLDER = new URL('../fixtures/recordings/', import.meta.url);

/** All recordings in test/fixtures/recordings, by name. */
export function loadRecordings(): Recording[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.cast'));
  return files.sort().map((name) => parseRecording(name, readFileSync(new URL(name, FOLDER), 'utf8')));
}

export function parseRecording(name: string, text: string): Recording {
  const [head = '', ...rest] = text.split('\n');
  const { width, height } = JSON.parse(head) as { width: number; height: number };
  const events = rest.filter((line) => line !== '').map((line) => JSON.parse(line) as [number, string, string]);
  const chunks = events.filter(([, kind]) => kind === 'o').map(([, , data]) => Buffer.from(data));
  return { name, cols: width, rows: height, chunks };
}
