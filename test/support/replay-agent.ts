// A program that prints a recorded agent's output and keeps every byte it is sent: `node replay-agent.ts CAST LOG ROUNDS PACE`. Between
// events it asks for the cursor's place, so that an answer lost, doubled or wrong shows in the log. ROUNDS is a number, or `until FILE`:
// as many as it takes until there is that file, which it fills with their number. At the end it says so in its title and stays.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Events between two questions. */
const ASK_EVERY = 15;
/** The answer to the last question (device status). */
const LAST = '\x1b[0n';

const [cast, log, rounds, pace] = process.argv.slice(2) as [string, string, string, string];
const events = readFileSync(cast, 'utf8')
  .split('\n')
  .slice(1)
  .filter(Boolean)
  .map((line) => JSON.parse(line) as [number, string, string])
  .filter(([, kind]) => kind === 'o')
  .map(([, , text]) => text);

let received = Buffer.alloc(0);
const { promise: answered, resolve } = Promise.withResolvers<void>();
process.stdin.setRawMode(true);
process.stdin.on('data', (bytes: Buffer) => {
  received = Buffer.concat([received, bytes]);
  if (received.includes(LAST)) resolve();
});

const end = /^until (.*)/.exec(rounds)?.[1];
let round = 0;
for (; end ? !existsSync(end) : round < Number(rounds); round++) {
  await print(`\x1b[?1049l\x1bc round ${round}\r\n`);
  let asked = 0;
  let open = '';
  for (const text of events) {
    await print(text);
    open = (open + text).slice(-200);
    if (++asked % ASK_EVERY === 0 && !/\x1b[^\x07\\a-zA-Z]*$|\x1b[\]P_^X][^\x07]*$/.test(open)) await print('\x1b[6n\x1b[?2026$p');
    if (Number(pace) > 0) await new Promise((done) => setTimeout(done, Number(pace)));
  }
}
if (end) writeFileSync(end, String(round));
await print('\x1b[5n');
await answered;
writeFileSync(`${log}.new`, received);
renameSync(`${log}.new`, log);
await print('\x1b]2;finished\x07');
setInterval(() => {}, 60_000);

function print(text: string): Promise<void> {
  return new Promise((done) => {
    process.stdout.write(text, () => done());
  });
}
