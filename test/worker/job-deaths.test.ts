import { describe, expect, inject, test } from 'vitest';
import { jobWorld, mortal } from '../support/job-world.ts';
import {
	FINISHED,
	LIST,
	MEANWHILE,
	RESCUE,
	TASK,
	callsOf,
	end,
	survive,
	waiting,
} from '../support/job-stories.ts';
import { failsOnPurpose } from '../support/on-purpose.ts';

// Whoever dies or is overtaken, and whenever: every address ends exactly once in the results, and the ledger says what the
// results say.

failsOnPurpose();

test.each([
	['a list, from the request to the last acknowledgement', LIST, [false, true]],
	['a list that resolves its catch-all addresses', RESCUE, [true]],
	['a catch-all task', TASK, [true]],
	['a list that its owner ends early', FINISHED, [true]],
	['a part that stores some answers while it waits for others', MEANWHILE, [false]],
] as const)(
	'%s, loses and repeats nothing where a process dies between any two steps',
	async (_, story, queues) => {
		const calls = await callsOf(story);
		expect(calls).toEqual(expect.arrayContaining([...story.steps]));
		for (const [nth, death] of story.deaths(calls).entries())
			for (const losesQueue of queues)
				if (queues.length === 1 || inject('isLong') || losesQueue === ((nth >> 1) % 2 === 1))
					await survive(story, death, losesQueue);
	},
);

describe('a consumer that is overtaken', () => {
	test('by one that heard other replies: what is stored is charged, wherever it was', async () => {
		const life = await callsOf(LIST);
		const emails = LIST.emails.slice(0, 10);
		// From the claim of the first part to its settlement.
		const claimed = life.indexOf('claimPart') + 1;
		const settled = life.indexOf('settlePart') + 1;
		for (let at = claimed + 1; at <= settled; at += 1) {
			let isSlow = true;
			const torn = await jobWorld(100, (_, nth) =>
				isSlow && nth === 1 ? 'rejected_email' : nth % 2 === 0 ? 'accepted_email' : 'timeout',
			);
			const { jobId } = await torn.submit(emails);
			let overtaken = false;
			const slow = mortal(torn, null, async (call) => {
				// The request made no calls of this process, so its claim is call 1.
				if (call !== at - claimed + 1 || overtaken) return;
				overtaken = true;
				isSlow = false;
				// Its lease ends, and another consumer does all of the work.
				torn.clock.now += 60_000;
				torn.duplicate();
				await torn.advance();
				await torn.drain();
			});
			await torn.drain(slow.services);
			expect(overtaken, `overtaken at ${life[at - 1]}`).toBe(true);
			await torn.finish(jobId);
			await torn.expectExact(jobId, emails);
		}
	});

	test('while it stores what it knows leaves the part to the one that overtook it', async () => {
		const { world, jobId } = await MEANWHILE.begin();
		let overtaken = false;
		const slow = mortal(world, null, async (call) => {
			if (slow.calls[call - 1] !== 'putAttempt' || overtaken) return;
			overtaken = true;
			world.clock.now += 60_000;
			await world.advance();
			await world.drain();
		});
		await world.drain(waiting(slow.services).services);
		expect(overtaken).toBe(true);
		await world.finish(jobId);
		await world.expectExact(jobId, MEANWHILE.emails);
	});

	// The moments at which it still has a part in hand.
	test.each(['readPart', 'examineAddresses', 'putAttempt', 'settlePart'])(
		'by the owner, who ends the job at its %s: what it brings later is not taken',
		async (step) => {
			const { world, jobId } = await FINISHED.begin();
			world.clock.now += 10_000;
			await world.advance();
			let isEnded = false;
			const { services } = mortal(world, null, async (_, name) => {
				if (isEnded || name !== step) return;
				isEnded = true;
				await end(world, jobId);
			});
			await world.drain(services);
			expect(isEnded).toBe(true);
			const found = await world.expectExact(jobId, FINISHED.emails);
			expect(found.slice(0, 10)).toEqual(FINISHED.emails.slice(0, 10).map(() => 'accepted_email'));
			expect(found.filter((subStatus) => subStatus === 'not_asked').length).toBeGreaterThanOrEqual(10);
			expect(world.queued()).toEqual([]);
		},
	);
});
