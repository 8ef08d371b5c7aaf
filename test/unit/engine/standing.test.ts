import { describe, expect, test } from 'vitest';
import type { Observation } from '../../../src/core/politeness/pause.ts';
import type { VerificationResult } from '../../../src/core/verification/result.ts';
import { examineAddress } from '../../../src/engine/examine-address.ts';
import type { HostKey, StandingMemory } from '../../../src/engine/ports.ts';
import { fakeLookups } from '../../support/unit/fake-lookups.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeDialer } from '../../support/unit/fake-dialer.ts';
import type { Fate } from '../../support/unit/fake-dialer.ts';
import { fakeResolver } from '../../support/unit/fake-resolver.ts';
import { NO_MEMORY } from '../../support/unit/fake-standing.ts';
import {
	NO_SUCH_USER,
	OK,
	addressOf,
	fakeRandomness,
	serverSaying,
} from '../../support/unit/mail-servers.ts';

const EGRESS = 'socks5://egress.test:1080';

async function examine(
	host: string,
	fate: Fate,
	memory: Partial<StandingMemory> = {},
): Promise<{ result: VerificationResult; dialled: readonly string[]; observed: [HostKey, Observation][] }> {
	const clock = fakeClock();
	const dialer = fakeDialer(clock, { '8.8.8.1': [fate] });
	const observed: [HostKey, Observation][] = [];
	const standing: StandingMemory = {
		...NO_MEMORY,
		observed: (key, observation) => observed.push([key, observation]),
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
			dialer,
			resolver,
			randomness: fakeRandomness(),
			standing,
			disposable: { has: () => Promise.resolve(false) },
		},
		{
			budgetMs: 15_000,
			addressPolicy: { kind: 'public_only', alsoAllowed: [] },
			thresholds: { validFrom: 88, invalidBelow: 45 },
		},
		addressOf('ada@x.test'),
	);
	return { result, dialled: dialer.dialled, observed };
}

describe('who blocked or slowed us lately is left alone', () => {
	test.each(['probe_blocked', 'rate_limited'] as const)(
		'%s: nobody is dialled, nor its backup',
		async (why) => {
			const { result, dialled } = await examine('mx.x.test', serverSaying(OK, OK), { paused: () => why });
			expect(dialled).toEqual([]);
			expect([result.status, result.details.sub_status]).toEqual(['unknown', why]);
		},
	);
});

describe('what a conversation showed is remembered', () => {
	const blocked = '550 5.7.1 blocked using zen.spamhaus.org';
	const refused: Observation = { kind: 'refused', why: 'probe_blocked', stage: 'rcpt', domain: 'x.test' };

	test.each<[string, string, Fate, [HostKey, Observation][]]>([
		[
			'a block, under the host and the egress',
			'mx.x.test',
			serverSaying(blocked, blocked),
			[[{ name: 'mx.x.test', egress: EGRESS, isShared: false }, refused]],
		],
		[
			'a block by a shared operator, under its name',
			'aspmx.l.google.com',
			serverSaying(blocked, blocked),
			[[{ name: 'google', egress: EGRESS, isShared: true }, refused]],
		],
		[
			'an answer about the mailbox: we are welcome',
			'mx.x.test',
			serverSaying(NO_SUCH_USER, NO_SUCH_USER),
			[[{ name: 'mx.x.test', egress: EGRESS, isShared: false }, { kind: 'served' }]],
		],
		['no connection shows nothing', 'mx.x.test', 'refused', []],
		['nor does silence', 'mx.x.test', ['> 220 mx', '< EHLO probe.us.test'], []],
	])('%s', async (_, host, fate, expected) => {
		expect((await examine(host, fate)).observed).toEqual(expected);
	});
});

describe('a domain that suddenly refuses everybody', () => {
	const doubtful: Partial<StandingMemory> = { answered: () => 'doubtful' };

	test('is not believed that a mailbox does not exist', async () => {
		const { result } = await examine('mx.x.test', serverSaying(NO_SUCH_USER, NO_SUCH_USER), doubtful);
		expect([result.status, result.details.sub_status]).toEqual(['unknown', 'unavailable_smtp']);
	});

	test('is believed when it accepts', async () => {
		const { result } = await examine('mx.x.test', serverSaying(OK, NO_SUCH_USER), doubtful);
		expect(result.status).toBe('deliverable');
	});
});
