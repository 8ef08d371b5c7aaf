import { PARTS_IN_FLIGHT_MAX, isInFlight, isStuck, nextSendAt } from '../../../core/jobs/part.ts';
import type { PartView } from '../../../operations/jobs/port.ts';
import type { StoredPart } from './rows.ts';

/** The parts that drive a job, as operators see them. */
export function viewParts(driven: readonly StoredPart[], now: number): readonly PartView[] {
	const inFlight = driven.filter(({ part }) => isInFlight(part)).length;
	return driven.map(({ n, part }) => ({
		part: n,
		addresses: part.count,
		open: part.tally.deferred,
		attempts: part.attempts,
		claims: part.claims,
		sends: part.sends,
		dueAt: part.dueAt,
		nextMessageAt: nextSendAt(part),
		leaseUntil: part.lease?.until ?? null,
		postponedSince: part.postponedSince,
		stuck: isStuck(part, now) && (isInFlight(part) || inFlight < PARTS_IN_FLIGHT_MAX),
	}));
}
