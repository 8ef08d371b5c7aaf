import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { MailServer } from '../../sandbox/world.ts';
import { openListener } from '../../sandbox/listener.ts';
import type { Listener } from '../../sandbox/listener.ts';
import type { DohServer } from './doh-server.ts';
import type { HostileServers } from './hostile-mail-servers.ts';
import type { OddProxies } from './odd-proxies.ts';
import type { WatchedProxy } from './watched-proxies.ts';

export interface Witnessed {
	readonly mail: MailServer;
	readonly hostile: HostileServers;
	readonly doh: DohServer;
	readonly odd: OddProxies;
	readonly watched: Readonly<Partial<Record<string, WatchedProxy>>>;
}

const WAIT_MS = 5_000;

/**
 * Tells tests inside workerd what the servers have seen, as JSON, and turns the switchable proxy on and off. What is about the end of a connection waits until
 * there is one; 504 when it does not come.
 */
export async function startWitness(servers: Witnessed): Promise<Listener & { readonly url: string }> {
	const server = createServer((request, response) => void testify(servers, request, response));
	const listener = await openListener(server);
	return { ...listener, url: `http://127.0.0.1:${listener.port}` };
}

async function testify(
	servers: Witnessed,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const found = await testimony(servers, new URL(request.url ?? '/', 'http://witness.test'));
	response.writeHead(found === null ? 504 : 200, { 'content-type': 'application/json' });
	response.end(JSON.stringify(found));
}

async function testimony({ mail, hostile, doh, odd, watched }: Witnessed, url: URL): Promise<unknown> {
	const [, about = '', key = '', detail = ''] = url.pathname.split('/').map(decodeURIComponent);
	switch (about) {
		case 'questions':
			return doh.seen(key);
		case 'hostile':
			return eventually(() => {
				const record = hostile.record(key);
				return record !== null && record.connections > 0 && record.ended === record.connections
					? record
					: null;
			});
		case 'heard':
			return eventually(() => (hostile.record(key)?.heard.includes(detail) === true ? detail : null));
		case 'conversation':
			return eventually(() => {
				const transcripts = mail
					.transcripts()
					.filter(({ lines }) => lines.some((line) => line.includes(key)));
				return transcripts.find(({ endedBy }) => endedBy !== null) ?? null;
			});
		case 'attempts':
			return odd.attempts();
		case 'switch':
			odd.turn(key === 'on');
			return key;
		case 'proxy':
			return atProxy(watched[key], detail);
		default:
			return null;
	}
}

/** What a watched proxy has seen, or does now. */
function atProxy(proxy: WatchedProxy | undefined, wish: string): unknown {
	if (wish === 'hang-up') proxy?.hangUpOnIdle();
	if (wish === 'on' || wish === 'off') proxy?.turn(wish === 'on');
	return proxy?.seen() ?? null;
}

/** The first thing found that is not null, within the patience of a test. */
async function eventually<T>(find: () => T | null): Promise<T | null> {
	const patienceEnds = performance.now() + WAIT_MS;
	for (;;) {
		const found = find();
		if (found !== null || performance.now() > patienceEnds) return found;
		await pause(10);
	}
}
