import { Counter, operatorOf } from '../../../core/metrics/metrics.ts';
import type { Metrics } from '../../../core/metrics/metrics.ts';
import type { TurnOutcome } from '../../../core/jobs/part-rows.ts';
import { isDeferred } from '../../../core/jobs/stored-row.ts';
import type { FinalRow, PartRow } from '../../../core/jobs/stored-row.ts';
import { partyNameOf } from '../../../core/outages/parties.ts';
import { PUT_OFF_MAX_MS, SUSPECTED_MAX_MS } from '../../../core/jobs/schedule.ts';
import { RESOLVER } from '../../../engine/ports.ts';
import type { ExaminePartServices, Found } from './examine-part.ts';

// An invocation may write so many points, `POINTS_MAX`, and each costs. Ten parts share one at a developer's machine.
const OUTCOMES_MAX = 12;
const DEFERRALS_MAX = 6;

/** Measures a consumer's work on a part. It gathers, since a part has more addresses than points. */
export class PartMeter {
	readonly #metrics: Metrics;
	readonly #class: string;
	readonly #final = new Set<number>();
	readonly #outcomes = new Counter();
	readonly #deferrals = new Counter();
	#lagMs: number | null = null;

	constructor(metrics: Metrics, of: string) {
		this.#metrics = metrics;
		this.#class = of;
	}

	/** The rows of the attempt before: what is final there was counted then. */
	begin(stored: Iterable<PartRow>): void {
		for (const row of stored) if (!isDeferred(row)) this.#final.add(row[0]);
	}

	/** An address had an answer that is not its last one, or none. */
	heard(outcome: TurnOutcome): void {
		if (outcome.kind === 'final' || outcome.kind === 'not_reached') return;
		const operator = outcome.row === null ? 'none' : operatorOfRow(outcome.row);
		this.#deferrals.add([operator, outcome.row?.[2] ?? 'none', outcome.kind].join(' '));
	}

	/** The rows are settled at `now`. A row counts once, and so does the time that its answer waited. */
	settled(rows: readonly PartRow[], now: number): void {
		for (const row of rows) {
			if (isDeferred(row) || this.#final.has(row[0])) continue;
			this.#final.add(row[0]);
			this.#outcomes.add([operatorOfRow(row), row[2], row[3]].join(' '));
			this.#lagMs = Math.max(this.#lagMs ?? 0, now - row[13]);
		}
	}

	/** Notes what was gathered. */
	end(): void {
		for (const [key, count] of this.#outcomes.largest(OUTCOMES_MAX, 'other other other')) {
			const [operator = '', subStatus = '', stage = ''] = key.split(' ');
			this.#metrics.note('outcome', { operator, subStatus, stage, class: this.#class, count });
		}
		for (const [key, count] of this.#deferrals.largest(DEFERRALS_MAX, 'other other other')) {
			const [operator = '', subStatus = '', kind = ''] = key.split(' ');
			this.#metrics.note('deferral', { operator, subStatus, kind, count });
		}
		if (this.#lagMs !== null) this.#metrics.note('settle_lag', { class: this.#class, ms: this.#lagMs });
	}
}

function operatorOfRow(row: FinalRow): string {
	const [, , , , , , , mxRecord, implicitMx, smtpProvider, gateway] = row;
	return operatorOf({ mxRecord, implicitMx, smtpProvider, gateway });
}

// The outcomes of other contacts, which show an outage, arrive a little later.
const LOOKED_AT_AFTER_MS = 10_000;

// Name servers that fail (SERVFAIL) may work again after a list's first pause. Resolvers may repeat the answer for longer,
// five minutes at most (RFC 2308 §7.1), but most such names stay broken, and nearly every list has one to wait for.
const SERVERS_FAIL_AGAIN_MAX = 1;

type Unreached = Extract<Found, { kind: 'unreached' }>;

/** The outcome to record for an address. Null: it is too early to say whose fault it was. */
export function outcomeOf(
	{ waysOut }: Pick<ExaminePartServices, 'waysOut'>,
	found: Found,
	{ now, isOver }: { readonly now: number; readonly isOver: boolean },
): TurnOutcome | null {
	switch (found.kind) {
		case 'answered':
			return found.again === 'no'
				? { kind: 'final', row: found.row }
				: { kind: 'again', row: found.row, afterMs: found.again.afterMs };
		case 'postponed':
			return { kind: 'postponed', until: found.until, row: found.row };
		case 'broken':
			return { kind: 'again', row: null, afterMs: null };
		case 'fault':
			return { kind: 'put_off', mostMs: PUT_OFF_MAX_MS, row: null };
		case 'unreached':
			if (!isOver && now - found.failure.at < LOOKED_AT_AFTER_MS) return null;
			return ofUnreached({ waysOut }, found);
	}
}

function ofUnreached({ waysOut }: Pick<ExaminePartServices, 'waysOut'>, found: Unreached): TurnOutcome {
	const { row, failure } = found;
	switch (waysOut.blame(failure)) {
		case 'ours':
			return { kind: 'put_off', mostMs: PUT_OFF_MAX_MS, row: null };
		case 'perhaps_ours':
			return { kind: 'put_off', mostMs: SUSPECTED_MAX_MS, row };
		case 'theirs':
			if (found.resolverSaid === 'servers_fail')
				return { kind: 'again', row, afterMs: null, atMost: SERVERS_FAIL_AGAIN_MAX };
			return mayRecover({ waysOut }, found) ? { kind: 'again', row, afterMs: null } : { kind: 'final', row };
	}
}

/** Dead servers stay dead. But one that answered a moment ago may recover, and so may one that failed unexplained. */
function mayRecover({ waysOut }: Pick<ExaminePartServices, 'waysOut'>, found: Unreached): boolean {
	const { row, failure, resolverSaid } = found;
	if (failure.way === RESOLVER) return resolverSaid === 'unreadable' && !waysOut.workedAround(failure);
	const [, , , , , , , mxRecord, implicitMx] = row;
	const host = mxRecord ?? implicitMx;
	return host !== null && waysOut.mayRecover(failure, partyNameOf(host, mxRecord === null));
}
