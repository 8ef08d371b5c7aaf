import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/core/verification/finding.ts';
import { Trail } from '../../../src/core/verification/trail.ts';
import { asks, greeted } from '../../support/unit/dialogue.ts';
import { askAbout, portsOf } from '../../support/unit/examine-alone.ts';
import type { AskedAbout } from '../../support/unit/examine-alone.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeDialer } from '../../support/unit/fake-dialer.ts';
import type { Fate, Script } from '../../support/unit/fake-dialer.ts';
import { fakeProber } from '../../support/unit/fake-prober.ts';
import { fakeResolver } from '../../support/unit/fake-resolver.ts';
import type { Zone } from '../../support/unit/fake-resolver.ts';
import {
	addressOf,
	catchAllServer,
	NO_SUCH_USER,
	OK,
	serverSaying,
} from '../../support/unit/mail-servers.ts';

/** mx1 to mx5 at 8.8.8.1 to 8.8.8.5. */
const HOSTS = ['mx1', 'mx2', 'mx3', 'mx4', 'mx5'];
const ZONES = Object.fromEntries(HOSTS.map((host, index) => [host, { a: [`8.8.8.${index + 1}`] }]));

/** Mail servers by IP address, and the question to them. */
interface World {
	readonly servers: Readonly<Record<string, readonly Fate[]>>;
	readonly zones?: Readonly<Record<string, Zone>>;
	readonly question?: Partial<AskedAbout>;
	readonly budgetMs?: number;
	/** How long each look-up of a host takes. */
	readonly lookupMs?: number;
}

/** Asks about ada@x.test in this world. */
async function probe(world: World) {
	const clock = fakeClock();
	const startedAt = clock.now();
	const dialer = fakeDialer(clock, world.servers);
	const zones = fakeResolver(world.zones ?? ZONES);
	const look: typeof zones.look = (host, type) => {
		clock.advance(world.lookupMs ?? 0);
		return zones.look(host, type);
	};
	const ports = { ...portsOf({}, fakeProber({ clock, dialer }), { clock }), resolver: { ...zones, look } };
	const trail = new Trail(() => startedAt);
	const deadline = startedAt + (world.budgetMs ?? 15_000);
	const [result] = await askAbout(ports, {
		addresses: [addressOf('ada@x.test')],
		deadline,
		trail,
		explain: true,
		...world.question,
	});
	if (result === undefined || result === null) throw new Error('who is asked about alone has a result');
	return { result, dialer, clock, elapsedMs: clock.now() - startedAt, lookedUp: zones.asked, trail };
}

function heard(result: Finding): Extract<Finding, { kind: 'heard' }> {
	if (result.kind !== 'heard') throw new Error(`nothing was heard: ${result.kind}`);
	return result;
}

const targetOf = (result: Finding): unknown => heard(result).interpretation.target;

const ACCEPTED = serverSaying(OK, NO_SUCH_USER);
const BUSY: Script = ['> 421 4.3.2 too busy'];

describe('a server that answers', () => {
	test('is asked in one connection, once', async () => {
		const { result, dialer, elapsedMs } = await probe({ servers: { '8.8.8.1': [ACCEPTED] } });
		expect(heard(result)).toMatchObject({
			viaBackup: false,
			interpretation: { target: { kind: 'accepted' }, invented: 'rejected' },
		});
		expect(dialer.writes).toEqual([
			[
				'EHLO probe.us.test',
				'MAIL FROM:<v@us.test> | RCPT TO:<ada@x.test> | RCPT TO:<aaaaaaaaaaaaaaaa@x.test>',
				'QUIT',
			],
		]);
		expect(elapsedMs).toBe(0);
		dialer.assertFinished();
	});

	test('that accepts everybody is asked about two more invented names where that matters', async () => {
		const { result, dialer } = await probe({
			servers: { '8.8.8.1': [catchAllServer()] },
			question: { deep: 'catch_all' },
		});
		expect(heard(result)).toMatchObject({ interpretation: { invented: 'accepted' } });
		expect(dialer.writes[0]).toContain(
			`RCPT TO:<bbbbb.cccccccc@x.test> | RCPT TO:<${'d'.repeat(9)}2@x.test>`,
		);
		dialer.assertFinished();
	});

	test.each([
		['Yahoo, which says yes to all', 'mta5.am0.yahoodns.net'],
		['consumer Outlook, which minds a second recipient', 'hotmail-com.olc.protection.outlook.com'],
	])('and is %s is asked about nobody else', async (_, host) => {
		const flight = asks('MAIL ada', 250, OK);
		const { result, dialer } = await probe({
			servers: { '8.8.8.1': [[...greeted('PIPELINING'), ...flight]] },
			zones: { [host]: { a: ['8.8.8.1'] } },
			question: { hosts: [host], deep: 'catch_all' },
		});
		expect(heard(result).readings).toEqual([]);
		dialer.assertFinished();
	});
});

