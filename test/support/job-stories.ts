import { expect, inject } from 'vitest';
import type { AccountPort } from '../../src/operations/accounts/port.ts';
import { finishJob } from '../../src/operations/jobs/manage-job.ts';
import type { JobRecord } from '../../src/operations/jobs/port.ts';
import type { VerifyPartServices } from '../../src/operations/jobs/verify-part.ts';
import { jobWorld, mortal, statusesOf } from './job-world.ts';
import type { Fault, Job, JobWorld, MailWorld } from './job-world.ts';
import { withMethods } from './wrap.ts';

// Jobs of every kind as their owners have them: a list and its servers, how the work begins and goes on, what it comes to.
// A process lives once for each moment at which it can die, and each time the job comes to its exact end.

export const CREDITS = 100;
const STORE_EVERY_MS = 15_000;

export interface Begun {
	readonly world: JobWorld;
	/** The job that there is already; empty: none. */
	readonly jobId: string;
}

export interface Story {
	/** The rows of the results. */
	readonly emails: readonly string[];
	readonly mail: MailWorld;
	/** Makes the world that the process begins in. */
	readonly begin: (mail?: MailWorld) => Promise<Begun>;
	/** All that the process does. */
	readonly live: (begun: Begun, services: VerifyPartServices) => Promise<unknown>;
	/** The client acts after the death. Says which job it is about. */
	readonly again: (begun: Begun, fault: Fault) => Promise<string>;
	readonly isEnd: (subStatuses: readonly string[], about: string) => void;
	/** Calls to the outside that are among those of its life. */
	readonly steps: readonly string[];
	/** The deaths that it has to survive, of the calls of its life. */
	readonly deaths: (calls: readonly string[]) => readonly Moment[];
}

/** Ten addresses at each domain. */
const at = (...domains: string[]): string[] =>
	domains.flatMap((domain) => Array.from({ length: 10 }, (_, n) => `user${n}@${domain}`));

/** The record of a job. */
export async function recordOf({ account }: JobWorld, jobId: string): Promise<JobRecord> {
	const job = await account.findJob(jobId);
	if (job === null) throw new Error('the job is there');
	return job;
}

const isExactly = (expected: readonly string[]) => (found: readonly string[], about: string) =>
	expect(found, about).toEqual(expected);

// Three domains of ten addresses are three parts: one that is done at once, one that has to be asked twice.
const LISTED = at('calm.test', 'greylisting.test', 'mixed.test');
const MIXED = ['accepted_email', 'rejected_email', 'mailbox_full', 'catch_all', 'timeout'] as const;
const listMail: MailWorld = (email, nth) => {
	if (email.endsWith('@greylisting.test')) return nth === 1 ? 'greylisted' : 'accepted_email';
	return email.endsWith('@mixed.test') ? MIXED[Number(email[4]) % 5]! : 'accepted_email';
};

/** Three domains of ten addresses, verified. */
export const LIST = {
	emails: LISTED,
	mail: listMail,
	begin: async (mail = listMail) => ({ world: await jobWorld(CREDITS, mail), jobId: '' }),
	live: ({ world }, services) => liveOut(world, services, world.submit(LISTED, services)),
	// With the same key.
	again: async ({ world }) => (await world.submit(LISTED)).jobId,
	isEnd: (found, about) => isExactly(statusesOf(LIST_FOUND))(statusesOf(found), about),
	steps:
		'findAnswer putInput openJob claimPart readAttempt readPart findOutcomes examineAddresses putAttempt settlePart findJob attemptsOf putPage putSummary completeJob'.split(
			' ',
		),
	deaths: (calls) => deathsIn(calls, true),
} satisfies Story;
/** The answers to its addresses after two attempts. */
export const LIST_FOUND = LISTED.map((email) => listMail(email, 2, false));

const VERDICTS = ['catch_all_valid', 'catch_all_invalid', 'catch_all_unresolved'] as const;
const RESCUED = at('wide.test', 'open.test', 'plain.test');
const rescueMail: MailWorld = (email, nth, deep) => {
	// Greylisting answers before anybody knows that the domain takes everybody.
	if (email.startsWith('user9') && nth === 1) return 'greylisted';
	if (email.endsWith('@plain.test')) return 'accepted_email';
	return deep ? VERDICTS[Number(email[4]) % 3]! : 'catch_all';
};
const rescue = ({ world }: Begun, services = world.healthy) =>
	world.submit(RESCUED, services, 'rescue', true);

/** A list that resolves its catch-all addresses itself: rows with a score, charged by their verdict. */
export const RESCUE = {
	emails: RESCUED,
	mail: rescueMail,
	begin: async (mail = rescueMail) => ({ world: await jobWorld(CREDITS, mail), jobId: '' }),
	live: (begun, services) => liveOut(begun.world, services, rescue(begun, services)),
	again: async (begun) => (await rescue(begun)).jobId,
	isEnd: isExactly(RESCUED.map((email) => rescueMail(email, 2, true))),
	steps: ['readSummary'],
	deaths: (calls) => deathsIn(calls),
} satisfies Story;

const SCORED = at('first.test', 'second.test');
const SOURCE = [...SCORED.slice(0, 5), 'ada@plain.test', ...SCORED.slice(5), 'bob@plain.test'];
const taskMail: MailWorld = (email, nth, deep) => {
	if (email.endsWith('@plain.test')) return 'accepted_email';
	if (!deep) return 'catch_all';
	if (email === 'user9@second.test' && nth === 1) return 'greylisted';
	return VERDICTS[Number(email[4]) % 3]!;
};

