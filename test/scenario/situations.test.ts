import { afterAll, beforeAll, expect, test } from 'vitest';
import { inParallel } from '../../tools/sandbox-report.ts';
import { SANDBOX_DOMAINS } from '../sandbox/domains.ts';
import type { Transcript } from '../sandbox/transcript.ts';
import type { Sandbox } from '../sandbox/world.ts';
import { makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { eventually } from '../support/patience.ts';
import { verify } from './access.ts';
import type { Verification } from './access.ts';

// The 27 mail-server situations in which public verifiers were compared (the best was wrong three times), each
// through the running service over real sockets. V deliverable, I undeliverable, C catch-all, F full, U unknown.

const PARALLEL = 12;

type Letter = 'V' | 'I' | 'C' | 'F' | 'U';
/** Who could not or would not answer: the mail server, the network, or a server that refuses us. */
type Fault = 'server' | 'network' | 'us';

type Situation = [right: Letter, situation: string, address: string, fault?: Fault];
const SITUATIONS: readonly Situation[] = [
	['V', 'valid mailbox', 'ada@inbox.test'],
	['I', 'unknown user, 550 5.1.1', 'nobody@inbox.test'],
	['C', 'catch-all domain', 'ada@catch-all.test', 'server'],
	['U', 'postgrey, 450 Recipient address rejected: Greylisted', 'ada@greylist.test', 'server'],
	['U', 'RCPT 550 5.7.1, our IP on Spamhaus', 'ada@blocked.test', 'us'],
	['U', 'greeting 554 5.7.1 RBL', 'ada@blocked-greeting.test', 'us'],
	['U', 'greeting 550 5.7.1 IP not allowed', 'ada@refuses-address.test', 'us'],
	['U', 'MAIL FROM 550 5.7.23 SPF', 'ada@refuses-sender.test', 'us'],
	['F', '452 4.2.2 over quota', 'ada@full.test'],
	['I', '550 5.2.1 disabled', 'ada@disabled.test'],
	['V', '450 4.2.1 receiving mail at a rate', 'ada@busy.test'],
	['V', 'second RCPT 452 4.5.3', 'ada@one-recipient.test'],
	['V', 'server drops after first 550', 'ada@drops.test'],
	['V', 'no reply to QUIT', 'ada@deaf-to-quit.test'],
	['V', 'three-line greeting', 'ada@three-line-greeting.test'],
	['V', 'postscreen teaser, 220- … 1 s … 220', 'ada@postscreen.test'],
	['V', 'STARTTLS advertised', 'info@inbox.test'],
	['V', 'PIPELINING not advertised', 'ada@lockstep.test'],
	['V', 'primary MX refuses, backup ok', 'ada@backup.test'],
	['I', 'same, unknown user', 'nobody@backup.test'],
	['I', 'strict slow primary, catch-all backup', 'nobody@slow-primary.test'],
	['I', 'MX answer not sorted by preference', 'nobody@unsorted.test'],
	['V', 'no MX, A record only', 'ada@implicit-mx.test'],
	['I', 'null MX (RFC 7505)', 'ada@null-mx.test'],
	['I', 'NXDOMAIN', 'ada@no-such-domain.test'],
	['V', 'M365 valid', 'ada@microsoft.test'],
	['I', 'M365 550 5.4.1 Access denied', 'nobody@microsoft.test'],
	// Beyond the 27: what else a backup, a random recipient or an outage may be mistaken for.
	['U', 'primary MX refuses, the backup accepts everybody', 'ada@backup-accepts-all.test', 'network'],
	[
		'C',
		'catch-all behind greylisting, asked for the same strangers',
		'ada@greylist-catch-all.test',
		'server',
	],
	['C', 'catch-all, one recipient a transaction', 'ada@one-recipient-catch-all.test', 'server'],
	['U', 'no MX host takes a connection', 'ada@refused.test', 'network'],
	['U', 'the name servers are broken', 'ada@servfail.test', 'network'],
	['V', 'a server that demands STARTTLS', 'ada@tls-required.test'],
	['U', 'a server that demands STARTTLS and breaks off', 'ada@tls-broken.test', 'server'],
	['U', 'a policy that refuses us without a reason', 'ada@policy.test', 'server'],
	['U', 'silence instead of a greeting', 'ada@silent.test', 'server'],
	['U', 'one byte per second', 'ada@drips.test', 'server'],
	['I', 'unknown user on a server that hangs up after it', 'nobody@drops.test'],
];

const STATUS_OF = {
	V: ['deliverable'],
	I: ['undeliverable'],
	// On a catch-all domain the deeper check has the word: C is told by the flag.
	C: ['deliverable', 'undeliverable', 'unknown'],
	F: ['risky'],
	U: ['unknown'],
} as const;

/** Who could not or would not answer, in the words of the reason. */
const BLAME = {
	server: /recipient's mail server|accepts every address/i,
	network: /could (?:not )?be reached|name servers/,
	us: /about us/i,
} as const;

let service: TestService;
let sandbox: Sandbox;
const verdicts = new Map<string, Verification>();

beforeAll(async () => {
	service = await startTestService();
	if (service.sandbox === null) throw new Error('this service has a sandbox');
	sandbox = service.sandbox;
	const access = { url: service.url, ...(await makeAccount(service)) };
	await inParallel(SITUATIONS, PARALLEL, async ([, , address]) => {
		verdicts.set(address, await verify(access, address));
	});
	// A connection is kept for ten seconds after the last question.
	const stillOpen = () => sandbox.transcripts().filter(({ endedBy }) => endedBy === null);
	await eventually(() => expect(stillOpen()).toEqual([]), 100);
});
afterAll(() => service?.remove());

function verdictOf(address: string): Verification {
	const verdict = verdicts.get(address);
	if (verdict === undefined) throw new Error(`${address} was verified`);
	return verdict;
}

test.each<Situation>(SITUATIONS)('%s: %s', (right, _, address, fault) => {
	const { status, details } = verdictOf(address);
	expect(STATUS_OF[right]).toContain(status);
	// The scene says what its address comes to.
	const scene = SANDBOX_DOMAINS.find((row) => row.address === address)?.expect;
	expect({ status, sub_status: details.sub_status }).toMatchObject({
		status: scene?.status,
		sub_status: scene?.sub_status,
	});
	if (scene?.catch_all !== undefined) expect(details.attributes.catch_all).toBe(scene.catch_all);
	if (right === 'C') expect(details.attributes.catch_all).toBe(true);
	// Every unknown says whose fault it is.
	if (status === 'unknown') expect(fault).toBeDefined();
	if (fault !== undefined) expect(details.general.reason).toMatch(BLAME[fault]);
});

test.each(['nobody@inbox.test', 'nobody@slow-primary.test', 'nobody@microsoft.test'])(
	'%s, refused beside a stranger, is of a domain that is no catch-all',
	(address) => expect(verdictOf(address).details.attributes.catch_all).toBe(false),
);

test('no server hears DATA, VRFY or EXPN, or a command before its time', () => {
	expect(sandbox.counters.smtp).toMatchObject({ forbidden: 0, early: 0 });
});

/** The commands of a conversation, each with how many replies were finished before it came in, the greeting included. */
function commandsOf({ lines }: Transcript): { readonly line: string; readonly repliesBefore: number }[] {
	let replies = 0;
	return lines.flatMap((line) => {
		if (line.startsWith('< ')) return [{ line: line.slice(2), repliesBefore: replies }];
		// RFC 5321 §4.2.1: a hyphen behind the code announces another line.
		if (!/^> \d{3}-/.test(line)) replies += 1;
		return [];
	});
}

test('the target is asked first, with at most one invented recipient beside it, and we say QUIT before we leave', () => {
	const targets = new Set(SITUATIONS.map(([, , address]) => `RCPT TO:<${address}>`));
	const conversations = sandbox.transcripts().map((transcript) => ({
		...transcript,
		commands: commandsOf(transcript),
	}));
	const spoken = conversations.filter(({ commands }) => commands.length > 0);
	expect(spoken.length).toBeGreaterThan(24);
	for (const { host, commands, endedBy } of spoken) {
		const recipients = commands.filter(({ line }) => line.startsWith('RCPT'));
		const [first] = recipients;
		const flight = recipients.filter(({ repliesBefore }) => repliesBefore === first?.repliesBefore);
		expect(first === undefined || targets.has(first.line), host).toBe(true);
		expect(flight.length, host).toBeLessThanOrEqual(2);
		if (endedBy === 'client') expect(commands.at(-1)?.line, host).toBe('QUIT');
	}
});

test('a verification holds no more than one connection to a server that answers', () => {
	for (const domain of ['backup.test', 'lockstep.test', 'microsoft.test', 'full.test']) {
		const asked = SITUATIONS.filter(([, , address]) => address.endsWith(`@${domain}`));
		expect(sandbox.transcripts(domain).length, domain).toBeLessThanOrEqual(asked.length);
	}
});

test('STARTTLS is left alone where nobody demands it', () => {
	expect(sandbox.transcripts('inbox.test')[0]?.lines).toContain('> 250-STARTTLS');
	const asked = sandbox.transcripts().filter(({ lines }) => lines.includes('< STARTTLS'));
	expect(asked.map(({ host }) => host).toSorted()).toEqual(['mx.tls-broken.test', 'mx.tls-required.test']);
});

test('a null MX and a domain that does not exist cost no connection', () => {
	expect(sandbox.transcripts('null-mx.test')).toEqual([]);
	expect([...sandbox.counters.socks.connects.keys()]).not.toContain('198.18.255.1');
	expect(sandbox.counters.socks).toMatchObject({ notAllowed: 0, badCredentials: 0 });
});

test('a backup is left alone while the first MX host answers, however slowly', () => {
	expect(sandbox.transcripts('mx2.slow-primary.test')).toEqual([]);
	expect(sandbox.transcripts('mx2.unsorted.test')).toEqual([]);
});
