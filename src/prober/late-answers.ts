import { ExpiringMap } from '../lib/expiring-map.ts';
import { MINUTE_MS } from '../lib/time.ts';
import type { Asked, Question } from '../wire/prober.ts';

const ANSWERS_MAX = 2_000;
const KEPT_MS = 10 * MINUTE_MS;
// A trouble that passes is soon worth another question.
const UNDECIDED_KEPT_MS = MINUTE_MS;
// The way back to the caller takes some of its time.
export const WAY_BACK_MS = 100;
// The Worker looks up what tells about a catch-all's domain before it answers; each look-up has five seconds.
const JUDGEMENT_MS = 5_000;

/**
 * Answers whose caller has left: `paysUntil` was over. The next question of the same account about the same address takes
 * such an answer, once, or waits for it while it is on its way, so that no host is asked twice.
 */
export function lateAnswers(now: () => number) {
	const answers = new ExpiringMap<Promise<Asked>>(ANSWERS_MAX);
	/** The answer that is kept or on its way; where there is none, the question is asked. */
	return async (question: Question, ask: () => Promise<Asked>): Promise<Asked> => {
		const { paysUntil = Infinity, explain, deadline } = question;
		const key = keyOf(question);
		const isLate = (answer: Asked): boolean => now() + untilToldMs(answer) > paysUntil;
		const kept = answers.get(key, now());
		if (kept !== undefined) {
			const answer = await kept;
			if (!isLate(answer)) answers.delete(key);
			// The first question has told its recipients. Perhaps it wanted no steps.
			if (explain !== true || answer.evidence.length > 0) return { ...answer, recipients: 0 };
		}
		const asking = ask();
		if (key === '' || paysUntil === Infinity) return asking;
		answers.set(key, asking, deadline + KEPT_MS);
		let keptMs = 0;
		try {
			const answer = await asking;
			// Callers who leave again and again do not keep it for longer than this one does.
			if (isLate(answer)) keptMs = keptMsOf(answer);
			return answer;
		} finally {
			answers.set(key, asking, now() + keptMs);
		}
	};
}

/** The account and the address of a single question; empty: its answer is never kept. */
function keyOf({ asker, class: urgency, targets: [target = '', ...others] }: Question): string {
	return asker !== null && urgency === 'single' && others.length === 0 ? `${asker} ${target}` : '';
}

function keptMsOf({ answers: [answer] }: Asked): number {
	if (answer?.kind !== 'heard') return 0;
	return answer.interpretation.target.kind === 'unknown' ? UNDECIDED_KEPT_MS : KEPT_MS;
}

/** How long the caller of an answer still waits for what we make of it. */
function untilToldMs({ answers: [answer] }: Asked): number {
	const isCatchAll = answer?.kind === 'heard' && answer.interpretation.invented === 'accepted';
	return isCatchAll ? WAY_BACK_MS + JUDGEMENT_MS : WAY_BACK_MS;
}
