import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ShareKind } from '../core/turns/who.ts';

/** The counters of a prober. Labels are operators, source addresses and words of ours: nothing of anybody's address. */
export class ProberMetrics {
	readonly registry = new Registry();
	readonly questions = new Counter({
		name: 'mailsonar_prober_questions_total',
		help: 'Questions answered, by class and how they ended',
		labelNames: ['class', 'outcome'],
		registers: [this.registry],
	});
	readonly questionSeconds = new Histogram({
		name: 'mailsonar_prober_question_seconds',
		help: 'Time from a question to its answer',
		labelNames: ['class'],
		buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 20],
		registers: [this.registry],
	});
	readonly conversations = new Counter({
		name: 'mailsonar_prober_conversations_total',
		help: 'SMTP conversations held, by source address and end',
		labelNames: ['egress', 'end'],
		registers: [this.registry],
	});
	readonly refusals = new Counter({
		name: 'mailsonar_prober_refusals_total',
		help: 'Conversations in which a mail host refused or limited us, by host or operator and source address',
		labelNames: ['operator', 'egress', 'why'],
		registers: [this.registry],
	});
	readonly postponed = new Counter({
		name: 'mailsonar_prober_postponed_total',
		help: 'Addresses that were told when to come back, because our capacity for their mail host was used up',
		labelNames: ['class'],
		registers: [this.registry],
	});
	readonly unauthorized = new Counter({
		name: 'mailsonar_prober_unauthorized_total',
		help: 'Requests without a valid token',
		registers: [this.registry],
	});
	readonly running = new Gauge({
		name: 'mailsonar_prober_questions_running',
		help: 'Questions under way',
		registers: [this.registry],
	});

	/** Figures that are read when they are asked for. */
	watch({ connections, waiting, stateFails, stateSetAside, groups }: Watched): void {
		const gauge = (name: string, help: string, read: () => number): void => {
			const collect = function (this: Gauge): void {
				this.set(read());
			};
			this.registry.registerMetric(new Gauge({ name, help, registers: [], collect }));
		};
		gauge('mailsonar_prober_connections', 'Connections to mail hosts, open or being opened', connections);
		gauge('mailsonar_prober_waiting', 'Conversations that wait for a connection', waiting);
		gauge('mailsonar_prober_state_fails', 'Nothing is remembered across a restart: 1', () =>
			Number(stateFails()),
		);
		gauge(
			'mailsonar_prober_state_set_aside',
			'What was remembered was found damaged at the start, and set aside: 1',
			() => Number(stateSetAside()),
		);
		const perOperator = (name: string, help: string, read: (group: WatchedGroup) => number): void => {
			const collect = function (this: Gauge): void {
				this.reset();
				// Unknown hosts are too many to count one by one.
				for (const group of groups())
					this.inc({ operator: group.operator ?? 'other', egress: group.egress }, read(group));
			};
			const labelNames = ['operator', 'egress'];
			this.registry.registerMetric(new Gauge({ name, help, labelNames, registers: [], collect }));
		};
		perOperator(
			'mailsonar_prober_backlog',
			'Conversations that wait for a connection or the budget, by operator and source address',
			(group) => group.backlog,
		);
		perOperator(
			'mailsonar_prober_budget_left_minute',
			'Recipients that the operators asked of late may still be asked about this minute',
			(group) => group.leftThisMinute,
		);
		perOperator(
			'mailsonar_prober_budget_left_day',
			'Recipients that the operators asked of late may still be asked about today',
			(group) => group.leftToday,
		);
		const collect = function (this: Gauge): void {
			this.reset();
			for (const { operator, egress, usedToday } of groups())
				for (const [asker, used] of Object.entries(usedToday))
					this.inc({ operator: operator ?? 'other', egress, asker }, used);
		};
		const labelNames = ['operator', 'egress', 'asker'];
		const name = 'mailsonar_prober_budget_used_day';
		const help =
			'Recipients asked about today, by operator and who asked: visitors, trials or accounts; unpaid: for nothing';
		this.registry.registerMetric(new Gauge({ name, help, labelNames, registers: [], collect }));
	}
}

interface WatchedGroup {
	readonly operator: string | null;
	readonly egress: string;
	readonly backlog: number;
	readonly leftThisMinute: number;
	readonly leftToday: number;
	readonly usedToday: Readonly<Record<ShareKind, number>>;
}

interface Watched {
	readonly connections: () => number;
	readonly waiting: () => number;
	readonly stateFails: () => boolean;
	readonly stateSetAside: () => boolean;
	readonly groups: () => readonly WatchedGroup[];
}
