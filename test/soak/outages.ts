/** A process was dead, or its service not yet back. */
export interface Outage {
	readonly who: string;
	readonly from: number;
	/** Infinity while it lasts. */
	until: number;
}

// Connections are made anew, and a prober that was silent is asked again.
const AFTERMATH_MS = 15_000;

/** Whether a request of this time met an outage, or began before its consequences were over. */
export function isExcused(
	outages: readonly Outage[],
	{ begun, ended }: { begun: number; ended: number },
): boolean {
	return outages.some(({ from, until }) => begun <= until + AFTERMATH_MS && ended >= from);
}
