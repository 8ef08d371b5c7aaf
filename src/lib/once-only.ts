/** Runs a piece of work once: the first caller starts it, all others share its outcome. */
export function onceOnly<T>(): (work: () => Promise<T>) => Promise<T> {
	let outcome: Promise<T> | null = null;
	return (work) => (outcome ??= work());
}
