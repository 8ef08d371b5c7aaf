import type { OperatorName } from '../mail-operators/operators.ts';
import { publicMailOf } from '../mail-operators/public-mail.ts';
import { budgetOf } from '../politeness/budgets.ts';

/** The parts of a running job that wait for one provider (`operator`), or for none in particular (null). */
export interface Lane {
	readonly operator: OperatorName | null;
	/** Rows that are final, and rows that are not. */
	readonly processed: number;
	readonly open: number;
	/** When the last row became final, epoch ms; null: none has. */
	readonly settledAt: number | null;
}

/** The progress of a running job. Epoch milliseconds. */
interface Progress {
	readonly createdAt: number;
	readonly lanes: readonly Lane[];
	/** When the last of the deferred rows is due; null: none is deferred. */
	readonly lastDueAt: number | null;
}

/** The provider whose addresses will be the last, and how many of them it has answered per minute so far. */
export interface HeldUpBy {
	readonly operator: OperatorName;
	readonly open: number;
	readonly perMinute: number;
}

interface Forecast {
	/** When the job will be done, epoch ms; null: nothing is known yet. */
	readonly at: number | null;
	/** Null: no single provider. */
	readonly heldUpBy: HeldUpBy | null;
}

/**
 * Estimates when a running job will be done. Each provider goes at its own pace (its budget with us, or its slowness),
 * so the slowest decides; but not before the last deferred row is due. A row that waits for our own capacity is due
 * when the prober expects to have some.
 */
export function forecast({ createdAt, lanes, lastDueAt }: Progress): Forecast {
	const whole = perRowOf(lanes.reduce(together, NO_LANE), createdAt);
	const ends = lanes
		.filter(({ open }) => open > 0)
		.map((lane) => ({ lane, at: endOf(lane, perRowOf(lane, createdAt) ?? whole, createdAt) }))
		.filter((end): end is { lane: Lane; at: number } => end.at !== null)
		.toSorted((a, b) => b.at - a.at);
	const last = ends[0];
	if (last === undefined) return { at: lastDueAt, heldUpBy: null };
	return { at: Math.max(last.at, lastDueAt ?? 0), heldUpBy: heldUpBy(last.lane, createdAt) };
}

function endOf({ open, settledAt }: Lane, perRowMs: number | null, createdAt: number): number | null {
	return perRowMs === null ? null : Math.ceil((settledAt ?? createdAt) + open * perRowMs);
}

/** Milliseconds that a row took on average; null: none is final. */
function perRowOf({ processed, settledAt }: Lane, createdAt: number): number | null {
	return settledAt === null || processed === 0 ? null : Math.max(0, settledAt - createdAt) / processed;
}

function heldUpBy(lane: Lane, createdAt: number): HeldUpBy | null {
	const perRowMs = perRowOf(lane, createdAt);
	if (lane.operator === null || perRowMs === null || perRowMs === 0) return null;
	const perMinute = Math.floor(60_000 / perRowMs);
	return perMinute === 0 ? null : { operator: lane.operator, open: lane.open, perMinute };
}

// A task without addresses has no parts, so no lanes.
const NO_LANE: Lane = { operator: null, processed: 0, open: 0, settledAt: null };

function together(a: Lane, b: Lane): Lane {
	return {
		operator: null,
		processed: a.processed + b.processed,
		open: a.open + b.open,
		settledAt: a.settledAt === null ? b.settledAt : Math.max(a.settledAt, b.settledAt ?? 0),
	};
}

/** We mail the owner when a list ends that was expected to take longer than this, unless they chose otherwise. */
export const LONG_MS = 5 * 60_000;

/**
 * Estimates before its start how long a list will take, from the rate that each large provider accepts from one
 * source address. Large providers decide; a list without their addresses takes minutes.
 */
export class ExpectedTime {
	readonly #counts = new Map<OperatorName, number>();

	add(domain: string): void {
		const operator = publicMailOf(domain);
		if (operator !== null) this.#counts.set(operator, (this.#counts.get(operator) ?? 0) + 1);
	}

	/** The least time, in milliseconds. */
	result(): number {
		const minutes = [...this.#counts].map(
			([operator, count]) => count / budgetOf(operator).recipientsPerMinute,
		);
		return Math.ceil(Math.max(0, ...minutes) * 60_000);
	}
}