test('the answer tells the hosts that were tried, and every conversation, in their order', async () => {
	const { trail } = await probe({
		servers: { '8.8.8.1': [BUSY, ACCEPTED] },
		question: { hosts: ['mx1', 'mx2'] },
	});
	const steps = trail.evidence().filter(({ step }) => step === 'connect' || step === 'rule');
	expect(steps.map(({ step, rule }) => (rule === 'wait' ? 'wait' : step)).join(' ')).toBe(
		'connect rule connect wait connect rule',
	);
});

test.each<[string, readonly Fate[], number]>([
	['the address and one of the invented ones', [ACCEPTED], 2],
	['the address and all three', [catchAllServer()], 4],
	['none, at a host that is too busy', [BUSY, BUSY], 0],
	['nobody, by a host that falls silent', [serverSaying(OK, OK).slice(0, -3)], 0],
])('recipients count that were replied to: %s', async (_, fates, recipients) => {
	const { trail } = await probe({ servers: { '8.8.8.1': fates }, question: { deep: 'catch_all' } });
	expect(trail.recipients).toBe(recipients);
});

describe('STARTTLS (RFC 3207) at', () => {
	const offers = greeted('PIPELINING', 'STARTTLS');
	const answers = asks('MAIL ada *', '250 2.1.0 ok', OK, NO_SUCH_USER);
	const starts = [...offers, ...asks('STARTTLS', '220 2.0.0 go')];
	const secured = [...starts, '! tls', ...asks('EHLO', '250-mx', '250 PIPELINING'), ...answers];
	const failed = [...starts, '! tls failed'];
	const plain = [...offers, ...answers];
	const must = '530 5.7.0 Must issue a STARTTLS first';
	const demands = [...offers, ...asks('MAIL ada *', must, must, must)];
	const [google, own] = ['aspmx.l.google.com', 'mx.own.test'];
	const accepted = { kind: 'accepted', certainly: false };
	const required = { kind: 'unknown', why: 'tls_required' };

	test.each<[string, string, readonly Fate[], object, boolean]>([
		['an operator that treats callers without TLS worse', google, [secured], accepted, true],
		// The handshake was our wish.
		['one whose handshake fails: again without', google, [failed, plain], accepted, false],
		['one whose handshake never ends', google, [[...starts, '! tls timeout'], plain], accepted, false],
		['one whose handshake fails, and that demands it then', google, [failed, demands], required, false],
		['any other host that offers it: without', own, [plain], accepted, false],
	])('%s', async (_, host, fates, target, isSecured) => {
		const zones = { [host]: { a: ['8.8.8.1'] } };
		const { result, dialer } = await probe({
			servers: { '8.8.8.1': fates },
			zones,
			question: { hosts: [host] },
		});
		dialer.assertFinished();
		expect([targetOf(result), heard(result).secured, dialer.dialled.length]).toEqual([
			target,
			isSecured,
			fates.length,
		]);
	});
});

describe('the walk along the mail hosts', () => {
	test.each<[string, readonly Fate[], number]>([
		['stops at the first that answers', [ACCEPTED], 1],
		['goes on where one refuses the connection', ['refused', ACCEPTED], 2],
		['goes on where one is out of reach', ['unreachable', ACCEPTED], 2],
		['goes on where one is too busy to greet', [BUSY, ACCEPTED], 2],
		['goes on where one hangs up before greeting', [['! close'], ACCEPTED], 2],
		['goes on to the fourth', ['refused', 'refused', 'refused', ACCEPTED], 4],
	])('%s', async (_, fates, dialled) => {
		const servers = Object.fromEntries(fates.map((fate, at) => [`8.8.8.${at + 1}`, [fate]]));
		const { result, dialer } = await probe({ servers, question: { hosts: HOSTS } });
		expect(dialer.dialled).toEqual(Object.keys(servers).slice(0, dialled));
		expect(result).toMatchObject({ kind: 'heard', viaBackup: dialled > 1 });
		dialer.assertFinished();
	});

	test.each<[string, Script, string]>([
		['an unknown user', serverSaying(NO_SUCH_USER, NO_SUCH_USER), 'rejected'],
		['a full mailbox', serverSaying('452 4.2.2 over quota', NO_SUCH_USER), 'full'],
		['a block at the greeting', ['> 554 5.7.1 blocked using zen.spamhaus.org'], 'unknown'],
		['a refused sender', [...greeted(), ...asks('MAIL', '550 5.7.23 SPF')], 'unknown'],
		['a close in the middle', [...greeted(), ...asks('MAIL'), '! close'], 'unknown'],
		['silence after the greeting', ['> 220 mx', ...asks('EHLO')], 'unknown'],
	])('ends with %s: no backup is asked instead', async (_, script, target) => {
		const { result, dialer } = await probe({
			servers: { '8.8.8.1': [script], '8.8.8.2': [ACCEPTED] },
			question: { hosts: HOSTS },
		});
		expect(dialer.dialled).toEqual(['8.8.8.1']);
		expect(heard(result).interpretation.target.kind).toBe(target);
	});

	test('tries two addresses of a host, and no third', async () => {
		const { dialer } = await probe({
			servers: {},
			zones: { mx1: { a: ['8.8.8.1', '8.8.8.2', '8.8.8.3'] } },
		});
		expect(dialer.dialled).toEqual(['8.8.8.1', '8.8.8.2']);
	});

	test('takes the second address where the first takes no connection: that is no backup', async () => {
		const { result } = await probe({
			servers: { '8.8.8.2': [ACCEPTED] },
			zones: { mx1: { a: ['8.8.8.1', '8.8.8.2'] } },
		});
		expect(result).toMatchObject({ kind: 'heard', viaBackup: false });
	});
});

