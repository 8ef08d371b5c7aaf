/** A step's answer, and when the alarm has to ring because of it; null: no change. */
export interface Step<T> {
	readonly answer: T;
	readonly wakeAt: number | null;
}

/** A step that changes nothing. */
export function unchanged<T>(answer: T): Step<T> {
	return { answer, wakeAt: null };
}
