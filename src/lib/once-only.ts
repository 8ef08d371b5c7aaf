/** A place for one piece of work: the first who asks has it done, all others share its outcome. */
export function onceOnly<T>(): (work: () => Promise<T>) => Promise<T> {
	let outcome: Promise<T> | null = null;
	return (work) => (outcome ??= work());
}
