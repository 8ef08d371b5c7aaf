import type { DomainReport } from '../types.ts';
import { UsageError } from './command.ts';
import type { Command, Context } from './command.ts';
import { wordsOf } from './files.ts';
import { visible } from './terminal.ts';
import type { Terminal } from './terminal.ts';

const AT_ONCE = 1_000;
const STATE_WIDTH = 'no answer'.length;

export const domains: Command = {
	usage: 'DOMAIN… | -',
	says: 'Look up domains without asking a mail server: 1 credit for each ten. - reads them from the input, one a line.',
	options: {},
	run,
};

/** Writes each domain in a line, in their order. */
async function run({ words, terminal, signal, connect }: Context): Promise<void> {
	if (words.length === 0) throw new UsageError('Which domain? mailsonar domains example.com');
	const { client } = connect();
	const look = async (names: readonly string[]): Promise<void> => {
		const { results } = await client.domains(names, { signal });
		for (const report of results) await terminal.answer(report, lineOf(terminal, report));
	};
	let names: string[] = [];
	for await (const name of wordsOf(words)) {
		names.push(name);
		if (names.length < AT_ONCE) continue;
		await look(names);
		names = [];
	}
	if (names.length > 0) await look(names);
}

function lineOf(terminal: Terminal, report: DomainReport): string {
	const [state, colour] = stateOf(report);
	const { domain, smtp_provider: provider, gateway } = report;
	const who = visible([gateway, provider].filter((word) => word !== null).join(', ') || '-');
	const notes = terminal.coloured('dim', visible(notesOn(report).join(', ')));
	return `${terminal.coloured(colour, state.padEnd(STATE_WIDTH))}  ${visible(domain)}  ${who}  ${notes}`.trimEnd();
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
