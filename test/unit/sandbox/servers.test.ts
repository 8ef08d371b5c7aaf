import { afterEach, expect, test } from 'vitest';
import type { Behaviour } from '../../sandbox/behaviour.ts';
import type { BehaviourName } from '../../sandbox/behaviours.ts';
import { shopAddresses, shopMailbox } from '../../sandbox/shops.ts';
import { startMailServer, startScriptedMailServer } from '../../sandbox/world.ts';
import { Client } from './support.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
	await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serverFor(behaviour: BehaviourName | Behaviour, options: { now?: () => number } = {}) {
	const server = await startMailServer(behaviour, options);
	open.push(server);
	return server;
}

/** The whole conversation with a client that waits for every reply. */
async function converse(port: number, commands: readonly string[]): Promise<string> {
	const client = await Client.dial(port);
	let heard = await client.hear(/^\d{3} .*\r\n/m);
	for (const command of commands) {
		client.write(`${command}\r\n`);
		heard += await client.hear(/^\d{3} .*\r\n/m).catch(() => '');
	}
	client.socket.destroy();
	return (heard.match(/^\d{3} (?:\d\.\d\.\d+)?/gm) ?? []).join('|');
}

const ASK = ['EHLO us.test', 'MAIL FROM:<v@us.test>', 'RCPT TO:<ada@x.test>', 'RCPT TO:<nobody@x.test>'];

test.each([
	['plain', '220 |250 |250 2.1.0|250 2.1.5|550 5.1.1'],
	['catch-all', '220 |250 |250 2.1.0|250 2.1.5|250 2.1.5'],
	['full', '220 |250 |250 2.1.0|452 4.2.2|550 5.1.1'],
	['one-recipient', '220 |250 |250 2.1.0|250 2.1.5|452 4.5.3'],
	['tls-required', '220 |250 |530 5.7.0|503 5.5.1|503 5.5.1'],
	['tls-broken', '220 |250 |530 5.7.0|503 5.5.1|503 5.5.1'],
	['blocked-greeting', '554 5.7.1'],
	['helo-only', '220 |502 5.5.1|503 5.5.1|503 5.5.1|503 5.5.1'],
	['no-pipelining', '220 |250 |250 2.1.0|250 2.1.5|550 5.1.1'],
	['shuts-down', '220 |250 |250 2.1.0|421 4.3.2'],
	['microsoft', '220 |250 |250 2.1.0|250 2.1.5|550 5.4.1'],
	['invalid-utf8', '220 |250 |250 2.1.0|250 2.1.5|550 5.1.1'],
] as const)('%s answers %s', async (behaviour, replies) => {
	expect(await converse((await serverFor(behaviour)).port, ASK)).toBe(replies);
});

test('a plain server keeps to RFC 5321', async () => {
	const server = await serverFor('plain');
	const commands = [
		'RCPT TO:<ada@x.test>',
		'EHLO us.test',
		'MAIL FROM:<v@us.test> SMTPUTF8',
		'MAIL FROM:<v@us.test>',
		'RSET',
		'MAIL FROM:<v@us.test> FOO=1',
		'NONSENSE',
		'DATA',
		'VRFY ada',
		'QUIT',
	];
	expect(await converse(server.port, commands)).toBe(
		'220 |503 5.5.1|250 |250 2.1.0|503 5.5.1|250 2.0.0|555 5.5.4|500 5.5.2|554 5.5.1|502 5.5.1|221 2.0.0',
	);
	expect(server.counters.forbidden).toBe(2);
});

test.each([
	[{}, '501 5.5.4'],
	[{ forgivesSpaces: true }, '250 2.1.0'],
] as const)('a server that is %j answers a space after the colon with %s', async (behaviour, reply) => {
	const commands = ['EHLO us.test', 'MAIL FROM: <v@us.test>'];
	expect(await converse((await serverFor(behaviour)).port, commands)).toBe(`220 |250 |${reply}`);
});

test('lockstep hangs up on a client that does not wait', async () => {
	const server = await serverFor('lockstep');
	const client = await Client.dial(server.port);
	await client.hear(/220 .*\r\n/);
	client.write('EHLO us.test\r\nMAIL FROM:<v@us.test>\r\n');
	expect(await client.heardEnd()).toBe('554 5.5.0 Error: SMTP protocol synchronization\r\n');
	expect(server.counters.early).toBe(1);
});

