import { describe, expect, test } from 'vitest';
import type { Asker, MailHost } from '../../../src/core/politeness/mail-host.ts';
import type { Observation } from '../../../src/core/politeness/pause.ts';
import type { VerificationResult } from '../../../src/core/verification/render.ts';
import { examineAddress } from '../../../src/engine/examine-address.ts';
import type { ExamineSettings } from '../../../src/engine/examination.ts';
import type { DomainMemory } from '../../../src/engine/ports.ts';
import type { StandingMemory } from '../../../src/prober/ports.ts';
import { Standings } from '../../../src/prober/standing.ts';
import { fakeLookups } from '../../support/unit/fake-lookups.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeDialer } from '../../support/unit/fake-dialer.ts';
import type { Fate } from '../../support/unit/fake-dialer.ts';
import { fakeResolver, PUBLIC_ONLY } from '../../support/unit/fake-resolver.ts';
import { fakeProber } from '../../support/unit/fake-prober.ts';
import { NO_DOUBT, NO_MEMORY } from '../../support/unit/fake-standing.ts';
import { standingStore } from '../../support/unit/standing-store.ts';
import {
	NO_SUCH_USER,
	OK,
	addressOf,
	fakeRandomness,
	serverSaying,
} from '../../support/unit/mail-servers.ts';

type Observed = [MailHost, Observation];

const SETTINGS: ExamineSettings = {
	budgetMs: 15_000,
};

const EGRESS = 'socks5://egress.test:1080';

async function examine(
	host: string,
	fate: Fate,
	memory: Partial<StandingMemory & DomainMemory> = {},
): Promise<{ result: VerificationResult; dialled: readonly string[]; observed: Observed[] }> {
	const clock = fakeClock();
	const dialer = fakeDialer(clock, { '8.8.8.1': [fate] });
	const observed: Observed[] = [];
	const standing: StandingMemory = {
		...NO_MEMORY,
		observed: (name, observation) => void observed.push([name, observation]),
		...memory,
	};
	const resolver = fakeResolver({
		'x.test': { mx: [`10 ${host}`, '20 backup.test'] },
		[host]: { a: ['8.8.8.1'] },
		'backup.test': { a: ['8.8.8.2'] },
	});
	const { result } = await examineAddress(
		{
			...fakeLookups(),
			clock,
			prober: fakeProber({ clock, dialer, standing }),
			resolver,
			randomness: fakeRandomness(),
			domainMemory: { ...NO_DOUBT, ...memory },
			addressPolicy: PUBLIC_ONLY,
		},
		SETTINGS,
		addressOf('ada@x.test'),
		'acc_1',
	);
	return { result, dialled: dialer.dialled, observed };
}

describe('who blocked or slowed us lately is left alone', () => {
	test.each(['probe_blocked', 'rate_limited'] as const)(
		'%s: nobody is dialled, nor its backup',
		async (why) => {
			const { result, dialled } = await examine('mx.x.test', serverSaying(OK, OK), {
				paused: () => ({ why, until: 60_000 }),
			});
			expect(dialled).toEqual([]);
			expect([result.status, result.details.sub_status]).toEqual(['unknown', why]);
		},
	);
});

describe('what a conversation showed is remembered', () => {
	const blocked = '550 5.7.1 blocked using zen.spamhaus.org';
	const refused: Observation = {
		kind: 'refused',
		why: 'probe_blocked',
		stage: 'rcpt',
		domain: 'x.test',
		listed: true,
	};

	const OWN: MailHost = { host: 'mx.x.test', party: 'mx.x.test', egress: EGRESS, speaksFor: 'itself' };
	const google = 'aspmx.l.google.com';
	const GOOGLE: MailHost = { host: google, party: 'google', egress: EGRESS, speaksFor: 'operator' };

	test.each<[string, string, Fate, Observed[]]>([
		['a block, under the host and the egress', 'mx.x.test', serverSaying(blocked, blocked), [[OWN, refused]]],
		[
			'a block by a shared operator, under its name',
			google,
			serverSaying(blocked, blocked),
			[[GOOGLE, refused]],
		],
		[
			'an answer about the mailbox: we are welcome',
			'mx.x.test',
			serverSaying(NO_SUCH_USER, NO_SUCH_USER),
			[[OWN, { kind: 'served' }]],
		],
		['no connection shows nothing', 'mx.x.test', 'refused', []],
		['nor does silence', 'mx.x.test', ['> 220 mx', '< EHLO probe.us.test'], []],
	])('%s', async (_, host, fate, expected) => {
		expect((await examine(host, fate)).observed).toEqual(expected);
	});
});

