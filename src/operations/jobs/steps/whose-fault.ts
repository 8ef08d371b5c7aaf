import type { TurnOutcome } from '../../../core/jobs/part-rows.ts';
import { partyNameOf } from '../../../core/outages/parties.ts';
import { PUT_OFF_MAX_MS, SUSPECTED_MAX_MS } from '../../../core/jobs/schedule.ts';
import { RESOLVER } from '../../../engine/ports.ts';
import type { ExaminePartServices, Found } from './examine-part.ts';

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
