import { AUTHENTIC_DATA, decode, encode } from 'dns-packet';
import type { RecordType } from 'dns-packet';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Sandbox } from '../../sandbox/world.ts';
import { startSandbox } from '../../sandbox/world.ts';
import { Client, socksRequest } from './support.ts';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox();
});
beforeEach(() => sandbox.reset());
afterAll(() => sandbox.close());

async function ask(name: string, type: RecordType, method: 'GET' | 'POST' = 'GET') {
	const query = encode({ type: 'query', id: 0, flags: 256, questions: [{ type, name }] });
	const response = await (method === 'GET'
		? fetch(`${sandbox.dohUrl}?dns=${query.toString('base64url')}`)
		: fetch(sandbox.dohUrl, {
				method: 'POST',
				headers: { 'content-type': 'application/dns-message' },
				body: new Uint8Array(query),
			}));
	const packet = decode(Buffer.from(await response.arrayBuffer()));
	return { ...packet, rcode: (packet.flags ?? 0) & 15 };
}

async function throughProxy(address: string, port = 25): Promise<Client> {
	const client = await Client.dial(Number(new URL(sandbox.socksUrl).port));
	for (const bytes of socksRequest(sandbox.socksUrl, address, port)) client.write(bytes);
	await client.hear(/^.{4}/s);
	return client;
}

test.each([
	['inbox.test', 'MX', 0, 1],
	['inbox.test', 'TXT', 0, 1],
	['inbox.test', 'AAAA', 0, 0],
	['_domainkey.inbox.test', 'TXT', 0, 0],
	['nobody.inbox.test', 'MX', 3, 0],
	['no-such-domain.test', 'MX', 3, 0],
	['anything.invalid', 'MX', 3, 0],
	['servfail.test', 'MX', 2, 0],
	['gmail.com', 'MX', 5, 0],
	['implicit-mx.test', 'MX', 0, 0],
	['implicit-mx.test', 'A', 0, 1],
	['alias.test', 'MX', 0, 2],
	['xn--bcher-kva.test', 'MX', 0, 1],
	['mx.xn--bcher-kva.test', 'A', 0, 1],
	['well-kept.test', 'CAA', 0, 1],
	['_25._tcp.mx.well-kept.test', 'TLSA', 0, 1],
	['anything.wildcard.test', 'MX', 0, 1],
	['anything.wildcard.test', 'TXT', 0, 0],
] as const)('DNS: %s %s has rcode %i and %i answers', async (name, type, rcode, answers) => {
	const packet = await ask(name, type);
	expect([packet.rcode, packet.answers?.length]).toEqual([rcode, answers]);
	const negative = answers === 0 && (rcode === 0 || rcode === 3);
	expect(packet.authorities?.map((record) => record.type)).toEqual(negative ? ['SOA'] : []);
});

test('DNS takes POST, keeps the order of the zone and knows the null MX', async () => {
	expect((await ask('unsorted.test', 'MX', 'POST')).answers).toMatchObject([
		{ data: { preference: 20 } },
		{ data: { preference: 10 } },
	]);
	expect((await ask('null-mx.test', 'MX')).answers).toMatchObject([
		{ data: { preference: 0, exchange: '.' } },
	]);
	expect(sandbox.counters.dns.queries).toBe(2);
});

