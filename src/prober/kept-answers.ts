import { ExpiringMap } from '../lib/expiring-map.ts';
import { MINUTE_MS } from '../lib/time.ts';
import type { Asked, Question } from '../wire/prober.ts';

const ANSWERS_MAX = 2_000;
const KEPT_MS = 10 * MINUTE_MS;
// A trouble that passes is soon worth another question.
const UNDECIDED_KEPT_MS = MINUTE_MS;
// The way back to the caller takes some of its time.
const WAY_BACK_MS = 100;
// The Worker looks up what tells about a catch-all's domain before it answers; each look-up has five seconds.
const JUDGEMENT_MS = 5_000;

/**
 * Answers whose caller has left: `paysUntil` was over. The next question of the same account about the same address takes
 * such an answer, once, or waits for it while it is on its way, so that no host is asked twice.
 */
export class KeptAnswers {
	readonly #kept = new ExpiringMap<Promise<Asked>>(ANSWERS_MAX);
	readonly #now: () => number;

	constructor(now: () => number) {
		this.#now = now;
	}

	/** The answer to a question, which is asked unless an answer is kept or on its way. */
	async answer(question: Question, ask: () => Promise<Asked>): Promise<Asked> {
		const { asker, targets, paysUntil = Infinity, deadline, explain = false } = question;
		const [target = ''] = targets;
		if (asker === null || question.class !== 'single' || targets.length > 1) return ask();
		const key = `${asker} ${target}`;
		const kept = this.#kept.get(key, this.#now());
		const asking = kept ?? ask();
		if (kept === undefined && paysUntil !== Infinity) this.#kept.set(key, asking, deadline + KEPT_MS);
		const isOurs = (): boolean => this.#kept.get(key, this.#now()) === asking;
		let answer: Asked;
		try {
			answer = await asking;
		} catch (error) {
			if (isOurs()) this.#kept.delete(key);
			throw error;
		}
		const isLate = this.#now() + untilToldMs(answer) > paysUntil;
		if (isOurs() && !isLate) this.#kept.delete(key);
		// Callers who leave again and again do not keep it for longer than the first one did.
		else if (isOurs() && kept === undefined) this.#kept.set(key, asking, this.#now() + keptMs(answer));
		if (kept === undefined) return answer;
		// The first question wanted no steps.
		if (explain && answer.evidence.length === 0) return ask();
		// The first question has told its recipients.
		return { ...answer, recipients: 0 };
	}
}

function keptMs({ answers: [answer] }: Asked): number {
	if (answer?.kind !== 'heard') return 0;
	return answer.interpretation.target.kind === 'unknown' ? UNDECIDED_KEPT_MS : KEPT_MS;
}

/** How long the caller of an answer still waits for what we make of it. */
function untilToldMs({ answers: [answer] }: Asked): number {
	const isCatchAll = answer?.kind === 'heard' && answer.interpretation.invented === 'accepted';
	return isCatchAll ? WAY_BACK_MS + JUDGEMENT_MS : WAY_BACK_MS;
}