describe('where a mail host may be', () => {
	test('private addresses are passed over, and cost none of the three tries', async () => {
		const { dialer } = await probe({
			servers: { '8.8.8.9': [ACCEPTED] },
			zones: {
				mx1: { a: ['10.0.0.1', '127.0.0.1'] },
				mx2: { a: ['169.254.169.254'] },
				mx3: {},
				mx4: { a: ['192.168.0.1', '8.8.8.9'] },
			},
			question: { hosts: ['mx1', 'mx2', 'mx3', 'mx4'] },
		});
		expect(dialer.dialled).toEqual(['8.8.8.9']);
	});

	test.each<[string, Record<string, Zone>, Finding['kind']]>([
		['only private addresses', { mx1: { a: ['10.0.0.1'] }, mx2: { a: ['127.0.0.1'] } }, 'unroutable'],
		['no addresses', { mx1: {}, mx2: {} }, 'unroutable'],
		['no such hosts', {}, 'unroutable'],
		['name servers that fail', { mx1: { a: 'server_failure' }, mx2: { a: 'timeout' } }, 'dns_error'],
		['one private, one unknown', { mx1: { a: ['10.0.0.1'] }, mx2: { a: 'timeout' } }, 'dns_error'],
	])('%s: %s', async (_, zones, kind) => {
		const { result, dialer } = await probe({ servers: {}, zones, question: { hosts: ['mx1', 'mx2'] } });
		expect(result).toEqual({ kind });
		expect(dialer.dialled).toEqual([]);
	});
});

describe('a first deferral', () => {
	const DEFERRED = serverSaying('450 4.2.0 Greylisted', '450 4.2.0 Greylisted');

	test.each<[string, Script]>([
		['greylisting', DEFERRED],
		['postscreen', serverSaying('450 4.3.2 Service currently unavailable', '450 4.3.2 no')],
		['a deferred sender', [...greeted(), ...asks('MAIL', '451 4.7.1 Greylisted')]],
		['a busy greeting of every host', BUSY],
	])('(%s) is asked once more after six seconds, at the same address', async (_, deferred) => {
		const { result, dialer, clock } = await probe({ servers: { '8.8.8.1': [deferred, ACCEPTED] } });
		expect(clock.slept).toEqual([6000]);
		expect(dialer.dialled).toEqual(['8.8.8.1', '8.8.8.1']);
		expect(heard(result).interpretation.target.kind).toBe('accepted');
		dialer.assertFinished();
	});

	test('is asked with the same invented names: new ones would be put off again', async () => {
		const { dialer } = await probe({ servers: { '8.8.8.1': [DEFERRED, ACCEPTED] } });
		const [first, second] = dialer.writes;
		expect(second?.[1]).toBe(first?.[1]);
	});

	test.each<[string, readonly Fate[], 'single' | 'list', number[], number]>([
		['is not asked again for a list, which comes back', [DEFERRED, ACCEPTED], 'list', [], 1],
		['is believed the second time', [DEFERRED, DEFERRED, ACCEPTED], 'single', [6000], 2],
		['stands where the server takes no second connection', [DEFERRED, 'refused'], 'single', [6000], 2],
	])('%s', async (_, fates, urgency, slept, dialled) => {
		const asked = { servers: { '8.8.8.1': fates }, question: { class: urgency } };
		const { result, dialer, clock } = await probe(asked);
		expect([clock.slept, dialer.dialled.length]).toEqual([slept, dialled]);
		expect(targetOf(result)).toEqual({ kind: 'unknown', why: 'greylisted' });
	});

	test.each([
		[8000, 1],
		[7999, 0],
	])('is asked again only where the budget allows: %i ms, %i time(s)', async (budgetMs, times) => {
		const { clock } = await probe({ servers: { '8.8.8.1': [DEFERRED, ACCEPTED] }, budgetMs });
		expect(clock.slept).toHaveLength(times);
	});

	test.each<[string, Script]>([
		['no such user', serverSaying(NO_SUCH_USER, NO_SUCH_USER)],
		['too many of us', serverSaying('452 4.5.3 Too many recipients', '452 4.5.3 Too many')],
		['a full mailbox', serverSaying('452 4.2.2 over quota', NO_SUCH_USER)],
		['a greeting that says too many', ['> 421 4.7.0 mx.x.test Error: too many errors']],
		['a close before the greeting', ['! close']],
		['a block', serverSaying('550 5.7.1 blocked using zen.spamhaus.org', NO_SUCH_USER)],
	])('is not what this is: %s', async (_, script) => {
		const { clock } = await probe({ servers: { '8.8.8.1': [script, ACCEPTED] } });
		expect(clock.slept).toEqual([]);
	});
});

