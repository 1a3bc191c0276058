// The program in the pane: raw tty, writes what it is told and tells what it reads, over a socket given as its argument, one JSON object
// a line. Says its environment and size at the start.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

const socket = connect(process.argv[2]!);
const tell = (message: object) => socket.write(`${JSON.stringify(message)}\n`);
const size = () => ({ cols: process.stdout.columns, rows: process.stdout.rows });

process.stdin.setRawMode(true);
process.stdin.on('data', (bytes: Buffer) => tell({ read: bytes.toString('base64') }));
process.stdout.on('resize', () => tell({ size: size() }));
for (const end of ['close', 'error']) socket.on(end, () => process.exit(0));
tell({ size: size(), env: process.env });
createInterface(socket).on('line', (line) => process.stdout.write(Buffer.from(JSON.parse(line).write, 'base64')));
