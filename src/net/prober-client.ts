import { EgressHealth } from '../core/egress/egress-health.ts';
import type { Prober } from '../core/egress/probers.ts';
import { orderByRendezvous } from '../core/egress/rendezvous.ts';
import { ServiceError } from '../errors.ts';
import type { Clock } from '../engine/ports.ts';
import { log } from '../lib/log.ts';
import { answer, PROBER_PATH, refusal } from '../wire/prober.ts';
import type { Answer, Question, Refusal } from '../wire/prober.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

// The head of the response comes at once from a prober that works: more than this is none.
const SILENCE_MS = 3_000;
// What the answer may take on its way beside the time that the work has.
const TRANSIT_MS = 2_000;

/** Thrown within: this prober can't answer, another may. */
class Unanswered extends Error {
	readonly why: Refusal['error'] | 'silent' | 'unreachable' | 'nonsense';

	constructor(why: Unanswered['why']) {
		super(why);
		this.why = why;
	}
}

/** Puts questions to probers: to the one that the key belongs to, and to the next where that one can't answer. */
export class ProberClient {
	readonly #probers: readonly Prober[];
	readonly #clock: Clock;
	readonly #fetch: Fetch;
	readonly #health: EgressHealth<Prober>;

	constructor(probers: readonly Prober[], clock: Clock, fetch: Fetch) {
		this.#probers = probers;
		this.#clock = clock;
		this.#fetch = fetch;
		this.#health = new EgressHealth<Prober>(clock);
	}

	/**
	 * Asks. Throws `ServiceError`: `upstream_unavailable` where no prober is configured or none can answer,
	 * `upstream_nonsense` where one speaks another language than ours.
	 *
	 * @param key whose prober is asked first: the domain, or the mailbox where an operator is spread over all
	 */
	async ask(question: Question, key: string): Promise<Answer> {
		if (this.#probers.length === 0)
			throw new ServiceError('upstream_unavailable', 'PROBERS is not configured');
		const until = this.#clock.now() + question.budgetMs;
		let sawNonsense = false;
		for (const prober of this.#health.prefer(orderByRendezvous(this.#probers, key))) {
			const budgetMs = Math.max(0, until - this.#clock.now());
			try {
				const said = await this.#askOne(prober, { ...question, budgetMs });
				this.#health.worked(prober);
				return said;
			} catch (error) {
				if (!(error instanceof Unanswered)) throw error;
				log('prober_failed', { prober: prober.label, why: error.why });
				this.#health.failed(prober);
				sawNonsense ||= error.why === 'nonsense' || error.why === 'nonsense_way_out';
			}
		}
		if (sawNonsense)
			throw new ServiceError('upstream_nonsense', 'The outgoing mail prober answered nonsense');
		throw new ServiceError('upstream_unavailable', 'No outgoing connection for mail is available');
	}

	async #askOne({ url, token }: Prober, question: Question): Promise<Answer> {
		const abort = new AbortController();
		const silence = new AbortController();
		const deaf = this.#clock.sleep(SILENCE_MS, silence.signal).then(() => {
			if (!silence.signal.aborted) abort.abort(new Unanswered('silent'));
		});
		const patience = new AbortController();
		const late = this.#clock.sleep(question.budgetMs + TRANSIT_MS, patience.signal).then(() => {
			if (!patience.signal.aborted) abort.abort(new Unanswered('silent'));
		});
		try {
			const response = await this.#fetch(`${url}${PROBER_PATH}`, {
				method: 'POST',
				headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
				body: JSON.stringify(question),
				signal: abort.signal,
				redirect: 'manual',
			});
			silence.abort();
			const said: unknown = await response.json();
			const refused = refusal.safeParse(said);
			if (refused.success) throw new Unanswered(refused.data.error);
			const answered = answer.safeParse(said);
			if (!answered.success || answered.data.results.length !== question.targets.length)
				throw new Unanswered('nonsense');
			return answered.data;
		} catch (error) {
			if (error instanceof Unanswered) throw error;
			if (abort.signal.aborted) throw new Unanswered('silent');
			throw new Unanswered(error instanceof SyntaxError ? 'nonsense' : 'unreachable');
		} finally {
			silence.abort();
			patience.abort();
			await Promise.all([deaf, late]);
		}
	}
}
