import { MailsonarError } from '../error.ts';
import type { Answer, Verification, VerifyMeta } from '../types.ts';
import type { Context } from './context.ts';
import { EXIT, UsageError } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { wordsOf } from './read-lines.ts';
import { coloured, STATUS_COLOURS } from './terminal.ts';
import { json, visible } from './visible.ts';

// Enough to hide the time of a slow mail server, and a small part of the window.
const AT_ONCE = 4;
const STEP_WIDTH = 'connect'.length;
const STATUS_WIDTH = 'undeliverable'.length;

type Found =
	| { readonly kind: 'answer'; readonly answer: Answer<Verification, VerifyMeta> }
	| { readonly kind: 'malformed'; readonly email: string; readonly error: MailsonarError };

/** `mailsonar verify`: each address in a line, in their order, as soon as it is known. */
export async function verify(context: Context): Promise<ExitCode> {
	const { words, input, options, terminal } = context;
	if (words.length === 0) throw new UsageError('Which address? mailsonar verify ada@example.com');
	const { client } = context.connect();
	const ended = new AbortController();
	const signal = anyOf(context.signal, ended);
	const asked = {
		mode: options['quick'] === true ? 'quick' : undefined,
		explain: options['explain'] === true ? true : undefined,
	} as const;
	let areAllDeliverable = true;
	const find = async (email: string): Promise<Found> => {
		try {
			return { kind: 'answer', answer: await client.verify(email, { ...asked, signal }) };
		} catch (error) {
			if (error instanceof MailsonarError && error.code === 'malformed_email')
				return { kind: 'malformed', email, error };
			throw error;
		}
	};
	try {
		for await (const found of inOrder(wordsOf(words, input), find)) {
			areAllDeliverable &&= found.kind === 'answer' && found.answer.is_valid;
			await terminal.write(`${options['json'] === true ? json(objectOf(found)) : linesOf(context, found)}\n`);
		}
	} finally {
		// The others of them are not waited for.
		ended.abort();
	}
	return areAllDeliverable ? EXIT.done : EXIT.notDeliverable;
}

/** Some at once, their results one after the other. */
async function* inOrder<In, Out>(
	all: AsyncIterable<In>,
	find: (one: In) => Promise<Out>,
): AsyncGenerator<Out, void, undefined> {
	const running: Promise<Out>[] = [];
	for await (const one of all) {
		const found = find(one);
		// It is looked at in its turn.
		found.catch(() => {});
		running.push(found);
		const first = running.length >= AT_ONCE ? running.shift() : undefined;
		if (first !== undefined) yield await first;
	}
	for (const found of running) yield await found;
}

function lineOf({ terminal }: Context, found: Found): string {
	const { status, email, subStatus, reason } =
		found.kind === 'malformed'
			? { status: 'malformed', email: found.email, subStatus: '-', reason: found.error.message }
			: factsOf(found.answer);
	const shown = coloured(terminal, STATUS_COLOURS[status] ?? 'dim', visible(status).padEnd(STATUS_WIDTH));
	return `${shown}  ${visible(email)}  ${visible(subStatus)}  ${coloured(terminal, 'dim', visible(reason))}`;
}

/** The answer, and the steps that led to it where they were asked for. */
function linesOf(context: Context, found: Found): string {
	const evidence = found.kind === 'answer' ? (found.answer.evidence ?? []) : [];
	const steps = evidence.map(({ step, at_ms: atMs, host, code, enhanced, text, rule }) => {
		const words = [host, code, enhanced, text, rule === undefined ? undefined : `[${rule}]`];
		const said = words.filter((word) => word !== undefined).join(' ');
		return visible(`  ${String(atMs).padStart(6)} ms  ${step.padEnd(STEP_WIDTH)} ${said}`);
	});
	return [lineOf(context, found), ...steps].join('\n');
}

function factsOf(answer: Verification): { status: string; email: string; subStatus: string; reason: string } {
	const { status, email, did_you_mean: meant, details } = answer;
	const more = meant === null ? '' : `. Did you mean ${meant}?`;
	return { status, email, subStatus: details.sub_status, reason: `${details.general.reason}${more}` };
}

function objectOf(found: Found): object {
	if (found.kind === 'answer') return found.answer;
	const { email, error } = found;
	return { email, is_valid: false, status: 'malformed', error: error.message, code: error.code };
}

function anyOf(outer: AbortSignal, own: AbortController): AbortSignal {
	outer.addEventListener('abort', () => own.abort(outer.reason), { once: true });
	if (outer.aborted) own.abort(outer.reason);
	return own.signal;
}
