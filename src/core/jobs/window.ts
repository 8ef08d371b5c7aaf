import { isDone, isInFlight, nextSendAt, PARTS_IN_FLIGHT_MAX, resendPart } from './part.ts';
import type { Part, PartTiming } from './part.ts';

/**
 * Selects the messages of a job to send at `now`. Parts that wait for their turn are sent while there is room, the
 * longest wait first.
 *
 * @param driven all parts that keep the job going
 * @returns the parts as they are once their messages are sent, and when to look again (epoch ms; null: never)
 */
export function sendDue<P extends { readonly part: Part }>(
	driven: readonly P[],
	now: number,
	timing: PartTiming,
): { readonly sent: readonly P[]; readonly wakeAt: number | null } {
	const sent: P[] = [];
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
