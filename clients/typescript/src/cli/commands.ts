import type { ParseArgsConfig } from 'node:util';
import { ACTIONS } from '../../../../src/core/verification/sub-status.ts';

type Flag = NonNullable<ParseArgsConfig['options']>[string];

export interface Option {
	readonly flag: Flag;
	/** What follows it, in the help. */
	readonly value?: string;
	readonly says: string;
	/** What a shell offers after it. */
	readonly words?: readonly string[] | 'file';
}

export interface CommandWords {
	readonly usage: string;
	readonly says: string;
	readonly options: Readonly<Record<string, Option>>;
	/** What a shell offers as its argument. */
	readonly words?: readonly string[] | 'file';
}

/** The statuses of rows in the output. */
export const ROW_STATUSES = ['deliverable', 'undeliverable', 'risky', 'unknown', 'malformed'] as const;
/** What `--only` takes: rows go by their status, or by what to do with the address. */
export const ROW_WORDS = [...ROW_STATUSES, ...ACTIONS] as const;
const JOB_STATUSES = ['processing', 'completed', 'failed'] as const;
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

const text = (value: string, says: string, words?: readonly string[] | 'file'): Option => ({
	flag: { type: 'string' },
	value,
	says,
	...(words === undefined ? {} : { words }),
});
const toggle = (says: string, short?: string): Option => ({
	flag: { type: 'boolean', ...(short === undefined ? {} : { short }) },
	says,
});

/** What every command takes. */
export const COMMON: Readonly<Record<string, Option>> = {
	'base-url': text('URL', 'the service; else MAILSONAR_BASE_URL, or that of login'),
	json: toggle('answers as JSON, one value a line'),
	quiet: toggle('no progress and no summary', 'q'),
	help: toggle('this text', 'h'),
};

/** The commands: parser, help and completion are made from this table. */
export const COMMANDS = {
	verify: {
		usage: 'ADDRESS… | -',
		says: 'Verify addresses now: 1 credit each, none for an unknown. - reads them from the input, one a line.',
		options: {
			quick: toggle('ask no mail server: lists and DNS answer, in milliseconds'),
			explain: toggle('show the steps that led to each answer'),
		},
	},
	bulk: {
		usage: 'FILE | -',
		says: 'Verify a CSV file, or the input with -, as jobs, and write it again with our columns after its own.',
		words: 'file',
		options: {
			column: text('NAME', 'the column of addresses by its name, or by its number from 1; else we find it'),
			output: {
				flag: { type: 'string', short: 'o' },
				value: 'FILE',
				says: 'where to; by default FILE-verified.csv',
				words: 'file',
			},
			only: {
				flag: { type: 'string', multiple: true },
				value: 'WORD',
				says: `only rows with this status or action: ${ROW_WORDS.join(', ')}; may be repeated`,
				words: ROW_WORDS,
			},
			catchall: toggle('resolve catch-all addresses, too'),
			'callback-url': text('URL', 'told when each of the jobs ends'),
			'dry-run': toggle('only count the addresses, and say what they cost at most'),
			name: text('TEXT', 'the name of the list in the dashboard; by default that of the file'),
			resume: toggle('go on with a run that was broken off'),
			force: toggle('overwrite the output, and forget a run that was broken off'),
		},
	},
	domains: {
		usage: 'DOMAIN… | -',
		says: 'Look up domains without asking a mail server: 1 credit for each ten. - reads them from the input, one a line.',
		options: {},
	},
	catchall: {
		usage: 'JOB',
		says: 'Verify the catch-all addresses of a completed job more deeply: 1 credit each, none for an unknown.',
		options: {
			output: {
				flag: { type: 'string', short: 'o' },
				value: 'FILE',
				says: 'write the rows there as CSV: Email, Score, Verdict',
				words: 'file',
			},
			only: text('VERDICT', 'only rows with this verdict: valid, invalid', ['valid', 'invalid']),
			'callback-url': text('URL', 'told when the task ends'),
			again: toggle('another task, although this job had one from here; it costs again'),
		},
	},
	jobs: {
		usage: '[JOB]',
		says: 'Show the jobs of the account, newest first, or one of them.',
		options: {
			status: text('STATUS', `only these: ${JOB_STATUSES.join(', ')}`, JOB_STATUSES),
			limit: text('NUMBER', 'how many; by default 20'),
		},
	},
	credits: { usage: '', says: 'Show the balance.', options: {} },
	login: {
		usage: '',
		says: 'Store an API key in a file that only you can read. It is asked for, or read from the input.',
		options: {},
	},
	completion: {
		usage: SHELLS.join('|'),
		says: 'Print the completion for a shell, for its start-up file: source <(mailsonar completion bash)',
		words: SHELLS,
		options: {},
	},
} as const satisfies Readonly<Record<string, CommandWords>>;

export type CommandName = keyof typeof COMMANDS;

export function isCommand(word: string): word is CommandName {
	return Object.hasOwn(COMMANDS, word);
}
