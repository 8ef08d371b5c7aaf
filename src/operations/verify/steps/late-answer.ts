import type { Clock } from '../../../engine/ports.ts';
import type { AccountPort } from '../../accounts/object-port.ts';
import type { Digests } from '../../outcomes/port.ts';
import type { LateAnswer } from '../port.ts';

// The network work of a call takes 15 s at most, as a rule: a question that has no end by then died with its Worker.
const AT_WORK_MS = 20_000;
// An answer takes 30 s at most: so long is waited for the end of an earlier question, and there is time left to ask anew.
const WAIT_MAX_MS = 12_000;
const FIRST_PAUSE_MS = 100;
const PAUSE_MAX_MS = 1_000;

/** After how many seconds a question has ended that was begun at this time (epoch ms). */
export function secondsToEnd(begunAt: number, now: number): number {
	return Math.max(1, Math.ceil((begunAt + AT_WORK_MS - now) / 1000));
}

/** The end of an earlier question about the address; `too_early`: it goes on; null: there is none, so ask. */
export async function waitForLate(
	account: Pick<AccountPort, 'findLate'>,
	clock: Clock,
	about: {
		readonly digests: Digests;
		readonly late: LateAnswer;
		/** When the caller has to have an answer, epoch ms; null: it has time. */
		readonly deadline: number | null;
	},
): Promise<Extract<LateAnswer, { kind: 'answered' }> | 'too_early' | null> {
	const { digests, deadline } = about;
	let late: LateAnswer | null = about.late;
	const patience = Math.min(clock.now() + WAIT_MAX_MS, deadline ?? Infinity);
	for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, PAUSE_MAX_MS)) {
		if (late?.kind === 'answered') return late;
		const now = clock.now();
		if (late === null || now >= late.at + AT_WORK_MS) return null;
		if (now >= patience) return deadline === null ? null : 'too_early';
		await clock.sleep(Math.min(pause, patience - now));
		late = await account.findLate({ digests, now: clock.now() });
	}
}

/** The value, or null if it is not there by then (epoch ms; null: there is time). Late work goes on. */
export async function byThen<T>(clock: Clock, work: Promise<T>, deadline: number | null): Promise<T | null> {
	if (deadline === null) return work;
	const timer = new AbortController();
	const tooLate = clock.sleep(Math.max(0, deadline - clock.now()), timer.signal).then(() => null);
	try {
		return await Promise.race([work, tooLate]);
	} finally {
		timer.abort();
	}
}
