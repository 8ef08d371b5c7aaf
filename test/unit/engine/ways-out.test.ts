import { describe, expect, test } from 'vitest';
import type { Contact } from '../../../src/core/outages/history.ts';
import { examineAddress } from '../../../src/engine/examine-address.ts';
import { RESOLVER } from '../../../src/engine/ports.ts';
import type { WaysOut } from '../../../src/engine/ports.ts';
import { IsolateWaysOut } from '../../../src/storage/memory.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeDialer } from '../../support/unit/fake-dialer.ts';
import type { Fate } from '../../support/unit/fake-dialer.ts';
import { fakeLookups } from '../../support/unit/fake-lookups.ts';
import { fakeResolver, PUBLIC_ONLY } from '../../support/unit/fake-resolver.ts';
import type { Zone } from '../../support/unit/fake-resolver.ts';
import { fakeProber } from '../../support/unit/fake-prober.ts';
import { NO_DOUBT } from '../../support/unit/no-doubt.ts';
import {
	NO_SUCH_USER,
	OK,
	addressOf,
	fakeRandomness,
	serverSaying,
} from '../../support/unit/mail-servers.ts';

const EGRESS = 'socks5://egress.test:1080';
const LIVING = { 'x.test': { mx: ['10 mx.x.test'] }, 'mx.x.test': { a: ['8.8.8.1', '8.8.8.2'] } };

/** A single call, while the ways out look like this. */
async function examine(
	zones: Readonly<Record<string, Zone>>,
	servers: Readonly<Record<string, readonly Fate[]>>,
	waysOut: WaysOut,
	clock = fakeClock(),
): Promise<string> {
	const { result } = await examineAddress(
		{
			...fakeLookups(),
			clock,
			resolver: fakeResolver(zones),
			prober: fakeProber({ clock, dialer: fakeDialer(clock, servers) }),
			randomness: fakeRandomness(),
			domainMemory: NO_DOUBT,
			addressPolicy: PUBLIC_ONLY,
			waysOut,
		},
		{ budgetMs: 15_000 },
		addressOf('ada@x.test'),
		'acc_1',
	);
	return result.details.sub_status;
}

describe('what is told of a way out', () => {
	/** What a call tells, with the names of those at the other end. */
	async function toldBy(servers: Readonly<Record<string, readonly Fate[]>>): Promise<unknown[]> {
		const told: unknown[] = [];
		const waysOut: WaysOut = {
			tried: (way, { parties, isGiant, worked, unexplained }) =>
				void told.push([way, parties, isGiant, worked, unexplained ?? false]),
			blame: () => 'theirs',
			workedAround: () => false,
			mayRecover: () => false,
		};
		await examine(LIVING, servers, waysOut);
		return told;
	}

	test('is each connection to a mail server, and that it leads there', async () => {
		expect(await toldBy({ '8.8.8.1': [serverSaying(OK, NO_SUCH_USER)] })).toEqual([
			[EGRESS, ['x.test', '8.8.8.1'], false, true, false],
		]);
	});

	test('is each that fails, and whether it was said why', async () => {
		expect(await toldBy({ '8.8.8.1': ['egress_cannot_reach'], '8.8.8.2': ['refused'] })).toEqual([
			[EGRESS, ['x.test', '8.8.8.1'], false, false, true],
			[EGRESS, ['x.test', '8.8.8.2'], false, false, false],
		]);
	});
});

describe('a single call about a server or a name that cannot be reached', () => {
	const dead = { '8.8.8.1': ['refused'], '8.8.8.2': ['refused'] } as const;
	const silent = { 'x.test': { mx: 'timeout' as const } };

	/** Others were not reached by this way, so many giants among them, up to the moment of the call. */
	function after(
		way: string,
		count: number,
		giants: number,
	): { waysOut: WaysOut; clock: ReturnType<typeof fakeClock> } {
		const clock = fakeClock();
		const waysOut = new IsolateWaysOut();
		const now = clock.now();
		for (let n = 0; n < count; n += 1) {
			const parties = [`other${n}.test`];
			const contact: Contact = { parties, isGiant: n < giants, begun: now, at: now, worked: false };
			waysOut.tried(way, contact);
		}
		return { waysOut, clock };
	}

	test.each([
		['alone', 0, 0],
		['among others that are not reached, of whom no giant is one', 20, 0],
		['among too few to be sure', 4, 4],
	])('%s is answered unknown', async (_, count, giants) => {
		const egress = after(EGRESS, count, giants);
		expect(await examine(LIVING, dead, egress.waysOut, egress.clock)).toBe('no_connect');
		const resolver = after(RESOLVER, count, giants);
		expect(await examine(silent, {}, resolver.waysOut, resolver.clock)).toBe('dns_error');
	});

	test('while not even giants are reached is answered 503: it is our outage', async () => {
		const egress = after(EGRESS, 6, 3);
		await expect(examine(LIVING, dead, egress.waysOut, egress.clock)).rejects.toMatchObject({
			code: 'upstream_unavailable',
		});
		const resolver = after(RESOLVER, 6, 3);
		await expect(examine(silent, {}, resolver.waysOut, resolver.clock)).rejects.toMatchObject({
			code: 'upstream_unavailable',
		});
	});

	test('is answered as ever where it is another way out that is out', async () => {
		const { waysOut, clock } = after(RESOLVER, 6, 3);
		expect(await examine(LIVING, dead, waysOut, clock)).toBe('no_connect');
	});

	test('and one that is reached, is answered whatever befell others', async () => {
		const { waysOut, clock } = after(EGRESS, 20, 20);
		const servers = { '8.8.8.1': [serverSaying(OK, NO_SUCH_USER)] };
		expect(await examine(LIVING, servers, waysOut, clock)).toBe('accepted_email');
	});
});
