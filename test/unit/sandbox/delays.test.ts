import { Resolver } from 'node:dns/promises';
import { afterEach, expect, test } from 'vitest';
import { makeCounters } from '../../sandbox/counters.ts';
import { startDnsServer } from '../../sandbox/dns-server.ts';
import { startPlainDnsServer } from '../../sandbox/plain-dns-server.ts';
import { startSocksServer } from '../../sandbox/socks-server.ts';
import { startMailServer } from '../../sandbox/world.ts';
import type { ZoneEntry } from '../../sandbox/zone-lookup.ts';
import { Client, socksRequest } from './support.ts';

// The world's distances: a reply comes when its round trip is over, never before.

const DELAY_MS = 40;
// A timer may ring a millisecond before its time.
const EARLY_MS = 2;
const ZONES = new Map<string, ZoneEntry>([
	['shop.test', { mx: [[10, 'mx.shop.test']] }],
	['mx.shop.test', { a: ['198.18.0.1'] }],
	['broken.test', { fault: 'servfail' }],
]);

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map((server) => server.close()));
});

async function took(work: Promise<unknown>): Promise<number> {
	const begun = performance.now();
	await work;
	return performance.now() - begun;
}

async function plainDns(delayMs: number): Promise<Resolver> {
	const server = await startPlainDnsServer(ZONES, makeCounters().dns, delayMs);
	open.push(server);
	const resolver = new Resolver({ tries: 1 });
	resolver.setServers([`127.0.0.1:${server.port}`]);
	return resolver;
}

test('DNS over UDP answers from the same zones', async () => {
	const resolver = await plainDns(0);
	expect(await resolver.resolveMx('shop.test')).toMatchObject([{ exchange: 'mx.shop.test', priority: 10 }]);
	expect(await resolver.resolve4('mx.shop.test')).toEqual(['198.18.0.1']);
	await expect(resolver.resolveMx('nothing.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
	await expect(resolver.resolveMx('broken.test')).rejects.toMatchObject({ code: 'ESERVFAIL' });
});

test('DNS takes its round trip, in both ways', async () => {
	const resolver = await plainDns(DELAY_MS);
	expect(await took(resolver.resolveMx('shop.test'))).toBeGreaterThanOrEqual(DELAY_MS - EARLY_MS);
	const doh = await startDnsServer(ZONES, makeCounters().dns, 0, DELAY_MS);
	open.push(doh);
	// RFC 1035 §4.1: one question, `shop.test` MX.
	const question = Buffer.from('000001000001000000000000', 'hex').toString('binary');
	const name = '\x04shop\x04test\x00\x00\x0f\x00\x01';
	const dns = Buffer.from(question + name, 'binary').toString('base64url');
	const asked = fetch(`${doh.url}?dns=${dns}`).then((response) => response.arrayBuffer());
	expect(await took(asked)).toBeGreaterThanOrEqual(DELAY_MS - EARLY_MS);
});

test('a SOCKS5 proxy takes a round trip for each of its three replies', async () => {
	const mail = await startMailServer('plain');
	const credentials = { username: 'u', password: 'p' };
	const proxy = await startSocksServer({
		...credentials,
		routes: new Map([['198.18.0.1', { port: mail.port }]]),
		resolve: () => null,
		counters: makeCounters().socks,
		replyDelayMs: DELAY_MS,
	});
	open.push(mail, proxy);
	const client = await Client.dial(proxy.port);
	const greeted = (async () => {
		for (const part of socksRequest('socks5://u:p@127.0.0.1', '198.18.0.1')) client.write(part);
		await client.hear(/220 .*\r\n/);
	})();
	expect(await took(greeted)).toBeGreaterThanOrEqual(3 * DELAY_MS - EARLY_MS);
	client.socket.destroy();
});
