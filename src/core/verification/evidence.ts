import { visible } from '../../lib/text.ts';

export const EVIDENCE_STEPS = [
	'dns',
	'list',
	'connect',
	'banner',
	'ehlo',
	'tls',
	'mail',
	'rcpt',
	'rule',
	'score',
] as const;
/** The most steps of an answer. */
export const STEPS_MAX = 40;
/** The longest text of a step, in characters. */
export const TEXT_MAX = 500;

/** One step that led to an answer, for the people who asked. Texts are printable, and name nothing of ours. */
export interface Evidence {
	readonly step: (typeof EVIDENCE_STEPS)[number];
	/** Milliseconds since the examination began. */
	readonly at_ms: number;
	/** The mail host. */
	readonly host?: string | undefined;
	/** The code of its reply. */
	readonly code?: number | undefined;
	/** The enhanced status of its reply (RFC 3463). */
	readonly enhanced?: string | undefined;
	readonly text?: string | undefined;
	/** The rule that read the reply, or that decided. */
	readonly rule?: string | undefined;
	/** Where the rule stands. */
	readonly source?: string | undefined;
	/** How likely the words say that there is no such mailbox, 0 to 1. */
	readonly likelihood?: number | undefined;
}

/** A step, and when it happened (epoch ms). */
export type TimedStep = Omit<Evidence, 'at_ms'> & { readonly at: number };

/** At most `STEPS_MAX` of the steps, printable. The beginning and the end tell most. */
export function finished(steps: readonly TimedStep[]): readonly TimedStep[] {
	const kept =
		steps.length <= STEPS_MAX ? steps : [...steps.slice(0, STEPS_MAX / 2), ...steps.slice(-STEPS_MAX / 2)];
	return kept.map(({ text, host, ...step }) => ({
		...step,
		host: host && printable(host),
		text: text && printable(text),
	}));
}

/** Spelt out where it would not show, and cut off. */
function printable(text: string): string {
	const safe = visible(text).replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu, '?');
	// No half of a surrogate pair is left at the end.
	return safe.slice(0, TEXT_MAX).toWellFormed();
}
