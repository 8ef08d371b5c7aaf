import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { makeCounters } from '../../sandbox/counters.ts';
import { LOOPBACK } from '../../sandbox/listener.ts';
import type { Listener } from '../../sandbox/listener.ts';
import { startSocksServer } from '../../sandbox/socks-server.ts';
import type { Route } from '../../sandbox/socks-server.ts';
import { startMailServer } from '../../sandbox/world.ts';
import { startChildServer } from './child-server.ts';
import { startDohServer } from './doh-server.ts';
import { startHostileServers } from './hostile-mail-servers.ts';
import { startOddProxies } from './odd-proxies.ts';
import type { NetPeers, RealProxy, WatchedProxyName } from './peers.ts';
import { startRealProxies } from './real-proxies.ts';
import type { RealProxies } from './real-proxies.ts';
import { startWatchedProxy } from './watched-proxies.ts';
import type { WatchedProxy } from './watched-proxies.ts';
import { startWitness } from './witness.ts';

// A port below 1024 that has no service anywhere; a free high one could be taken in the meantime.
const DEAD_PORT = 1;
const CREDENTIALS = { username: 'sandbox', password: 'sandbox-password' };
const TARGETS: NetPeers['sandboxTargets'] = {
	mail: '198.18.0.10',
	refused: '198.18.0.11',
	unreachable: '198.18.0.12',
	never: '198.18.0.13',
	notAllowed: '198.18.0.14',
};

/** Starts everything that the tests of `src/net` talk to. */
export async function startNetPeers(): Promise<{ peers: NetPeers; close: () => Promise<void> }> {
	const closers: (() => Promise<void>)[] = [];
	const close = async (): Promise<void> => {
		await Promise.all(closers.splice(0).map((closeOne) => closeOne()));
	};
	const keep = async <S extends { close(): Promise<void> }>(starting: Promise<S>): Promise<S> => {
		const server = await starting;
		closers.push(() => server.close());
		return server;
	};
	try {
		return { peers: await startAll(keep), close };
	} catch (error) {
		await close();
		throw error;
	}
}

async function startAll(
	keep: <S extends { close(): Promise<void> }>(starting: Promise<S>) => Promise<S>,
): Promise<NetPeers> {
	const [real, mail, hostile, doh, deaf] = await Promise.all([
		keep(startRealProxies().then(trusted)),
		keep(startMailServer('plain')),
		keep(startHostileServers()),
		keep(startDohServer()),
		keep(startDeafListener()),
	]);
	const routes = new Map<string, Route>([
		[TARGETS.mail, { port: mail.port }],
		[TARGETS.refused, 'refused'],
		[TARGETS.unreachable, 'unreachable'],
		[TARGETS.never, 'never'],
	]);
	const socks = { ...CREDENTIALS, routes, resolve: () => null, counters: makeCounters().socks };
	const [proxy, mergingProxy] = await Promise.all([
		keep(startSocksServer(socks)),
		keep(startSocksServer({ ...socks, mergesConnectReply: true })),
	]);
	const odd = await keep(startOddProxies(proxy.port));
	const url = ({ port }: Listener): string =>
		`socks5://${CREDENTIALS.username}:${CREDENTIALS.password}@${LOOPBACK}:${port}`;
	const watched: Partial<Record<WatchedProxyName, WatchedProxy>> = {};
	const watch = async (name: WatchedProxyName, behind: string | null): Promise<string | null> => {
		if (behind === null) return null;
		const before = new URL(behind);
		const one = await keep(startWatchedProxy(Number(before.port)));
		watched[name] = one;
		before.port = String(one.port);
		return before.href;
	};
	const watchedProxies = {
		sandbox: await watch('sandbox', url(proxy)),
		other: await watch('other', url(proxy)),
		microsocks: await watch('microsocks', urlOf(real.proxies.microsocks)),
		dante: await watch('dante', urlOf(real.proxies.dante)),
	};
	const witness = await keep(startWitness({ mail, hostile, doh, odd, watched }));
	return {
		mailPort: mail.port,
		deadPort: DEAD_PORT,
		deafPort: deaf.port,
		realProxies: real.proxies,
		realProxiesRequired: !['', 'false', '0', undefined].includes(process.env['CI']),
		sandboxProxy: url(proxy),
		mergingProxy: url(mergingProxy),
		sandboxTargets: TARGETS,
		watchedProxies,
		oddProxies: odd.ports,
		hostileServers: hostile.ports,
		dohOrigin: `http://${LOOPBACK}:${doh.port}`,
		witnessUrl: witness.url,
	};
}

function urlOf(proxy: RealProxy): string | null {
	return proxy.kind === 'running' ? proxy.url : null;
}

/**
 * workerd trusts the authorities of the file that SSL_CERT_FILE names. It is a child of this process and starts after
 * the global setup, so it finds the variable in its environment.
 */
function trusted(real: RealProxies): RealProxies {
	const before = process.env['SSL_CERT_FILE'];
	if (real.trustFile === null) return real;
	process.env['SSL_CERT_FILE'] = real.trustFile;
	return {
		...real,
		async close() {
			if (before === undefined) delete process.env['SSL_CERT_FILE'];
			else process.env['SSL_CERT_FILE'] = before;
			await real.close();
		},
	};
}

/** Listens and accepts nothing: once its queue is full, a connection attempt stays unanswered. */
async function startDeafListener(): Promise<{ port: number; close: () => Promise<void> }> {
	const child = await startChildServer((port) => ({
		program: process.execPath,
		args: [
			'--eval',
			`require('node:net').createServer().listen({ port: ${port}, host: '${LOOPBACK}', backlog: 1 }, () => {
				Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
			})`,
		],
	}));
	const fillers: Socket[] = [];
	for (let filler = 0; filler < 4; filler += 1) {
		fillers.push(connect({ port: child.port, host: LOOPBACK }).on('error', () => {}));
	}
	return {
		port: child.port,
		async close() {
			for (const filler of fillers) filler.destroy();
			await child.close();
		},
	};
}