test('DNS can be garbage, and can stay silent', async () => {
	await expect(ask('dns-garbage.test', 'MX')).rejects.toThrow();
	const query = encode({ type: 'query', questions: [{ type: 'MX', name: 'dns-timeout.test' }] });
	const url = `${sandbox.dohUrl}?dns=${query.toString('base64url')}`;
	await expect(fetch(url, { signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout');
});

test('the proxy leads to a mail server, also by name and with bytes right behind the request', async () => {
	const client = await Client.dial(Number(new URL(sandbox.socksUrl).port));
	client.write(Buffer.concat([...socksRequest(sandbox.socksUrl, 'mx.inbox.test')]));
	await client.hear(/220 mx\.inbox\.test ESMTP\r\n/);
	client.write('EHLO probe.us.test\r\n');
	await client.hear(/250 SMTPUTF8\r\n/);
	client.write(
		'MAIL FROM:<v@us.test>\r\nRCPT TO:<ada@inbox.test>\r\nRCPT TO:<x@inbox.test>\r\nRCPT TO:<a@else.test>\r\n',
	);
	expect((await client.hear(/Relay.*\r\n/)).match(/^\d{3}/gm)).toEqual(['250', '250', '550', '554']);
	client.write('QUIT\r\n');
	await client.hear(/221 .*\r\n/);
	await client.heardEnd();
	expect(sandbox.transcripts('inbox.test')[0]?.lines.slice(0, 2)).toEqual([
		'> 220 mx.inbox.test ESMTP',
		'< EHLO probe.us.test',
	]);
	expect(sandbox.counters.smtp).toMatchObject({ connections: 1, forbidden: 0, early: 0 });
});

test('the proxy takes a handshake byte by byte', async () => {
	const client = await Client.dial(Number(new URL(sandbox.socksUrl).port));
	for (const byte of Buffer.concat(socksRequest(sandbox.socksUrl, 'mx.inbox.test'))) {
		client.write(Uint8Array.of(byte));
		await new Promise(setImmediate);
	}
	await client.hear(/220 mx\.inbox\.test ESMTP\r\n/);
	client.socket.destroy();
});

test('the proxy leads nowhere else', async () => {
	for (const [address, port, reply] of [
		['127.0.0.1', 25, 2],
		['192.0.2.1', 25, 2],
		['198.18.0.10', 80, 2],
		['mx1.refused.test', 25, 5],
		['mx.unreachable.test', 25, 4],
		['gmail.com', 25, 4],
	] as const) {
		const client = await throughProxy(address, port);
		expect((await client.heardEnd()).charCodeAt(1), address).toBe(reply);
	}
	expect(sandbox.counters.socks.notAllowed).toBe(3);
});

test('the proxy wants its credentials', async () => {
	const client = await Client.dial(Number(new URL(sandbox.socksUrl).port));
	client.write(Buffer.concat(socksRequest('socks5://sandbox:wrong@127.0.0.1', 'mx.inbox.test')));
	expect(await client.heardEnd()).toBe('\x05\x02\x01\x01');
	expect(sandbox.counters.socks.badCredentials).toBe(1);
});

const checkedFlagOf = async (name: string, asked: number) => {
	const query = encode({ type: 'query', id: 0, flags: asked, questions: [{ type: 'MX', name }] });
	const response = await fetch(`${sandbox.dohUrl}?dns=${query.toString('base64url')}`);
	return decode(Buffer.from(await response.arrayBuffer())).flag_ad;
};

test('a resolver says that it checked a signed zone, to those who ask', async () => {
	expect(await checkedFlagOf('well-kept.test', AUTHENTIC_DATA)).toBe(true);
	expect(await checkedFlagOf('nobody.well-kept.test', AUTHENTIC_DATA)).toBe(true);
	expect(await checkedFlagOf('well-kept.test', 0)).toBe(false);
	expect(await checkedFlagOf('inbox.test', AUTHENTIC_DATA)).toBe(false);
});

const askRegistry = (domain: string) => fetch(`${sandbox.rdapUrl}/domain/${domain}`, { redirect: 'manual' });

test('RDAP can be busy, lead in a circle, and know nothing', async () => {
	const busy = await askRegistry('rdap-busy.test');
	expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '120']);
	const loop = await askRegistry('rdap-loop.test');
	expect([loop.status, loop.headers.get('location')]).toEqual([302, '/domain/rdap-loop.test']);
	expect((await askRegistry('rdap-unknown.test')).status).toBe(404);
	await expect((await askRegistry('rdap-garbage.test')).json()).rejects.toThrow(SyntaxError);
});

test('RDAP tells the age of sandbox domains only', async () => {
	const bootstrap: unknown = await (await fetch(`${sandbox.rdapUrl}/dns.json`)).json();
	expect(bootstrap).toMatchObject({ services: [[['test'], [`${sandbox.rdapUrl}/`]]] });
	const found = await (await fetch(`${sandbox.rdapUrl}/domain/parked.test`)).text();
	const registered = /"registration","eventDate":"([^"]+)"/.exec(found)?.[1] ?? '';
	expect(Math.round((Date.now() - Date.parse(registered)) / 86_400_000)).toBe(5);
	expect((await fetch(`${sandbox.rdapUrl}/domain/no-such-domain.test`)).status).toBe(404);
});

test('every sample of the table is an address of its domain', () => {
	for (const { domain, address } of sandbox.domains)
		expect(address.endsWith(`@${domain}`), address).toBe(true);
	expect(new Set(sandbox.domains.map(({ address }) => address)).size).toBe(sandbox.domains.length);
});

test('a closed sandbox has nothing open, whatever it was doing', async () => {
	const other = await startSandbox({ mergesConnectReply: true });
	const clients = await Promise.all(
		['mx.silent.test', 'mx.drips.test', 'mx.inbox.test', 'mx.black-hole.test'].map(async (host) => {
			const client = await Client.dial(Number(new URL(other.socksUrl).port));
			client.write(Buffer.concat(socksRequest(other.socksUrl, host)));
			return client;
		}),
	);
	await clients[2]?.hear(/220 mx\.inbox\.test ESMTP\r\n/);
	await other.close();
	await Promise.all(clients.map((client) => client.heardEnd()));
});
