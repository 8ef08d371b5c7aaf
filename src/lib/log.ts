import { visible } from './text.ts';

/**
 * The loggable part of an error: its name and its stack. Its message may contain an address, a key or SQL with
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

/** The stack below the message, whose own lines may look like frames; nothing if the message can't be found. */
function stackBelow(message: string, stack: string): string {
	const at = stack.indexOf(message);
	return at < 0 ? '' : stack.slice(at + message.length);
}

/** The other fields of a line; none may replace its name or level. */
type LogFields = Readonly<Record<string, unknown>> & { readonly event?: never; readonly level?: never };

/**
 * The level of a line. `error`: we refused a caller, or the operator has to look. `warn`: the code tries again or
 * goes on without. `info`: success.
 */
type LogLevel = 'error' | 'warn' | 'info';

/**
 * Writes one structured line for the operator, for events that happen a few times a day; use `logSampled` for events
 * of every request. Never pass an address, a key or another secret. `docs/runbook.md` explains every event.
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
 * Writes a line about a success, for a share of the calls. The line names the share.
 *
 * @param random uniform in [0, 1)
 */
export function logSampled(event: string, fields: LogFields, random: () => number): void {
	if (random() < SAMPLED_SHARE) log(event, { share: SAMPLED_SHARE, ...fields }, 'info');
}

/**
 * Resolves when the work has ended, for `waitUntil`: the work goes on even if the client disconnects and the request
 * is cancelled. Logs a failure, unless it is a refusal (`ServiceError`), which the client gets as its answer.
 */
export async function finished(work: Promise<unknown>): Promise<void> {
	try {
		await work;
	} catch (error) {
		if (error instanceof Error && error.name === 'ServiceError') return;
		log('later_work_failed', describeError(error));
	}
}