/** A catch-all task over a list that has ended: a copy of its rows, and a key of its own. */
export const TASK = {
	emails: SCORED,
	mail: taskMail,
	begin: async (mail = taskMail) => {
		const world = await jobWorld(CREDITS, mail);
		const { jobId } = await world.submit(SOURCE);
		await world.finish(jobId);
		return { world, jobId };
	},
	live: ({ world, jobId }, services) => liveOut(world, services, world.submitTask(jobId, services)),
	again: async ({ world, jobId }) => (await world.submitTask(jobId)).jobId,
	isEnd: isExactly(SCORED.map((email) => taskMail(email, 2, true))),
	steps: ['findAnswer'],
	deaths: (calls) => deathsIn(calls),
} satisfies Story;

/** Has a job ended early, as its owner does. */
export const end = async (world: JobWorld, jobId: string, services = world.healthy): Promise<JobRecord> =>
	finishJob(services, world, { job: await recordOf(world, jobId) });

/** A list of which one part is answered, one deferred and one not asked when its owner ends it. */
export const FINISHED = {
	emails: LISTED,
	mail: listMail,
	begin: async (mail = listMail) => {
		const world = await jobWorld(CREDITS, mail);
		const { jobId } = await world.submit(LISTED);
		await world.drain(world.healthy, (all) => all.slice(0, 2));
		const half = { processed: 10, waiting: 10, creditsReserved: 20 };
		expect(await recordOf(world, jobId)).toMatchObject(half);
		return { world, jobId };
	},
	live: ({ world, jobId }, services) => end(world, jobId, services),
	again: async ({ world, jobId }, { call, when }) => {
		// A request that never came to its account left the job running: its owner asks again.
		if (call === 1 && when === 'before') await end(world, jobId);
		return jobId;
	},
	isEnd: isExactly([...LIST_FOUND.slice(0, 10), ...Array.from({ length: 20 }, () => 'not_asked')]),
	steps: 'finishJob findJob attemptsOf readPart readAttempt putPage putSummary completeJob'.split(' '),
	deaths: everyDeath,
} satisfies Story;

const SLOWLY = Array.from({ length: 9 }, (_, n) => `user${n}@d${n}.test`);
const slowMail: MailWorld = (email, nth) =>
	email === SLOWLY[2] && nth === 1 ? 'greylisted' : 'accepted_email';

/** The same services, for whom one address takes until the others are stored and settled. */
export function waiting(services: VerifyPartServices): {
	services: VerifyPartServices;
	stored: Promise<void>;
} {
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
				if (addresses[0]?.email === SLOWLY[4]) await stored;
				return services.examineAddresses(addresses, manner);
			},
		},
	};
}

/** A part that stores what it knows while it waits for its last address. */
export const MEANWHILE = {
	emails: SLOWLY,
	mail: slowMail,
	begin: async (mail = slowMail) => {
		const world = await jobWorld(CREDITS, mail);
		return { world, ...(await world.submit(SLOWLY)) };
	},
	live: ({ world }, services) => world.drain(waiting(services).services),
	again: async ({ jobId }) => jobId,
	isEnd: isExactly(SLOWLY.map(() => 'accepted_email')),
	steps: ['putAttempt', 'settlePart', 'putAttempt', 'settlePart'],
	deaths: (calls) => everyDeath(calls, calls.indexOf('putAttempt') - 2),
} satisfies Story;

const WAYS = ['before', 'after'] as const;
type Moment = Fault & { readonly step: string };

/** A death before and one after each of these calls. Only the long tests try both, the others take turns. */
function deathsAt(calls: readonly string[], nths: readonly number[]): readonly Moment[] {
	return nths.flatMap((nth, turn) =>
		WAYS.filter((_, way) => inject('isLong') || way === turn % 2).map((when) => ({
			call: nth + 1,
			when,
			step: calls[nth] ?? '',
		})),
	);
}

/** Deaths at each call, from the nth on. */
function everyDeath(calls: readonly string[], from = 0): readonly Moment[] {
	return deathsAt(calls, [...calls.keys()].slice(from));
}

/** Deaths on the first occasion of each kind of call, and on its last one. The long tests try the second one too. */
function deathsIn(calls: readonly string[], triesLast = inject('isLong')): readonly Moment[] {
	const nths = [...calls.keys()].filter((nth) => {
		const same = [...calls.keys()].filter((other) => calls[other] === calls[nth]);
		return same.indexOf(nth) < (inject('isLong') ? 2 : 1) || (triesLast && same.at(-1) === nth);
	});
	return deathsAt(calls, nths);
}

/** Works on a job until it is completed. */
async function liveOut(
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
export async function callsOf(story: Story): Promise<readonly string[]> {
	const begun = await story.begin();
	const { services, calls } = mortal(begun.world, null);
	await story.live(begun, services);
	return calls;
}

/** Lives to that moment, and has others bring the job to its end. A queue delivers a dead consumer's messages, or loses all. */
export async function survive(story: Story, { step, ...fault }: Moment, losesQueue: boolean): Promise<void> {
	const about = `dies ${fault.when} call ${fault.call}, ${step}; the queue is ${losesQueue ? 'lost' : 'kept'}`;
	const begun = await story.begin();
	const process = mortal(begun.world, fault);
	await story.live(begun, process.services).catch(() => {});
	expect(process.died(), about).toBe(true);
	if (losesQueue) begun.world.loseQueue();
	const jobId = await story.again(begun, fault);
	await begun.world.finish(jobId);
	story.isEnd(await begun.world.expectExact(jobId, story.emails), about);
}
