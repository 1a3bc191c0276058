// The licences of what the bundle is made of besides herd's own files: MIT, BSD and ISC ask for their text beside every copy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

/** Who holds the rights in packages that are under MIT and come without its text, as their repositories say. */
const HOLDERS: Record<string, string[]> = {
  '@xterm/headless': [
    '2017-2019, The xterm.js authors (https://github.com/xtermjs/xterm.js)',
    '2014-2016, SourceLair Private Company (https://www.sourcelair.com)',
    '2012-2013, Christopher Jeffrey (https://github.com/chjj/)',
  ],
  'yoga-layout': ['Facebook, Inc. and its affiliates.'],
};

/** Name, version and licence, with its text, of each package that has bytes in one of the bundles, by name. Throws when one has no text. */
export function notices(bundles: readonly Metafile[]): string {
  const used = bundles.flatMap(({ outputs }) => Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)));
  const folders = new Set(used.map(packageOf).filter((folder) => folder !== null));
  const parts = new Set([...folders].map(notice));
  return ['herd contains these packages.\n', ...[...parts].sort()].join(`\n${'-'.repeat(80)}\n\n`);
}

/** The folder of the package that a bundled file is from, the innermost; null for herd's own. */
function packageOf(file: string): string | null {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? null;
}

function notice(folder: string): string {
  const { name = '', version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>;
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length === 0 && license === 'MIT' && HOLDERS[name]) texts.push(mit(HOLDERS[name]));
  if (texts.length === 0) throw new Error(`${folder} is bundled and has no licence text`);
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}

/** The licence as herd's own file has it, of other holders. */
function mit(holders: readonly string[]): string {
  return readFileSync('LICENSE', 'utf8')
    .trim()
    .replace(/^Copyright .*$/m, holders.map((holder) => `Copyright (c) ${holder}`).join('\n'));
}
