// Unicode's list of recommended emoji, found by asking the runtime's own Unicode tables about every candidate sequence.

const ZWJ = '\u200d';
const VS16 = '\ufe0f';
const TONES = ['', '🏻', '🏼', '🏽', '🏾', '🏿'];

/** What stands behind a ZWJ in the list: signs, tools, hair, colours, creatures. */
const TAILS = '♀♂⚕⚖✈❤⚧☠❄⬛🔥🩹🌈🌾🍳🍼🎄🎓🎤🎨🏫🏭💻💼🔧🔬🚀🚒🦯🦰🦱🦲🦳🦼🦽🩰🦺💨💫🟩🟫🍋👁🗨➡↔↕💥🧑👩👨👦👧🧒';

/** All RGI emoji the runtime knows (about 3,800). */
export function rgiEmoji(): string[] {
  const known = /^\p{RGI_Emoji}$/v;
  const found = new Set<string>();
  const add = (text: string) => known.test(text) && found.add(text);
  const single: string[] = [];
  for (let code = 0x23; code < 0x1fb00; code++) {
    const text = String.fromCodePoint(code);
    if (/\p{Emoji}/u.test(text)) single.push(text);
  }
  for (const base of single) for (const tail of [...TONES, VS16]) add(base + tail);
  for (const key of '0123456789#*') add(`${key}${VS16}\u20e3`);
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCodePoint(0x1f1e6 + i));
  for (const a of letters) for (const b of letters) add(a + b);
  for (const region of ['gbeng', 'gbsct', 'gbwls']) {
    add(`🏴${Array.from(region, (c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('')}\u{e007f}`);
  }
  const joined = (heads: string[], tails: string[]) => {
    for (const head of heads) for (const tail of tails) add(head + ZWJ + tail);
  };
  joined(
    single.flatMap((base) => [...TONES, VS16].map((tone) => base + tone)),
    Array.from(TAILS).flatMap((tail) => [tail, tail + VS16]),
  );
  const people = ['🧑', '👩', '👨', '👦', '👧', '🧒', '🐰', '🫱', '🫲'].flatMap((person) => TONES.map((tone) => person + tone));
  const links = ['🤝', '❤️', `❤️${ZWJ}💋`, '🐰', '👦', '👧', '👩', '🧑', '🧒', '🫯', '🌾'];
  joined(
    people.flatMap((person) => links.map((link) => person + ZWJ + link)),
    [...people, '➡️'],
  );
  joined(
    [...found].filter((text) => text.includes(ZWJ)),
    ['➡️', '👦', '👧', '🧒'],
  );
  return [...found];
}
