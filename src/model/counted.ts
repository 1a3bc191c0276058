// Numbers of things in words.

/** '1 file', '2 files'. `noun`: for one; its plural ends in s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
