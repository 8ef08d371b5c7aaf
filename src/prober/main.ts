import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { log } from '../lib/log.ts';
import { ConfigError } from '../variables.ts';
import { readProberConfig } from './config.ts';
import { withSystemSource } from './dial/source-towards.ts';
import { HEALTH_PATH } from '../wire/prober-state.ts';
import { createProberApp } from './app.ts';
import { Prober } from './prober.ts';

// `node src/prober/main.ts`: holds conversations with mail servers, on a machine whose port 25 is open. With `check`: looks
// at what mail operators will see of this machine. With `health`: whether it takes questions.

// Cloudflare sends questions over connections that were idle for up to 900 s (developers.cloudflare.com, "Connection
// limits"), a proxy of one's own perhaps for two minutes. Were they closed here first (Node: after 5 s), a question that is
// on its way at that moment would be lost.
const KEPT_OPEN_MS = 930_000;
const HEALTH_MS = 3_000;

async function start(): Promise<void> {
	const config = readProberConfig(process.env);
	const prober = new Prober({ ...config, SMTP_EGRESS: await withSystemSource(config.SMTP_EGRESS) });
	const { host, port } = config.PROBER_LISTEN;
	const server = createServer({ keepAliveTimeout: KEPT_OPEN_MS }, createProberApp(prober));
	server.listen(port, host, () => {
		const address = server.address() as AddressInfo;
		log('prober_listens', { host: address.address, port: address.port }, 'info');
		process.send?.({ url: `http://127.0.0.1:${address.port}` });
	});
	server.once('error', (error: NodeJS.ErrnoException) => {
		log('prober_cannot_listen', { host, port, code: error.code });
		process.exit(1);
	});
	let isEnding = false;
	// Ends what is new at once, and what runs in its time; a second signal does not wait.
	const end = async (): Promise<void> => {
		if (isEnding) process.exit(1);
		isEnding = true;
		await prober.end();
		process.exit(0);
	};
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end());
	// The process that started us with a channel is gone: none is left to end us.
	process.on('disconnect', () => void end());
}

// To listen everywhere is no address to call.
const EVERYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Whether the prober of this machine takes questions: for a container's health check. */
async function isWell(): Promise<boolean> {
	const listens = readProberConfig(process.env).PROBER_LISTEN;
	const host = EVERYWHERE[listens.host] ?? listens.host;
	const url = `http://${host.includes(':') ? `[${host}]` : host}:${listens.port}${HEALTH_PATH}`;
	const init = { signal: AbortSignal.timeout(HEALTH_MS), redirect: 'manual' } as const;
	const response = await fetch(url, init).catch(() => null);
	return response?.ok === true;
}

async function run([word, ...words]: readonly string[]): Promise<void> {
	if (word === undefined) return start();
	// The body, which is not read, would keep the process.
	if (word === 'health') process.exit((await isWell()) ? 0 : 1);
	// An operator's tool beside the others, of which a prober at work reads nothing.
	const { runCheck } = await import('../../tools/check-prober.ts');
	process.exitCode = await runCheck(word === 'check' ? words : null, process.env);
}

try {
	await run(process.argv.slice(2));
} catch (error) {
	if (!(error instanceof ConfigError)) throw error;
	// It names variables and no values.
	log('prober_misconfigured', { problem: error.message });
	process.exit(1);
}
