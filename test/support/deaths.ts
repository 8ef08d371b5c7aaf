import { expect, inject } from 'vitest';
import type { VerifyPartServices } from '../../src/operations/jobs/verify-part.ts';
import { mortal } from './job-world.ts';
import type { Fault, Job, JobWorld } from './job-world.ts';

// A process lives once for each moment at which it can die, and each time the job comes to its exact end.

const WAYS = ['before', 'after'] as const;
type Moment = Fault & { readonly step: string };

export interface Life<Begun extends { readonly world: JobWorld }> {
	/** Makes the world that the process begins in. */
	readonly begin: () => Promise<Begun>;
	/** All that the process does. */
	readonly live: (begun: Begun, services: VerifyPartServices) => Promise<unknown>;
	/** The client acts after the death. Says which job it is about. */
	readonly again: (begun: Begun, fault: Fault) => Promise<string>;
	readonly emails: readonly string[];
	readonly isEnd: (subStatuses: readonly string[], about: string) => void;
}

/** Each call's two deaths, from the nth call on. */
export const everyDeath = (calls: readonly string[], from = 0): readonly Moment[] =>
	[...calls.keys()]
		.slice(from)
		.flatMap((at) => WAYS.map((when) => ({ call: at + 1, when, step: calls[at] ?? '' })));

/**
 * The deaths that a life of these calls has to survive: on the first occasions of each kind of call and on its last one,
 * before and after it. Only the long tests try both; the others take turns.
 */
export function deathsIn(calls: readonly string[], occasions = 1): readonly Moment[] {
	const moments = [...calls.keys()].filter((at) => {
		const same = [...calls.keys()].filter((other) => calls[other] === calls[at]);
		return same.indexOf(at) < occasions || same.at(-1) === at;
	});
	return moments.flatMap((at, nth) =>
		WAYS.filter((_, way) => inject('isLong') || way === nth % 2).map((when) => ({
			call: at + 1,
			when,
			step: calls[at] ?? '',
		})),
	);
}

/** Works on a job until it is completed. */
export async function liveOut(
	world: JobWorld,
	services: VerifyPartServices,
	submitted: Promise<Job>,
): Promise<void> {
	const { jobId } = await submitted;
	for (let round = 0; round < 10; round += 1) {
		await world.drain(services);
		if ((await world.account.findJob(jobId))?.status === 'completed') return;
		await world.advance();
	}
	throw new Error('a healthy job ends within ten rounds');
}

/** The calls of a life that does not die, in order. */
export async function callsOf<Begun extends { readonly world: JobWorld }>(
	life: Life<Begun>,
): Promise<readonly string[]> {
	const begun = await life.begin();
	const { services, calls } = mortal(begun.world, null);
	await life.live(begun, services);
	return calls;
}

/** Lives to that moment, and has others bring the job to its end. A queue delivers a dead consumer's messages, or loses all. */
export async function survive<Begun extends { readonly world: JobWorld }>(
	life: Life<Begun>,
	{ step, ...fault }: Moment,
	losesQueue = true,
): Promise<void> {
	const about = `dies ${fault.when} call ${fault.call}, ${step}; the queue is ${losesQueue ? 'lost' : 'kept'}`;
	const begun = await life.begin();
	const process = mortal(begun.world, fault);
	await life.live(begun, process.services).catch(() => {});
	expect(process.died(), about).toBe(true);
	if (losesQueue) begun.world.loseQueue();
	const jobId = await life.again(begun, fault);
	await begun.world.finish(jobId);
	life.isEnd(await begun.world.expectExact(jobId, life.emails), about);
}
