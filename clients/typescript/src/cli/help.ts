import { VERSION } from '../version.ts';
import { COMMANDS, COMMON } from './commands.ts';
import type { CommandName, CommandWords, Option } from './commands.ts';

const ENDS = `Ends with 0: done; verify: every address is deliverable. 1: verify: at least one is not. 2: wrong arguments
or file. 3: the key. 4: credits. 5: not reached, try again later. 6: refused. 130: interrupted.`;

/** The help of the program. */
export function help(): string {
	const names = Object.keys(COMMANDS) as CommandName[];
	const rows = names.map(
		(name) => [`${name} ${COMMANDS[name].usage}`.trimEnd(), COMMANDS[name].says] as const,
	);
	return [
		`mailsonar ${VERSION}: says whether an email address will take mail, and why`,
		'',
		'mailsonar COMMAND …',
		...table(rows),
		'',
		'With every command:',
		...optionRows(COMMON),
		'',
		'The key is MAILSONAR_API_KEY, or the one that login stored.',
		ENDS,
		'',
	].join('\n');
}

/** The help of a command. */
export function helpOf(name: CommandName): string {
	const { usage, says, options }: CommandWords = COMMANDS[name];
	return [
		`mailsonar ${name} ${usage}`.trimEnd(),
		says,
		'',
		...optionRows({ ...options, ...COMMON }),
		'',
	].join('\n');
}

function optionRows(options: Readonly<Record<string, Option>>): readonly string[] {
	return table(
		Object.entries(options).map(([name, { flag, value, says }]) => {
			const short = flag.short === undefined ? '' : `-${flag.short}, `;
			return [`${short}--${name}${value === undefined ? '' : ` ${value}`}`, says] as const;
		}),
	);
}

function table(rows: readonly (readonly [string, string])[]): readonly string[] {
	const width = Math.max(...rows.map(([left]) => left.length));
	return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