const drip = (count: number, everyMs: number): Script =>
	Array.from({ length: count }, (_, index) => [`~ ${everyMs}`, `> 220-line ${index}`]).flat();

describe('time', () => {
	test.each([
		['a server that drips lines and never ends its greeting', drip(100, 1000), 12_000],
		['a server that never greets', [], 12_000],
		['a server that never answers EHLO', ['> 220 mx', '< EHLO probe.us.test', ...drip(100, 999)], 10_000],
	])('%s is left when patience ends', async (_, script, elapsed) => {
		const { result, elapsedMs } = await probe({ servers: { '8.8.8.1': [script] } });
		expect(targetOf(result)).toEqual({ kind: 'unknown', why: 'timeout' });
		expect(elapsedMs).toBe(elapsed);
	});

	test('no server, however slow, holds us beyond the deadline', async () => {
		const script = ['> 220 mx', ...asks('EHLO', '250 mx'), ...asks('MAIL', 250)];
		const slow = script.flatMap((step) => (step.startsWith('> ') ? ['~ 7000', step] : [step]));
		const { result, elapsedMs } = await probe({ servers: { '8.8.8.1': [slow] } });
		expect(targetOf(result)).toEqual({ kind: 'unknown', why: 'timeout' });
		expect(elapsedMs).toBe(15_000);
	});

	test('hosts that do not answer the connection leave time for none after the deadline', async () => {
		const { result, dialer, elapsedMs } = await probe({
			servers: Object.fromEntries(HOSTS.map((_, index) => [`8.8.8.${index + 1}`, ['timeout']])),
			question: { hosts: HOSTS },
		});
		expect(result).toEqual({ kind: 'no_connect', tried: 2 });
		expect([dialer.dialled.length, elapsedMs]).toEqual([2, 15_000]);
	});

	const privateFirst = { mx1: { a: ['10.0.0.1'] }, mx2: { a: ['8.8.8.2'] } };
	test.each<[string, Omit<World, 'servers'>]>([
		['nothing left', { budgetMs: 0 }],
		['1,999 ms left', { budgetMs: 1999 }],
		['after a private host', { zones: privateFirst, question: { hosts: ['mx1', 'mx2'] }, lookupMs: 14_000 }],
	])('a name server that used up the time proves nothing: %s', async (_, world) => {
		const { result, dialer } = await probe({ servers: { '8.8.8.1': [ACCEPTED] }, ...world });
		expect(result).toEqual({ kind: 'dns_error' });
		expect(dialer.dialled).toEqual([]);
	});
});

test.each<[string, Zone, number]>([
	['in a zone that fails', { a: 'server_failure' }, 5],
	// The others may be elsewhere: the domain is not called unroutable.
	['of which the best are private', { a: ['10.0.0.1'] }, 10],
])('of a thousand hosts %s, five are looked up', async (_, zone, questions) => {
	const hosts = Array.from({ length: 1_000 }, (__, n) => `mx${n}`);
	const zones = Object.fromEntries(hosts.map((name, n) => [name, n < 500 ? zone : { a: ['8.8.8.1'] }]));
	const { result, lookedUp } = await probe({ servers: {}, zones, question: { hosts } });
	expect(result).toEqual({ kind: 'dns_error' });
	expect(lookedUp).toHaveLength(questions);
	expect(new Set(lookedUp.map((one) => one.split(' ')[1]))).toEqual(new Set(hosts.slice(0, 5)));
});
