import { domainToASCII } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inParallel } from '../../tools/sandbox-report.ts';
import type { Expectation } from '../sandbox/expectation.ts';
import { deliverable, risky, undeliverable, unknown } from '../sandbox/expectation.ts';
import type { Transcript } from '../sandbox/transcript.ts';
import type { Sandbox } from '../sandbox/world.ts';
import { makeAccount, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { findFaults } from './conversations.ts';
import { verify } from './verdict.ts';
import type { Verification } from './verdict.ts';
import { eventually } from '../support/patience.ts';

// The 27 mail-server situations in which public verifiers were compared (the best was wrong three times), each
// through the running service over real sockets. V deliverable, I undeliverable, C catch-all, F full, U unknown.

const PARALLEL = 12;

interface Situation {
	readonly situation: string;
	readonly address: string;
	readonly right: 'V' | 'I' | 'C' | 'F' | 'U';
	readonly expected: Expectation;
	/** Whose fault an unknown is. */
	readonly fault?: 'server' | 'network' | 'us';
}

const noSuchUser = undeliverable('rejected_email');
const blocked = unknown('probe_blocked');

const SITUATIONS: readonly Situation[] = [
	{ situation: 'valid mailbox', address: 'ada@inbox.test', right: 'V', expected: deliverable() },
	{
		situation: 'unknown user, 550 5.1.1',
		address: 'nobody@inbox.test',
		right: 'I',
		expected: { ...noSuchUser, catch_all: false },
	},
	{
		situation: 'catch-all domain',
		address: 'ada@catch-all.test',
		right: 'C',
		expected: { ...unknown('catch_all_unresolved'), catch_all: true },
		fault: 'server',
	},
	{
		situation: 'postgrey, 450 Recipient address rejected: Greylisted',
		address: 'ada@greylist.test',
		right: 'U',
		expected: unknown('greylisted'),
		fault: 'server',
	},
	{
		situation: 'RCPT 550 5.7.1, our IP on Spamhaus',
		address: 'ada@blocked.test',
		right: 'U',
		expected: blocked,
		fault: 'us',
	},
	{
		situation: 'greeting 554 5.7.1 RBL',
		address: 'ada@blocked-greeting.test',
		right: 'U',
		expected: blocked,
		fault: 'us',
	},
	{
		situation: 'greeting 550 5.7.1 IP not allowed',
		address: 'ada@refuses-address.test',
		right: 'U',
		expected: blocked,
		fault: 'us',
	},
	{
		situation: 'MAIL FROM 550 5.7.23 SPF',
		address: 'ada@refuses-sender.test',
		right: 'U',
		expected: blocked,
		fault: 'us',
	},
	{
		situation: '452 4.2.2 over quota',
		address: 'ada@full.test',
		right: 'F',
		expected: risky('mailbox_full'),
	},
	{
		situation: '550 5.2.1 disabled',
		address: 'ada@disabled.test',
		right: 'I',
		expected: undeliverable('mailbox_disabled'),
	},
	{
		situation: '450 4.2.1 receiving mail at a rate',
		address: 'ada@busy.test',
		right: 'V',
		expected: deliverable(),
	},
	{
		situation: 'second RCPT 452 4.5.3',
		address: 'ada@one-recipient.test',
		right: 'V',
		expected: deliverable(),
	},
	{
		situation: 'server drops after first 550',
		address: 'ada@drops.test',
		right: 'V',
		expected: deliverable(),
	},
	{
		situation: 'no reply to QUIT',
		address: 'ada@deaf-to-quit.test',
		right: 'V',
		expected: deliverable(),
	},
	{
		situation: 'three-line greeting',
		address: 'ada@three-line-greeting.test',
		right: 'V',
		expected: deliverable(),
	},
	{
		situation: 'postscreen teaser, 220- … 1 s … 220',
		address: 'ada@postscreen.test',
		right: 'V',
		expected: deliverable(),
	},
	{
		situation: 'STARTTLS advertised',
		address: 'grace@inbox.test',
		right: 'V',
		expected: deliverable(),
	},
	{
		situation: 'PIPELINING not advertised',
		address: 'ada@lockstep.test',
		right: 'V',
		expected: deliverable(),
	},
	{
		situation: 'primary MX refuses, backup ok',
		address: 'ada@backup.test',
		right: 'V',
		expected: deliverable(),
	},
	{
		situation: 'same, unknown user',
		address: 'nobody@backup.test',
		right: 'I',
		expected: noSuchUser,
	},
	{
		situation: 'strict slow primary, catch-all backup',
		address: 'nobody@slow-primary.test',
		right: 'I',
		expected: { ...noSuchUser, catch_all: false },
	},
	{
		situation: 'MX answer not sorted by preference',
		address: 'nobody@unsorted.test',
		right: 'I',
		expected: noSuchUser,
	},
	{
		situation: 'no MX, A record only',
		address: 'ada@implicit-mx.test',
		right: 'V',
		expected: deliverable(),
	},
	{
		situation: 'null MX (RFC 7505)',
		address: 'ada@null-mx.test',
		right: 'I',
		expected: undeliverable('does_not_accept_mail'),
	},
	{
		situation: 'NXDOMAIN',
		address: 'ada@no-such-domain.test',
		right: 'I',
		expected: undeliverable('invalid_domain'),
	},
	{
		situation: 'M365 valid',
		address: 'ada@microsoft.test',
		right: 'V',
		expected: deliverable(),
	},
	{
		situation: 'M365 550 5.4.1 Access denied',
		address: 'nobody@microsoft.test',
		right: 'I',
		expected: { ...noSuchUser, catch_all: false },
	},
];

// Beyond the 27: what else a backup, a random recipient or an outage may be mistaken for.
const MORE: readonly Situation[] = [
	{
		situation: 'primary MX refuses, the backup accepts everybody',
		address: 'ada@backup-accepts-all.test',
		right: 'U',
		expected: { ...unknown('no_connect'), catch_all: null },
		fault: 'network',
	},
	{
		situation: 'a catch-all domain behind greylisting: the second contact asks for the same strangers',
		address: 'ada@greylist-catch-all.test',
		right: 'C',
		expected: { ...unknown('catch_all_unresolved'), catch_all: true },
		fault: 'server',
	},
	{
		situation: 'a catch-all domain that takes one recipient a transaction',
		address: 'ada@one-recipient-catch-all.test',
		right: 'C',
		expected: { ...unknown('catch_all_unresolved'), catch_all: true },
		fault: 'server',
	},
	{
		situation: 'no MX host takes a connection',
		address: 'ada@refused.test',
		right: 'U',
		expected: unknown('no_connect'),
		fault: 'network',
	},
	{
		situation: 'the name servers are broken',
		address: 'ada@servfail.test',
		right: 'U',
		expected: unknown('dns_error'),
		fault: 'network',
	},
	{
		situation: 'a server that demands STARTTLS',
		address: 'ada@tls-required.test',
		right: 'V',
		expected: deliverable(),
	},
	{
		situation: 'a server that demands STARTTLS and breaks off the handshake',
		address: 'ada@tls-broken.test',
		right: 'U',
		expected: unknown('tls_required'),
		fault: 'server',
	},
	{
		situation: 'a policy that refuses us without a reason',
		address: 'ada@policy.test',
		right: 'U',
		expected: unknown('antispam_system'),
		fault: 'server',
	},
	{
		situation: 'silence instead of a greeting',
		address: 'ada@silent.test',
		right: 'U',
		expected: unknown('timeout'),
		fault: 'server',
	},
	{
		situation: 'one byte per second',
		address: 'ada@drips.test',
		right: 'U',
		expected: unknown('timeout'),
		fault: 'server',
	},
	{
		situation: 'unknown user on a server that hangs up after it',
		address: 'nobody@drops.test',
		right: 'I',
		expected: noSuchUser,
	},
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
	const { apiKey } = await makeAccount(service);
	await inParallel([...SITUATIONS, ...MORE], PARALLEL, async ({ address }) => {
		verdicts.set(address, await verify(service.url, apiKey, address));
	});
	// A connection is kept for ten seconds after the last question.
	const stillOpen = () => sandbox.transcripts().filter(({ endedBy }) => endedBy === null);
	await eventually(() => expect(stillOpen()).toEqual([]), 100);
});
afterAll(() => service?.remove());

