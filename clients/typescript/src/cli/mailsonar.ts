#!/usr/bin/env node
import { EXIT } from './exit-code.ts';
import { main } from './main.ts';

// The library runs on older ones.
const NODE_MIN = 20;

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
	process.once(signal, () => stop.abort(new Error(signal)));
// What is written to a reader that has gone is not missed.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
	if (error.code === 'EPIPE') process.exit(EXIT.done);
});
if (Number.parseInt(process.versions.node, 10) < NODE_MIN) {
	process.stderr.write(`mailsonar needs Node ${NODE_MIN} or newer; this is ${process.versions.node}.\n`);
	process.exit(EXIT.usage);
}
// An input that is a terminal would keep the process alive.
void main(process.argv.slice(2), stop.signal).then((code) => process.exit(code));
