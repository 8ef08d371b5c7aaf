import type { VerificationResult } from '../verification/render.ts';

/**
 * All metrics. Each is a row of Analytics Engine, whose columns have numbers and no names. The metric's name is the
 * index; blobs and doubles stand in the order given here. So new columns go at the end, and the name of a removed
 * metric is not used again.
 */
export const METRICS = {
	/** Addresses with a final answer. `operator`: see `operatorOf`; `stage`: where it was decided; `count`: addresses. */
	outcome: { blobs: ['operator', 'subStatus', 'stage', 'class'], doubles: ['count'] },
	/** Answers that were not the last: which addresses we ask about again, and why. */
	deferral: { blobs: ['operator', 'subStatus', 'kind'], doubles: ['count'] },
	/** A part's message reached a consumer. `ms`: since it was sent; `deliveries`: 1 unless it was delivered before. */
	queue_age: { blobs: ['queue'], doubles: ['ms', 'deliveries'] },
	/** `ms`: from the oldest answer that was not charged yet to its settlement. */
	settle_lag: { blobs: ['class'], doubles: ['ms'] },
	/** A prober refused a question. */
	prober_refusal: { blobs: ['prober', 'why'], doubles: ['count'] },
	/** The state of each prober, which reports it every ten minutes. */
	prober_state: { blobs: ['prober', 'state'], doubles: ['connections', 'waiting', 'pauses'] },
	/** A mail operator that refused source addresses of a prober at that moment. `count`: source addresses. */
	operator_pause: { blobs: ['prober', 'operator', 'why'], doubles: ['count'] },
	/**
	 * A request to the API. `route`: its pattern. `ms`: until the head of the response. The other times: how long at
	 * least one DNS query, request to a prober or call of an account's object was in progress.
	 */
	request: {
		blobs: ['route', 'method', 'status'],
		doubles: ['count', 'ms', 'dnsMs', 'proberMs', 'accountMs'],
	},
	/** Mails that the platform accepted (`sent`) or refused (`not_sent`, with its `code`). */
	mail: { blobs: ['outcome', 'code'], doubles: ['count'] },
	/** Lines in the log of level `error` or `warn`. */
	log_line: { blobs: ['event', 'level'], doubles: ['count'] },
} as const satisfies Readonly<
	Record<string, { readonly blobs: readonly string[]; readonly doubles: readonly string[] }>
>;

export type MetricName = keyof typeof METRICS;

/** The values of one point, by the names of their columns. */
export type PointOf<M extends MetricName> = Readonly<
	Record<(typeof METRICS)[M]['blobs'][number], string> &
		Record<(typeof METRICS)[M]['doubles'][number], number>
>;

export interface DataPoint {
	readonly indexes: [string];
	readonly blobs: string[];
	readonly doubles: number[];
}

// Words of our own tables, labels of our probers, and patterns of routes. Anything else could be a customer's data.
const WORD = /^[\w.:[\]/*-]{1,64}$/;

/** The most points that Analytics Engine accepts from one invocation of the Worker. */
export const POINTS_MAX = 250;
/**
 * The most points of one metric. A prober that refuses every question of a part then leaves room for the part's
 * outcomes.
 */
export const OF_ONE_METRIC_MAX = 200;

/** The point with its values in their columns. A blob that is not a word becomes `other`, no number 0. */
export function dataPoint<M extends MetricName>(metric: M, point: PointOf<M>): DataPoint {
	const { blobs, doubles } = METRICS[metric];
	const values = point as Readonly<Record<string, string | number>>;
	return {
		indexes: [metric],
		blobs: blobs.map((name) => {
			const word = String(values[name]);
			return WORD.test(word) ? word : 'other';
		}),
		doubles: doubles.map((name) => {
			const number = Number(values[name]);
			return Number.isFinite(number) ? number : 0;
		}),
	};
}

/** The column that holds a value of a metric: `blob1`, `double2`. */
export function columnOf<M extends MetricName>(metric: M, name: keyof PointOf<M> & string): string {
	const { blobs, doubles } = METRICS[metric];
	const blob = (blobs as readonly string[]).indexOf(name);
	return blob >= 0 ? `blob${blob + 1}` : `double${(doubles as readonly string[]).indexOf(name) + 1}`;
}

export class Counter {
	readonly #counts = new Map<string, number>();

	add(key: string, by = 1): void {
		this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
	}

	/** The largest counts. If there are more than `most`, the smallest ones are added up as `rest`. */
	largest(most: number, rest: string): readonly (readonly [key: string, count: number])[] {
		const sorted = [...this.#counts].toSorted(([, a], [, b]) => b - a);
		if (sorted.length <= most) return sorted;
		const kept = sorted.slice(0, most - 1);
		const others = sorted.slice(most - 1).reduce((sum, [, count]) => sum + count, 0);
		return [...kept, [rest, others]];
	}
}

/**
 * The operator's word in metrics: the gateway's if there is one, `other` for an unknown operator, `none` without
 * mail.
 */
export function operatorOf(server: VerificationResult['details']['mail_server']): string {
	const isNone = server.mx_record === null && server.implicit_mx === null;
	return server.gateway ?? server.smtp_provider ?? (isNone ? 'none' : 'other');
}

/** Receives points. It neither throws nor waits: points that can't be written are lost, and counted. */
export interface Metrics {
	note<M extends MetricName>(metric: M, point: PointOf<M>): void;
}

/** Measures nothing: answers to test keys are made up. */
export const SILENT: Metrics = { note: () => {} };
