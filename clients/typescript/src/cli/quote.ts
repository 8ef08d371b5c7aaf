import { parseAddress } from '../../../../src/core/address/parse-address.ts';
import type { Quote } from '../types.ts';
import { openList, rowsOf } from './bulk/open-list.ts';
import { partsOf } from './bulk/parts.ts';
import { textOption } from './context.ts';
import type { Context } from './context.ts';
import { EXIT, UsageError } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { withFileOf } from './files.ts';
import { count, duration } from './progress.ts';
import { json, visible } from './visible.ts';

const DOMAINS_MAX = 50_000;
const PROVIDERS_SHOWN = 10;

/** `mailsonar quote FILE`: what a list would cost and take. Only the numbers of its domains are sent. */
export async function quote(context: Context): Promise<ExitCode> {
	const { words, input, signal } = context;
	const [file, ...more] = words;
	if (file === undefined || more.length > 0) throw new UsageError('Which file? mailsonar quote list.csv');
	if (file !== '-') return quoteFile(context, file);
	return withFileOf(input, signal, async (copy) => quoteFile(context, copy));
}

async function quoteFile(context: Context, file: string): Promise<ExitCode> {
	const { options, terminal, signal } = context;
	const counts = await countDomains(file, textOption(options, 'column'));
	if (counts.size === 0) throw new UsageError('The list has no address.');
	const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
	const { client } = context.connect();
	const { meta: _, ...quoted } = await client.quote(Object.fromEntries(sorted.slice(0, DOMAINS_MAX)), {
		signal,
	});
	await terminal.write(options['json'] === true ? `${json(quoted)}\n` : textOf(quoted));
	const left = sorted.slice(DOMAINS_MAX).reduce((sum, [, addresses]) => sum + addresses, 0);
	if (left > 0)
		terminal.say(
			`${count(left)} addresses at other domains are left out: a quote takes ${count(DOMAINS_MAX)} domains.\n`,
		);
	return EXIT.done;
}

/** How many different addresses a list has at each domain. */
async function countDomains(file: string, column: string | undefined): Promise<ReadonlyMap<string, number>> {
	const list = await openList(file, column);
	const counts = new Map<string, number>();
	for await (const emails of partsOf(rowsOf(list), list.column, new Set())) {
		for (const email of emails) {
			const parsed = parseAddress(email);
			if (!parsed.ok) continue;
			const { domain } = parsed.address;
			counts.set(domain, (counts.get(domain) ?? 0) + 1);
		}
	}
	return counts;
}

function textOf({ addresses, expected, maxCredits, expectedMinutes }: Quote): string {
	const width = count(addresses).length;
	const shown = expected.by_provider.slice(0, PROVIDERS_SHOWN);
	const rows = [
		[addresses, 'addresses'],
		[expected.told, 'can be told'],
		[expected.not_told_free, 'will be unknown and free'],
		...shown.map(({ provider, addresses: there, told_at_rcpt: isTold, minutes }) => {
			const notes = [isTold === false ? 'accepts everything' : null, minutes > 0 ? timeOf(minutes) : null];
			const words = notes.filter((note) => note !== null).join(', ');
			return [there, `at ${visible(provider ?? 'others')}${words === '' ? '' : `: ${words}`}`] as const;
		}),
		[maxCredits, 'credits at most'],
	] as const;
	const lines = rows.map(([number, words]) => `${count(number).padStart(width)}  ${words}`);
	return `${[...lines, `takes at least ${timeOf(expectedMinutes)}`].join('\n')}\n`;
}

function timeOf(minutes: number): string {
	return duration(minutes * 60);
}
