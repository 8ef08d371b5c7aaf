import { textTable } from '../../../../src/lib/text.ts';
import { VERSION } from '../version.ts';
import { bulk } from './bulk/bulk.ts';
import { catchall } from './catchall.ts';
import { text, toggle } from './command.ts';
import type { Command, Option } from './command.ts';
import { login } from './credentials.ts';
import { domains } from './domains.ts';
import { credits, jobs } from './jobs.ts';
import { verify } from './verify.ts';

export const COMMANDS: Readonly<Record<string, Command>> = {
	verify,
	bulk,
	domains,
	catchall,
	jobs,
	credits,
	login,
};

/** What every command takes. */
export const COMMON: Readonly<Record<string, Option>> = {
	'base-url': text('URL', 'the service; else MAILSONAR_BASE_URL, or that of login'),
	json: toggle('answers as JSON, one value a line'),
	quiet: { ...toggle('no progress and no summary'), short: 'q' },
	help: { ...toggle('this text'), short: 'h' },
};

const ENDS = `Ends with 0: done; verify: every address is deliverable. 1: verify: at least one is not. 2: wrong arguments
or file. 3: the key. 4: credits. 5: not reached, try again later. 6: refused. 130: interrupted.`;

/** The help of the program. */
export function help(): string {
	return [
		`mailsonar ${VERSION}: says whether an email address will take mail, and why`,
		'',
		'mailsonar COMMAND …',
		table(Object.entries(COMMANDS).map(([name, { usage, says }]) => [`${name} ${usage}`.trimEnd(), says])),
		'',
		'With every command:',
		optionTable(COMMON),
		'',
		'The key is MAILSONAR_API_KEY, or the one that login stored.',
		ENDS,
		'',
	].join('\n');
}

/** The help of a command. */
export function helpOf(name: string, { usage, says, options }: Command): string {
	const rows = optionTable({ ...options, ...COMMON });
	return [`mailsonar ${name} ${usage}`.trimEnd(), says, '', rows, ''].join('\n');
}

function optionTable(options: Readonly<Record<string, Option>>): string {
	return table(
		Object.entries(options).map(([name, { short, value, says }]) => {
			const names = `${short === undefined ? '' : `-${short}, `}--${name}`;
			return [value === undefined ? names : `${names} ${value}`, says];
		}),
	);
}

function table(rows: readonly (readonly [string, string])[]): string {
	return textTable(rows).replaceAll(/^/gm, '  ');
}
