import type { AccountPort } from '../../src/operations/accounts/port.ts';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { VerifyPartServices } from '../../src/operations/jobs/verify-part.ts';
import { callsOf, everyDeath, survive } from '../support/deaths.ts';
import type { Life } from '../support/deaths.ts';
import { jobWorld, mortal } from '../support/job-world.ts';
import type { JobWorld } from '../support/job-world.ts';
import { withMethods } from '../support/wrap.ts';

// A part whose last address is waited for stores what the others were told meanwhile. Whatever dies around that, every
// address ends once in the results and once in the ledger.

const EMAILS = Array.from({ length: 9 }, (_, n) => `user${n}@d${n}.test`);
const SLOW = EMAILS[4] ?? '';
const STORE_EVERY_MS = 15_000;

// What fails on purpose is logged.
beforeEach(() => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
});

const makeWorld = (): Promise<JobWorld> =>
	jobWorld(100, (email, nth) => (email === EMAILS[2] && nth === 1 ? 'greylisted' : 'accepted_email'));

/** The same services, for whom one address takes until the others are stored and settled. */
function waiting(services: VerifyPartServices): { services: VerifyPartServices; stored: Promise<void> } {
	const { promise: stored, resolve } = Promise.withResolvers<void>();
	const accounts = (id: string): ReturnType<VerifyPartServices['accounts']> => {
		const account = services.accounts(id);
		const settlePart: AccountPort['settlePart'] = async (request) => {
			const settled = await account.settlePart(request);
			if (request.holder !== undefined) resolve();
			return settled;
		};
		return withMethods(account, { settlePart });
	};
	return {
		stored,
		services: {
			...services,
			accounts,
			// Only what is waited for between two stores ends: a lease is never renewed.
			clock: {
				...services.clock,
				sleep: (ms) => new Promise((wake) => (ms === STORE_EVERY_MS ? setTimeout(wake, 0) : undefined)),
			},
			examineAddresses: async (addresses, manner) => {
				if (addresses[0]?.email === SLOW) await stored;
				return services.examineAddresses(addresses, manner);
			},
		},
	};
}

const LIFE = {
	begin: async () => {
		const world = await makeWorld();
		return { world, ...(await world.submit(EMAILS)) };
	},
	live: ({ world }, services) => world.drain(waiting(services).services),
	again: async ({ jobId }) => jobId,
	emails: EMAILS,
	isEnd: (found, about) => expect(new Set(found), about).toEqual(new Set(['accepted_email'])),
} satisfies Life<{ world: JobWorld; jobId: string }>;

describe('what a part stores meanwhile', () => {
	test('is shown and charged before the part is done, and nobody is asked twice for it', async () => {
		const world = await makeWorld();
		const { jobId } = await world.submit(EMAILS);
		const slow = waiting(world.healthy);
		const draining = world.drain(slow.services);
		await slow.stored;
		expect(await world.account.findJob(jobId)).toMatchObject({
			status: 'processing',
			processed: 7,
			creditsUsed: 7,
			creditsReserved: 2,
			waiting: 0,
		});
		await draining;
		await world.finish(jobId);
		await world.expectExact(jobId, EMAILS);
		expect(EMAILS.map((email) => world.asked.get(`${email} never`))).toEqual([1, 1, 2, 1, 1, 1, 1, 1, 1]);
	});

	test('is neither lost nor counted twice, wherever its process dies', async () => {
		const calls = await callsOf(LIFE);
		const stores = calls.filter((call) => call === 'putAttempt' || call === 'settlePart');
		expect(stores).toEqual(['putAttempt', 'settlePart', 'putAttempt', 'settlePart']);
		for (const death of everyDeath(calls, calls.indexOf('putAttempt') - 2)) await survive(LIFE, death, false);
	});

	test('by a consumer that was overtaken is left to the one that overtook him', async () => {
		const world = await makeWorld();
		const { jobId } = await world.submit(EMAILS);
		let overtaken = false;
		const slow = mortal(world, null, async (call) => {
			if (slow.calls[call - 1] !== 'putAttempt' || overtaken) return;
			overtaken = true;
			// His lease ends, and another consumer does all of the work.
			world.clock.now += 60_000;
			await world.advance();
			await world.drain();
		});
		await world.drain(waiting(slow.services).services);
		expect(overtaken).toBe(true);
		await world.finish(jobId);
		await world.expectExact(jobId, EMAILS);
	});
});