test('who demands TLS speaks it, and has forgotten what was said before', async () => {
	const server = await serverFor('tls-required');
	const plain = await Client.dial(server.port);
	await plain.hear(/220 .*\r\n/);
	plain.write('EHLO us.test\r\n');
	await plain.hear(/STARTTLS[^]*250 .*\r\n/);
	// The second line was not protected: it is not even answered.
	plain.write('STARTTLS\r\nMAIL FROM:<else@us.test>\r\n');
	await plain.hear(/220 2\.0\.0 .*\r\n/).catch(() => '');
	expect(server.counters.early).toBe(1);

	const client = await Client.dial(server.port);
	await client.hear(/220 .*\r\n/);
	client.write('STARTTLS\r\n');
	await client.hear(/220 2\.0\.0 .*\r\n/);
	const secured = await client.secure();
	for (const [command, reply] of [
		['MAIL FROM:<v@us.test>', /503 5\.5\.1/],
		['EHLO us.test', /^(?![^]*STARTTLS)[^]*250 .*\r\n/],
		['STARTTLS', /503 5\.5\.1/],
		['MAIL FROM:<v@us.test>', /250 2\.1\.0/],
		['RCPT TO:<ada@x.test>', /250 2\.1\.5/],
		['RCPT TO:<nobody@x.test>', /550 5\.1\.1/],
	] as const) {
		secured.write(`${command}\r\n`);
		await secured.hear(reply);
		await secured.hear(/^[^]*$/);
	}
	secured.socket.destroy();
});

test('who demands TLS may break off the handshake', async () => {
	const client = await Client.dial((await serverFor('tls-broken')).port);
	await client.hear(/220 .*\r\n/);
	client.write('STARTTLS\r\n');
	await client.hear(/220 2\.0\.0 .*\r\n/);
	await expect(client.secure()).rejects.toThrow();
});

test('short greylisting lets the same sender in after five seconds', async () => {
	let now = 0;
	const server = await serverFor('greylist-short', { now: () => now });
	expect(await converse(server.port, ASK)).toContain('450 4.3.2|450 4.3.2');
	now = 5000;
	expect(await converse(server.port, ASK)).toContain('250 2.1.5|550 5.1.1');
});

test('a reply can end half-way, in bytes that are not UTF-8, or never', async () => {
	expect(await converse((await serverFor('closes-mid-reply')).port, ASK)).toBe('220 |250 |250 2.1.0');
	const latin = await Client.dial((await serverFor('invalid-utf8')).port);
	expect(await latin.hear(/\r\n/)).toContain('pr\xeat');
	const flood = await Client.dial((await serverFor('floods-line')).port);
	await flood.hear(/^220 xxx/);
	flood.socket.destroy();
});

test('a script is checked line by line', async () => {
	const script = [
		'> 220 mx.test',
		'< EHLO us.test',
		'> 250-mx.test',
		'> 250 SIZE',
		'< RCPT TO:<*@x.test>',
		'! close',
	];
	const good = await startScriptedMailServer(script);
	const bad = await startScriptedMailServer(script);
	const early = await startScriptedMailServer(script);
	open.push(good, bad, early);
	for (const [server, rcpt] of [
		[good, 'RCPT TO:<a.b@x.test>'],
		[bad, 'RCPT TO:<a@y.test>'],
	] as const) {
		const client = await Client.dial(server.port);
		await client.hear(/220 .*\r\n/);
		client.write('EHLO us.test\r\n');
		await client.hear(/250 SIZE\r\n/);
		client.write(`${rcpt}\r\n`);
		await client.heardEnd();
	}
	await good.assertFinished();
	await expect(bad.assertFinished()).rejects.toThrow(
		'expected "< RCPT TO:<*@x.test>", the client said: RCPT TO:<a@y',
	);
	(await Client.dial(early.port)).socket.destroy();
	await expect(early.assertFinished()).rejects.toThrow('the client left before: < EHLO us.test');
});

test('the shops have enough different addresses for the largest list', () => {
	const list = shopAddresses(50_000);
	expect(new Set(list.map(({ address }) => address)).size).toBe(50_000);
	const statuses = new Set(list.map(({ expect: expected }) => expected.sub_status));
	expect([...statuses].toSorted()).toEqual([
		'accepted_email',
		'mailbox_disabled',
		'mailbox_full',
		'rejected_email',
	]);
	expect(shopMailbox('qwertz').expect.status).toBe('undeliverable');
});
