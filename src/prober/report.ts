import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { isOperator } from '../core/mail-operators/operators.ts';
import { readName } from '../core/turns/names.ts';
import { pausedBecause } from '../core/turns/pause.ts';
import type { Standing } from '../core/turns/pause.ts';
import { OPERATORS_MAX, PAUSED_MAX } from '../wire/prober-state.ts';
import type { WireOperator, WireState } from '../wire/prober-state.ts';
import type { ProberMemory } from './memory.ts';
import type { Turns } from './turns/turns.ts';

/**
 * How each source address stands to each operator that was asked of late, what is left of the budget, and who waits: first
 * those for whom most wait, then the operators that we know.
 */
export function stateOfOperators(
	gates: ReturnType<Turns['overview']>['gates'],
	memory: Pick<ProberMemory, 'standing'>,
	now: number,
): WireOperator[] {
	const isUnknown = ({ party }: (typeof gates)[number]): number => (isOperator(party) ? 0 : 1);
	return gates
		.toSorted((a, b) => b.backlog - a.backlog || isUnknown(a) - isUnknown(b))
		.slice(0, OPERATORS_MAX)
		.map(({ name, party, ...figures }) => ({
			...figures,
			operator: party,
			standing: standingOf(memory.standing(name), now),
		}));
}

function standingOf(standing: Standing, now: number): WireOperator['standing'] {
	const { pause, factor, struckAt, listedSince } = standing;
	const refused = listedSince === null ? 'paused' : 'quarantined';
	const welcome = factor < 1 ? 'slowed' : 'good';
	return {
		kind: pause === null ? welcome : now < pause.until ? refused : 'trying',
		share: factor,
		refusals: struckAt === null ? 0 : 1,
		until: pause?.until ?? null,
		listedSince,
	};
}

/** The parties that are left alone at `now`, of the standings by name: first those that every asker waits for, then the longest pauses. */
export function pausedParties(
	standings: readonly { readonly name: string; readonly standing: Standing }[],
	now: number,
): WireState['paused'] {
	return standings
		.flatMap(({ name, standing }) => {
			const pause = pausedBecause(standing, now);
			const of = readName(name);
			return pause === null || of === null ? [] : [{ ...of, ...pause }];
		})
		.toSorted((a, b) => Number(a.only !== null) - Number(b.only !== null) || b.until - a.until)
		.slice(0, PAUSED_MAX);
}

const PREFIX = 'mailsonar_prober_';
const MAY_BE_ASKED = 'Recipients that the operators asked of late may still be asked about';

/** The counters of a prober. Labels are operators, source addresses and words of ours: nothing of anybody's address. */
export class ProberMetrics {
	readonly #registry = new Registry();
	readonly questions = this.#counter(
		'questions_total',
		['class', 'outcome'],
		'Questions answered, by class and how they ended',
	);
	readonly questionSeconds = new Histogram({
		name: 'mailsonar_prober_question_seconds',
		help: 'Time from a question to its answer',
		labelNames: ['class'],
		buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 20],
		registers: [this.#registry],
	});
	readonly conversations = this.#counter(
		'conversations_total',
		['egress', 'end'],
		'SMTP conversations held, by source address and end',
	);
	readonly refusals = this.#counter(
		'refusals_total',
		['operator', 'egress', 'why'],
		'Conversations in which a mail host refused or limited us, by host or operator and source address',
	);
	readonly postponed = this.#counter(
		'postponed_total',
		['class'],
		'Addresses that were told when to come back, because our capacity for their mail host was used up',
	);
	readonly unauthorized = this.#counter('unauthorized_total', [], 'Requests without a valid token');

	/** The counters, and the figures of a state, in the text that Prometheus reads. */
	async about(state: WireState): Promise<{ readonly contentType: string; readonly text: string }> {
		const { running, connections, waiting, stateFails, stateSetAsideAt, operators } = state;
		this.#gauge('questions_running', 'Questions under way').set(running);
		this.#gauge('connections', 'Connections to mail hosts, open or being opened').set(connections);
		this.#gauge('waiting', 'Conversations that wait for a connection').set(waiting);
		this.#gauge('state_fails', 'Nothing is remembered across a restart: 1').set(Number(stateFails));
		const setAside = 'What was remembered was found damaged at the start, and set aside: 1';
		this.#gauge('state_set_aside', setAside).set(Number(stateSetAsideAt !== null));
		const [backlog, leftMinute, leftDay, usedDay] = [
			this.#gauge(
				'backlog',
				'Conversations that wait for a connection or the budget, by operator and source address',
			),
			this.#gauge('budget_left_minute', `${MAY_BE_ASKED} this minute`),
			this.#gauge('budget_left_day', `${MAY_BE_ASKED} today`),
			this.#gauge(
				'budget_used_day',
				'Recipients asked about today, by operator and who asked: visitors, trials or accounts; unpaid: for nothing',
			),
		];
		for (const one of operators) {
			// Unknown hosts are too many to count one by one.
			const labels = { operator: isOperator(one.operator) ? one.operator : 'other', egress: one.egress };
			backlog.inc(labels, one.backlog);
			leftMinute.inc(labels, one.leftThisMinute);
			leftDay.inc(labels, one.leftToday);
			for (const [asker, used] of Object.entries(one.usedToday)) usedDay.inc({ ...labels, asker }, used);
		}
		return { contentType: this.#registry.contentType, text: await this.#registry.metrics() };
	}

	/** A gauge that nothing was counted in so far. */
	#gauge(name: string, help: string): Gauge {
		this.#registry.removeSingleMetric(PREFIX + name);
		const labelNames = ['operator', 'egress', 'asker'];
		return new Gauge({ name: PREFIX + name, help, labelNames, registers: [this.#registry] });
	}

	#counter(name: string, labelNames: string[], help: string): Counter {
		return new Counter({ name: PREFIX + name, help, labelNames, registers: [this.#registry] });
	}
}
