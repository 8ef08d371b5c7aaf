#!/usr/bin/env node
import { EXIT } from './exit-code.ts';
import { main } from './main.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
	process.once(signal, () => stop.abort(new Error(signal)));
// What is written to a reader that has gone is not missed.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
	if (error.code === 'EPIPE') process.exit(EXIT.done);
});
// An input that is a terminal would keep the process alive.
void main(process.argv.slice(2), stop.signal).then((code) => process.exit(code));
