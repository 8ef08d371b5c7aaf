import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ProberMemory } from './memory.ts';
import type { Turns } from './turns/turns.ts';

type Group = ReturnType<Turns['overview']>[number];
type Figures = readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

/** The counters of a prober. Labels are operators, source addresses and words of ours: nothing of anybody's address. */
export class ProberMetrics {
	readonly registry = new Registry();
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
		registers: [this.registry],
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
	readonly running = new Gauge({
		name: 'mailsonar_prober_questions_running',
		help: 'Questions under way',
		registers: [this.registry],
	});

	/** Figures that are read when they are asked for. */
	watch(memory: ProberMemory, turns: Turns): void {
		const gauge = (name: string, help: string, labels: readonly string[], read: () => Figures): void => {
			const collect = function (this: Gauge): void {
				this.reset();
				for (const [labelled, value] of read()) this.inc(labelled, value);
			};
			const full = {
				name: `mailsonar_prober_${name}`,
				help,
				labelNames: [...labels],
				registers: [],
				collect,
			};
			this.registry.registerMetric(new Gauge(full));
		};
		const single = (name: string, help: string, read: () => number): void =>
			gauge(name, help, [], () => [[{}, read()]]);
		single('connections', 'Connections to mail hosts, open or being opened', () => turns.open);
		single('waiting', 'Conversations that wait for a connection', () => turns.waiting);
		single('state_fails', 'Nothing is remembered across a restart: 1', () => Number(memory.isFailing));
		single('state_set_aside', 'What was remembered was found damaged at the start, and set aside: 1', () =>
			Number(memory.setAsideAt !== null),
		);
		// Unknown hosts are too many to count one by one.
		const labelsOf = ({ operator, egress }: Group) => ({ operator: operator ?? 'other', egress });
		const each = (name: string, help: string, read: (group: Group) => number): void =>
			gauge(name, help, ['operator', 'egress'], () =>
				turns.overview().map((group) => [labelsOf(group), read(group)]),
			);
		each(
			'backlog',
			'Conversations that wait for a connection or the budget, by operator and source address',
			(group) => group.backlog,
		);
		const maybeAsked = 'Recipients that the operators asked of late may still be asked about';
		each('budget_left_minute', `${maybeAsked} this minute`, (group) => group.leftThisMinute);
		each('budget_left_day', `${maybeAsked} today`, (group) => group.leftToday);
		gauge(
			'budget_used_day',
			'Recipients asked about today, by operator and who asked: visitors, trials or accounts; unpaid: for nothing',
			['operator', 'egress', 'asker'],
			() =>
				turns
					.overview()
					.flatMap((group) =>
						Object.entries(group.usedToday).map(
							([asker, used]) => [{ ...labelsOf(group), asker }, used] as const,
						),
					),
		);
	}

	#counter(name: string, labelNames: string[], help: string): Counter {
		return new Counter({ name: `mailsonar_prober_${name}`, help, labelNames, registers: [this.registry] });
	}
}