function verdictOf({ address }: Situation): Verification {
	const verdict = verdicts.get(address);
	if (verdict === undefined) throw new Error(`${address} was verified`);
	return verdict;
}

test('there are 27 situations', () => expect(SITUATIONS).toHaveLength(27));

test.each([...SITUATIONS, ...MORE])('$right: $situation', (row) => {
	const { status, details } = verdictOf(row);
	expect(STATUS_OF[row.right]).toContain(status);
	const { status: expected, sub_status, catch_all } = row.expected;
	expect({ status, sub_status: details.sub_status }).toEqual({ status: expected, sub_status });
	if (catch_all !== undefined) expect(details.attributes.catch_all).toBe(catch_all);
	if (row.right === 'C') expect(details.attributes.catch_all).toBe(true);
	if (row.fault !== undefined) expect(details.general.reason).toMatch(BLAME[row.fault]);
});

test('every unknown of these says whose fault it is', () => {
	const rows = [...SITUATIONS, ...MORE].filter((row) => verdictOf(row).status === 'unknown');
	expect(rows.filter(({ fault }) => fault === undefined)).toEqual([]);
});

test('no server hears DATA, VRFY or EXPN, or a command before its time', () => {
	expect(sandbox.counters.smtp).toMatchObject({ forbidden: 0, early: 0 });
});

