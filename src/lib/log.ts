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

/** What a line says besides its name, which no field may take the place of. */
type LogFields = Readonly<Record<string, unknown>> & { readonly event?: never };

/**
 * Writes one structured line for the operator: something went wrong, or happens a few times a day. Always, so it is no
 * place for what happens with every request: see `logSampled`. Never pass an address, a key or another secret.
 */
export function log(event: string, fields: LogFields): void {
	// oxlint-disable-next-line no-console -- the one place that writes to the Worker's log
	console.error(visible(JSON.stringify({ event, ...fields })));
}

/** Of what goes well, one line in a hundred: a line costs $0.60 a million, a verification in a list $0.20. */
export const SAMPLED_SHARE = 0.01;

/**
 * Writes a line about what went well, for a share of the calls, which the line names.
 *
 * @param random uniform in [0, 1)
 */
export function logSampled(event: string, fields: LogFields, random: () => number): void {
	if (random() < SAMPLED_SHARE) log(event, { share: SAMPLED_SHARE, ...fields });
}
