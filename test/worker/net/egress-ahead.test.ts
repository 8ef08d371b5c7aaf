import { describe, expect, test } from 'vitest';
import type { EgressDialer } from '../../../src/net/egress-dialer.ts';
import { PROXY_TIMEOUT_MS } from '../../../src/net/socks5-tunnel.ts';
import {
	askThrough,
	clock,
	conversationAbout,
	LOOPBACK,
	makeDialer,
	makeDomain,
	oddProxy,
	peers,
	witnessed,
} from './peers.ts';

// A proxy that lets us in while the name servers are still being asked.

const SANDBOX = { smtpPort: 25 };

function begin(dialer: EgressDialer, domain: string) {
	const begun = dialer.ahead(domain);
	if (begun === null) throw new Error('there is a proxy');
	return begun;
}

describe('a handshake that was begun before the address was known', () => {
	test('carries the conversation, once; the next dial begins anew', async () => {
		const dialer = makeDialer(peers.sandboxProxy, SANDBOX);
		for (const times of [1, 2]) {
			const domain = makeDomain();
			const begun = begin(dialer, domain);
			for (let dial = 0; dial < times; dial += 1) {
				const target = { domain, address: peers.sandboxTargets.mail };
				const dialled = await begun.dialer.dial(target, 8_000);
				expect(dialled.kind).toBe('connected');
				if (dialled.kind === 'connected') dialled.connection.close();
			}
			begun.end();
		}
	});

	test('tells a mail server that takes no connection from a proxy that fails', async () => {
		const dialer = makeDialer(peers.sandboxProxy, SANDBOX);
		for (const [target, why] of [
			['refused', 'refused'],
			['notAllowed', 'egress_cannot_reach'],
		] as const) {
			const domain = makeDomain();
			const dialled = await begin(dialer, domain).dialer.dial(
				{ domain, address: peers.sandboxTargets[target] },
				8_000,
			);
			expect(dialled).toMatchObject({ kind: 'no_connection', why });
		}
	});

	test.each(['closesAtOnce', 'resets', 'wantsPassword', 'http'] as const)(
		'and failed (%s) costs nothing: the next egress serves, as without it',
		async (name) => {
			const dialer = makeDialer(`${oddProxy(name)} direct`);
			for (let at = 0; at < 4; at += 1) {
				const domain = makeDomain();
				const dialled = await (dialer.ahead(domain)?.dialer ?? dialer).dial(
					{ domain, address: LOOPBACK },
					8_000,
				);
				expect(dialled).toMatchObject({ kind: 'connected', egress: 'direct' });
				if (dialled.kind === 'connected') dialled.connection.close();
			}
		},
	);

	test('is given back when nobody dials', async () => {
		const dialer = makeDialer(peers.sandboxProxy, SANDBOX);
		const domain = makeDomain();
		begin(dialer, domain).end();
		// The proxy and the dialer serve on.
		const { report } = await askThrough(dialer, { address: peers.sandboxTargets.mail });
		expect(report.targets[0]?.reply?.code).toBe(250);
	});

	test('is closed as soon as nobody wants it, though the proxy has not said a word yet', async () => {
		const silent = makeDialer(`socks5://${LOOPBACK}:${peers.hostileServers.neverAnswers}`);
		const begunAt = clock.now();
		for (let at = 0; at < 3; at += 1) begin(silent, makeDomain()).end();
		// Tells once all its connections have ended.
		await witnessed('hostile', 'neverAnswers');
		expect(clock.now() - begunAt).toBeLessThan(PROXY_TIMEOUT_MS);
	});

	test('is not begun where there is no proxy', () => {
		expect(makeDialer('direct').ahead('x.test')).toBeNull();
		expect(makeDialer('').ahead('x.test')).toBeNull();
		expect(makeDialer('direct', { directAllowed: false }).ahead('x.test')).toBeNull();
	});
});

test('what was begun ahead is heard by the mail server like any other conversation', async () => {
	const dialer = makeDialer(peers.sandboxProxy, SANDBOX);
	const domain = makeDomain();
	const begun = begin(dialer, domain);
	const { report } = await askThrough(Object.assign(Object.create(dialer) as EgressDialer, begun.dialer), {
		domain,
		address: peers.sandboxTargets.mail,
	});
	expect(report.end).toEqual({ kind: 'complete' });
	expect((await conversationAbout(domain)).lines.at(-2)).toBe('< QUIT');
});