test('the target is asked first, with at most one invented recipient beside it, and we say QUIT before we leave', () => {
	const targets = new Set(
		[...SITUATIONS, ...MORE].map(({ address }) => {
			const [localPart, domain = ''] = address.split('@');
			return `${localPart}@${domainToASCII(domain)}`;
		}),
	);
	const conversations = sandbox
		.transcripts()
		.filter(({ lines }) => lines.some((line) => line.startsWith('< ')));
	expect(conversations.length).toBeGreaterThan(SITUATIONS.length - 3);
	expect(conversations.flatMap((transcript) => findFaults(transcript, targets))).toEqual([]);
});

/** A conversation that begins as it should. */
function spoken(...lines: readonly string[]): Transcript {
	const greeted = ['> 220 mx.x.test', '< EHLO us.test', '> 250 PIPELINING', '< MAIL FROM:<v@us.test>'];
	return { host: 'mx', behaviour: 'plain', lines: [...greeted, ...lines], endedBy: 'client' };
}

test('whoever asks strangers first, floods with them or leaves without a word is found out', () => {
	const [ada, x, y] = ['ada', 'x', 'y'].map((name) => `< RCPT TO:<${name}@x.test>`) as [
		string,
		string,
		string,
	];
	const targets = new Set(['ada@x.test']);
	const replies = ['> 250 ok', '> 250 ok', '> 550 no'];
	expect(findFaults(spoken(ada, x, ...replies, '< QUIT'), targets)).toEqual([]);
	expect(findFaults(spoken(x, ada, ...replies, '< QUIT'), targets)).toEqual([
		'mx: an invented recipient was asked before the target',
	]);
	expect(findFaults(spoken(ada, x, y, ...replies, '> 550 no', '< QUIT'), targets)).toEqual([
		'mx: more than one invented recipient in the first flight',
	]);
	expect(findFaults(spoken(ada, ...replies), targets)).toEqual([
		`mx: left without QUIT, after ${ada.slice(2)}`,
	]);
});

test('a verification holds no more than one connection to a server that answers', () => {
	for (const domain of ['backup.test', 'lockstep.test', 'microsoft.test', 'full.test']) {
		const asked = [...SITUATIONS, ...MORE].filter(({ address }) => address.endsWith(`@${domain}`));
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
