import { PARTS_IN_FLIGHT_MAX, isDone, isInFlight, nextSendAt, resendPart } from '../../../core/jobs/part.ts';
import type { PartTiming } from '../../../core/jobs/part.ts';
import type { StoredPart } from './storage.ts';

/** The parts of a job whose messages are due at `now`, as they are once sent, and when to look at the job next. */
export function sendDueParts(
	driven: readonly StoredPart[],
	now: number,
	timing: PartTiming,
): { readonly sent: readonly StoredPart[]; readonly wakeAt: number | null } {
	const sent: StoredPart[] = [];
	let wakeAt = Infinity;
	let room = PARTS_IN_FLIGHT_MAX - driven.filter(({ part }) => isInFlight(part)).length;
	for (const stored of driven.toSorted((a, b) => a.part.sendAt - b.part.sendAt)) {
		const waits = !isInFlight(stored.part) && !isDone(stored.part);
		// It is sent when a part in flight ends, which sets the alarm itself.
		if (waits && room <= 0 && stored.part.sendAt <= now) continue;
		const part = resendPart(stored.part, now, timing);
		if (part !== null) {
			if (waits) room -= 1;
			sent.push({ ...stored, part });
		}
		wakeAt = Math.min(wakeAt, nextSendAt(part ?? stored.part));
	}
	return { sent, wakeAt: wakeAt === Infinity ? null : wakeAt };
}
