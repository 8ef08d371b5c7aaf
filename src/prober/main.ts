import { serve } from '@hono/node-server';
import { log } from '../lib/log.ts';
import { readProberConfig } from './config.ts';
import { openProber } from './prober.ts';

// `node src/prober/main.ts`: holds conversations with mail servers, on a machine whose port 25 is open.

const config = readProberConfig(process.env);
const prober = openProber(config);
const { host, port } = config.PROBER_LISTEN;
const server = serve({ fetch: prober.app.fetch, hostname: host, port }, (address) => {
	log('prober_listens', { host: address.address, port: address.port });
	process.send?.({ event: 'PROBER_READY', url: `http://127.0.0.1:${address.port}` });
});

let isEnding = false;

/** Ends what is new at once, and what runs in its time; a second signal does not wait. */
async function end(): Promise<void> {
	if (isEnding) process.exit(1);
	isEnding = true;
	log('prober_drains', {});
	prober.drain();
	await prober.quiet();
	server.close();
	await prober.close();
	process.exit(0);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end());
