/**
 * The loggable part of an error: its name and where it came from. Its message may hold an address, a key or SQL with
 * parameters, so it is left out.
 */
export function describeError(error: unknown): {
	readonly error: string;
	readonly frames: readonly string[];
} {
	if (!(error instanceof Error)) return { error: typeof error, frames: [] };
	const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
	return { error: error.name, frames: frames.slice(0, 12).map((line) => line.trim()) };
}

/** Writes one structured line for the operator. Never pass an address, a key or another secret. */
export function log(event: string, fields: Readonly<Record<string, unknown>>): void {
	// oxlint-disable-next-line no-console -- the one place that writes to the Worker's log
	console.error(JSON.stringify({ event, ...fields }));
}
