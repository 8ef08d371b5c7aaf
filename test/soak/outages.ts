/** A process was dead, or its service not yet back. */
export interface Outage {
	readonly who: string;
	readonly from: number;
	/** Infinity while it lasts. */
	until: number;
}

// What was asked of the dead is asked again, or given up, within this time: an answer takes at most 30 s.
const AFTERMATH_MS = 30_000;

/** Whether a request of this time met an outage, or began before its consequences were over. */
export function isExcused(
	outages: readonly Outage[],
	{ begun, ended }: { begun: number; ended: number },
): boolean {
	return outages.some(({ from, until }) => begun <= until + AFTERMATH_MS && ended >= from);
}
