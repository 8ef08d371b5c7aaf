import { DAY_MS } from '../../lib/time.ts';
import { companyOf, OPERATORS } from '../mail-operators/operators.ts';
import type { OperatorName } from '../mail-operators/operators.ts';
import { budgetOf } from '../turns/budget.ts';

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

/** The provider whose addresses will be the last, and how many of them are answered a minute. */
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
		.map((lane) => ({ lane, at: endOf(lane, paceOf(lane, createdAt) ?? whole, createdAt) }))
		.filter((end): end is { lane: Lane; at: number } => end.at !== null)
		.toSorted((a, b) => b.at - a.at);
	const last = ends[0];
	if (last === undefined) return { at: lastDueAt, heldUpBy: null };
	return { at: Math.max(last.at, lastDueAt ?? 0), heldUpBy: heldUpBy(last.lane, createdAt) };
}

/**
 * When a running job will be done, seen from now. While no answer comes, the measured pace falls, so the end moves away
 * faster than the clock. Null: unknown.
 */
export function expectedEnd(
	job: {
		readonly estimatedCompletionAt: number | null;
		readonly updatedAt: number;
		readonly processed: number;
		readonly accepted: number;
	},
	now: number,
): number | null {
	const { estimatedCompletionAt: at, updatedAt, processed, accepted } = job;
	if (at === null) return null;
	const idleMs = Math.max(0, now - updatedAt - USUAL_PAUSE_MS);
	return at + (processed === 0 ? idleMs : Math.ceil((idleMs * accepted) / processed));
}

// Consumers store what was answered about every 15 seconds.
const USUAL_PAUSE_MS = 30_000;
// Minutes of a provider's budget after which the measured pace counts alone: the first minute may be used at once.
const TRUSTED_MINUTES = 3;

/**
 * Milliseconds per open row of one provider. At the beginning, and beyond what a day allows, its budget is the pace: the
 * first answers come faster than all others will.
 */
function paceOf(lane: Lane, createdAt: number): number | null {
	const measured = perRowOf(lane, createdAt);
	if (lane.operator === null || isNotAsked(lane.operator)) return measured;
	const { recipientsPerMinute, recipientsPerDay } = budgetOf(lane.operator);
	const budgeted = 60_000 / recipientsPerMinute;
	const isTrusted = measured !== null && lane.processed >= TRUSTED_MINUTES * recipientsPerMinute;
	const perRow = isTrusted ? measured : Math.max(measured ?? 0, budgeted);
	// More than one source address asks faster than one may, and has as many days' budgets.
	const aDay = recipientsPerDay * Math.max(1, Math.round(budgeted / perRow));
	return lane.processed + lane.open > aDay ? Math.max(perRow, DAY_MS / aDay) : perRow;
}

function endOf({ open, settledAt }: Lane, perRowMs: number | null, createdAt: number): number | null {
	return perRowMs === null ? null : Math.ceil((settledAt ?? createdAt) + open * perRowMs);
}

/** Milliseconds that a row took on average; null: none is final. */
function perRowOf({ processed, settledAt }: Lane, createdAt: number): number | null {
	return settledAt === null || processed === 0 ? null : Math.max(0, settledAt - createdAt) / processed;
}

function heldUpBy(lane: Lane, createdAt: number): HeldUpBy | null {
	const perRowMs = paceOf(lane, createdAt);
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

/**
 * The least minutes that addresses at large providers take: what these accept from one source address. The slowest
 * decides, and operators of one company share its budget.
 */
export function leastMinutesOf(atProviders: ReadonlyMap<OperatorName, number>): number {
	const companies = new Map<OperatorName, number>();
	for (const [operator, addresses] of atProviders) {
		if (isNotAsked(operator)) continue;
		const company = companyOf(operator);
		companies.set(company, (companies.get(company) ?? 0) + addresses);
	}
	const minutes = [...companies].map(([company, addresses]) => {
		const { recipientsPerMinute, recipientsPerDay } = budgetOf(company);
		const fullDays = Math.floor((addresses - 1) / recipientsPerDay);
		return Math.max(addresses / recipientsPerMinute, (fullDays * DAY_MS) / 60_000);
	});
	return Math.ceil(Math.max(0, ...minutes));
}

/** A list does not ask who accepts everything. */
export function isNotAsked(operator: OperatorName): boolean {
	return OPERATORS[operator].routeClass === 'blind';
}

/** We mail the owner when a list ends that was expected to take longer than this, unless they chose otherwise. */
export const LONG_MINUTES = 5;