describe('a domain that suddenly refuses everybody', () => {
	const doubtful: Partial<DomainMemory> = { answered: () => 'doubtful' };

	test('is not believed that a mailbox does not exist', async () => {
		const { result } = await examine('mx.x.test', serverSaying(NO_SUCH_USER, NO_SUCH_USER), doubtful);
		expect([result.status, result.details.sub_status]).toEqual(['unknown', 'unavailable_smtp']);
	});

	test('is believed when it accepts', async () => {
		const { result } = await examine('mx.x.test', serverSaying(OK, NO_SUCH_USER), doubtful);
		expect(result.status).toBe('deliverable');
	});
});

const BLOCKED = '550 5.7.1 blocked using zen.spamhaus.org';
const ADDRESSES: Readonly<Record<string, string>> = {
	'smtp-in.orange.fr': '8.8.8.1',
	'smtp-in2.orange.fr': '8.8.8.2',
	'lfbn-1-2.abo.wanadoo.fr': '8.8.8.3',
};

/** Everybody's questions, one after the other, with one prober's memory of what the mail hosts said. */
function oneProber() {
	const clock = fakeClock();
	const standing = new Standings(clock, standingStore(clock));
	/** The status of `ada@` a domain whose mail goes to a host that plays a fate. */
	return async (domain: string, host: string, fate: Fate, asker: Asker) => {
		const address = ADDRESSES[host] ?? '8.8.8.9';
		const resolver = fakeResolver({ [domain]: { mx: [`10 ${host}`] }, [host]: { a: [address] } });
		const dialer = fakeDialer(clock, { [address]: [fate] });
		const prober = fakeProber({ clock, dialer, standing });
		const ports = { ...fakeLookups(), clock, resolver, prober, domainMemory: NO_DOUBT };
		const { result } = await examineAddress(
			{ ...ports, randomness: fakeRandomness(), addressPolicy: PUBLIC_ONLY },
			SETTINGS,
			addressOf(`ada@${domain}`),
			asker,
		);
		return result.details.sub_status;
	};
}

describe('what one asker meets', () => {
	const refusing = (domain: string) => serverSaying(BLOCKED, BLOCKED, domain);
	const serving = (domain: string) => serverSaying(OK, NO_SUCH_USER, domain);
	const turningAway: Fate = ['> 554 5.7.1 your IP is listed at Spamhaus'];

	test.each<[string, Asker]>([
		['whoever is not signed in, with domains of his own at a large operator', null],
		['an account with domains of its own at a large operator', 'acc_1'],
	])('%s, has nobody else turned away', async (_, asker) => {
		const ask = oneProber();
		for (const domain of ['one.test', 'two.test', 'three.test'])
			await ask(domain, 'smtp-in.orange.fr', refusing(domain), asker);
		const other = await ask('orange.fr', 'smtp-in.orange.fr', serving('orange.fr'), 'acc_2');
		expect(other).toBe('accepted_email');
	});

	test('the same from a line that the operator rents out', async () => {
		const ask = oneProber();
		for (const domain of ['one.test', 'two.test'])
			for (const asker of ['acc_1', 'acc_2'])
				await ask(domain, 'lfbn-1-2.abo.wanadoo.fr', turningAway, asker);
		const other = await ask('orange.fr', 'smtp-in.orange.fr', serving('orange.fr'), 'acc_3');
		expect(other).toBe('accepted_email');
	});

	test('counts for all when the operator itself turns us away, before it knows whom we ask for', async () => {
		const ask = oneProber();
		await ask('orange.fr', 'smtp-in.orange.fr', turningAway, 'acc_1');
		await ask('orange.fr', 'smtp-in.orange.fr', turningAway, 'acc_1');
		for (const asker of ['acc_2', null]) {
			const other = await ask('wanadoo.fr', 'smtp-in2.orange.fr', serving('wanadoo.fr'), asker);
			expect(other).toBe('probe_blocked');
		}
	});

	test('and two accounts that are refused at domains of their own stop no third one', async () => {
		const ask = oneProber();
		await ask('one.test', 'smtp-in.orange.fr', refusing('one.test'), 'acc_1');
		await ask('two.test', 'smtp-in.orange.fr', refusing('two.test'), 'acc_2');
		const other = await ask('orange.fr', 'smtp-in2.orange.fr', serving('orange.fr'), 'acc_3');
		expect(other).toBe('accepted_email');
	});
});
