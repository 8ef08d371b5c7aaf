import type { DomainReport } from '../types.ts';
import type { Context } from './context.ts';
import { EXIT, UsageError } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { wordsOf } from './read-lines.ts';
import { coloured } from './terminal.ts';
import { json, visible } from './visible.ts';

const AT_ONCE = 1_000;
const STATE_WIDTH = 'no answer'.length;

/** `mailsonar domains`: each domain in a line, in their order. */
export async function domains(context: Context): Promise<ExitCode> {
	const { words, input, signal } = context;
	if (words.length === 0) throw new UsageError('Which domain? mailsonar domains example.com');
	const { client } = context.connect();
	const look = async (names: readonly string[]): Promise<void> => {
		const { results } = await client.domains(names, { signal });
		for (const report of results) await print(context, report);
	};
	let names: string[] = [];
	for await (const name of wordsOf(words, input)) {
		names.push(name);
		if (names.length < AT_ONCE) continue;
		await look(names);
		names = [];
	}
	if (names.length > 0) await look(names);
	return EXIT.done;
}

async function print({ options, terminal }: Context, report: DomainReport): Promise<void> {
	if (options['json'] === true) return terminal.write(`${json(report)}\n`);
	const [state, colour] = stateOf(report);
	const { domain, smtp_provider: provider, gateway } = report;
	const who = visible([gateway, provider].filter((word) => word !== null).join(', ') || '-');
	const notes = coloured(terminal, 'dim', visible(notesOn(report).join(', ')));
	const line = `${coloured(terminal, colour, state.padEnd(STATE_WIDTH))}  ${visible(domain)}  ${who}  ${notes}`;
	return terminal.write(`${line.trimEnd()}\n`);
}

function stateOf({ exists, accepts_mail: acceptsMail }: DomainReport) {
	if (exists === null) return ['no answer', 'dim'] as const;
	if (!exists) return ['none', 'red'] as const;
	return acceptsMail === false ? (['no mail', 'red'] as const) : (['mail', 'green'] as const);
}

function notesOn(report: DomainReport): readonly string[] {
	const { did_you_mean: meant, told_at_rcpt: isTold } = report;
	return [
		...(meant === null ? [] : [`did you mean ${meant}?`]),
		...(report.disposable ? ['disposable'] : []),
		...(report.free ? ['free mail'] : []),
		...(report.catch_all === true ? ['catch-all'] : []),
		...(isTold === null ? [] : [isTold ? 'tells mailboxes' : 'does not tell mailboxes']),
	];
}
