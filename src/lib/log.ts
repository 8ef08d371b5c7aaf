import { visible } from './visible.ts';

/**
 * The loggable part of an error: its name and where it came from. Its message may hold an address, a key or SQL with
 * parameters, so it is left out.
 */
export function describeError(error: unknown): {
	readonly error: string;
	readonly frames: readonly string[];
} {
	if (!(error instanceof Error)) return { error: typeof error, frames: [] };
	const frames = stackBelow(error.message, error.stack ?? '')
		.split('\n')
		.filter((line) => /^\s+at /.test(line));
	return { error: error.name, frames: frames.slice(0, 12).map((line) => line.trim()) };
}

/** The stack after the message, whose own lines may look like frames; nothing where the message can't be found. */
function stackBelow(message: string, stack: string): string {
	const at = stack.indexOf(message);
	return at < 0 ? '' : stack.slice(at + message.length);
}

/** What a line says besides its name and level, whose places no field may take. */
type LogFields = Readonly<Record<string, unknown>> & { readonly event?: never; readonly level?: never };

/**
 * The level of a line. `error`: a caller was refused, or an operator has to look. `warn`: the code tries again or goes on
 * without. `info`: it went well.
 */
export type LogLevel = 'error' | 'warn' | 'info';

/**
 * Writes one structured line for the operator, for what happens a few times a day: see `logSampled` for what happens with
 * every request. Never pass an address, a key or another secret. `docs/runbook.md` explains every event.
 */
export function log(event: string, fields: LogFields, level: LogLevel = 'error'): void {
	// oxlint-disable-next-line no-console -- the one place that writes to the Worker's log
	console[level](visible(JSON.stringify({ event, level, ...fields })));
	if (level !== 'info') follower(event, level);
}

let follower: (event: string, level: 'error' | 'warn') => void = () => {};

/** Counts errors and warnings elsewhere, too. */
export function followLog(count: typeof follower): void {
	follower = count;
}

/** The share of successes that are logged: a line costs $0.60 a million, several times a verification in a list. */
export const SAMPLED_SHARE = 0.01;

/**
 * Writes a line about what went well, for a share of the calls, which the line names.
 *
 * @param random uniform in [0, 1)
 */
export function logSampled(event: string, fields: LogFields, random: () => number): void {
	if (random() < SAMPLED_SHARE) log(event, { share: SAMPLED_SHARE, ...fields }, 'info');
}
