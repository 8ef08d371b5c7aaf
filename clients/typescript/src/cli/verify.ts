import { inCredits, PRICE } from '../../../../src/core/credits/price.ts';
import { MailsonarError } from '../error.ts';
import type { Verification } from '../types.ts';
import { EXIT, toggle, UsageError } from './command.ts';
import type { Command, Context, ExitCode } from './command.ts';
import { wordsOf } from './files.ts';
import { STATUS_COLOURS, visible } from './terminal.ts';
import type { Terminal } from './terminal.ts';

// Enough to hide the time of a slow mail server, and a small part of the window.
const AT_ONCE = 4;
const STEP_WIDTH = 'connect'.length;
const STATUS_WIDTH = 'undeliverable'.length;

export const verify: Command = {
	usage: 'ADDRESS… | -',
	says: `Verify addresses now: ${inCredits(PRICE.single)} each, none for an unknown. - reads them from the input, one a line.`,
	options: {
		quick: toggle('ask no mail server: lists and DNS answer, in milliseconds'),
		explain: toggle('show the steps that led to each answer'),
	},
	run,
};

type Found = Verification | { readonly email: string; readonly malformed: MailsonarError };

/** Writes each address in a line, in their order, as soon as it is known. */
async function run({ words, options, terminal, signal, connect }: Context): Promise<ExitCode> {
	if (words.length === 0) throw new UsageError('Which address? mailsonar verify ada@example.com');
	const { client } = connect();
	const mode = options['quick'] === true ? 'quick' : undefined;
	const explain = options['explain'] === true ? true : undefined;
	let areAllDeliverable = true;
	const find = async (email: string): Promise<Found> =>
		client.verify(email, { mode, explain, signal }).catch((error: unknown) => {
			if (error instanceof MailsonarError && error.code === 'malformed_email')
				return { email, malformed: error };
			throw error;
		});
	for await (const found of inOrder(wordsOf(words), find)) {
		areAllDeliverable &&= !('malformed' in found) && found.is_valid;
		await terminal.answer(objectOf(found), linesOf(terminal, found));
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

/** The answer, and the steps that led to it where they were asked for. */
function linesOf(terminal: Terminal, found: Found): string {
	if ('malformed' in found) return lineOf(terminal, 'malformed', found.email, '-', found.malformed.message);
	const { status, email, did_you_mean: meant, details, evidence = [] } = found;
	const reason = `${details.general.reason}${meant === null ? '' : `. Did you mean ${meant}?`}`;
	const steps = evidence.map(({ step, at_ms: atMs, host, code, enhanced, text, rule }) => {
		const words = [host, code, enhanced, text, rule === undefined ? undefined : `[${rule}]`];
		const said = words.filter((word) => word !== undefined).join(' ');
		return visible(`  ${String(atMs).padStart(6)} ms  ${step.padEnd(STEP_WIDTH)} ${said}`);
	});
	return [lineOf(terminal, status, email, details.sub_status, reason), ...steps].join('\n');
}

function lineOf(
	terminal: Terminal,
	status: string,
	email: string,
	subStatus: string,
	reason: string,
): string {
	const shown = terminal.coloured(STATUS_COLOURS[status] ?? 'dim', visible(status).padEnd(STATUS_WIDTH));
	return `${shown}  ${visible(email)}  ${visible(subStatus)}  ${terminal.coloured('dim', visible(reason))}`;
}

function objectOf(found: Found): object {
	if (!('malformed' in found)) return found;
	const { email, malformed } = found;
	return { email, is_valid: false, status: 'malformed', error: malformed.message, code: malformed.code };
}
