import type { PartQueue } from '../../../core/jobs/kinds/kinds.ts';

/** A step's answer, and when the alarm has to ring because of it; null: no change. */
export interface Step<T> {
	readonly answer: T;
	readonly wakeAt: number | null;
}

/** What the alarm has to do outside of the object. Each item is planned again before it is tried, in case it fails. */
export interface Round {
	readonly parts: readonly { readonly queue: PartQueue; readonly jobId: string; readonly part: number }[];
	/** Jobs whose blobs are to be deleted. */
	readonly expired: readonly string[];
}

/** The step of a call that has the alarm ring no earlier. */
export function unchanged<T>(answer: T): Step<T> {
	return { answer, wakeAt: null };
}
