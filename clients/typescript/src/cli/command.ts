import type { Mailsonar } from '../client.ts';
import { MailsonarError } from '../error.ts';
import type { Terminal } from './terminal.ts';

/** A command. The parser and the help are made from its words. */
export interface Command {
	readonly usage: string;
	readonly says: string;
	readonly options: Readonly<Record<string, Option>>;
	/** Returns the exit code; nothing: done. */
	readonly run: (context: Context) => Promise<ExitCode | void>;
}

/** An option as `parseArgs` takes it, and its words in the help. */
export interface Option {
	readonly type: 'string' | 'boolean';
	readonly short?: string;
	readonly multiple?: boolean;
	/** What follows it. */
	readonly value?: string;
	readonly says: string;
}

export const text = (value: string, says: string): Option => ({ type: 'string', value, says });
export const toggle = (says: string): Option => ({ type: 'boolean', says });

/** What a command was given: its words, and the world around it. */
export interface Context {
	readonly words: readonly string[];
	readonly options: Options;
	readonly terminal: Terminal;
	/** Aborted by Ctrl-C. */
	readonly signal: AbortSignal;
	/** A client with the key that is there. Throws `UsageError` if there is none. */
	readonly connect: () => Connection;
}

export interface Connection {
	readonly client: Mailsonar;
	readonly baseUrl: string;
}

/** The parsed options of a command. */
export type Options = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

export function textOption(options: Options, name: string): string | undefined {
	const value = options[name];
	return typeof value === 'string' ? value : undefined;
}

/** The value of an option that takes one of some words. */
export function wordOption<T extends string>(
	options: Options,
	name: string,
	words: readonly T[],
): T | undefined {
	const value = textOption(options, name);
	const word = words.find((each) => each === value);
	if (value !== word) throw new UsageError(`--${name} is one of ${words.join(', ')}.`);
	return word;
}

/** What the process ends with. The README has the table. */
export const EXIT = {
	done: 0,
	/** `verify`: at least one address is not deliverable. */
	notDeliverable: 1,
	/** Wrong arguments, or a file that can't be used. */
	usage: 2,
	/** No key, or one that the service refuses. */
	key: 3,
	credits: 4,
	/** Not reached, or not in time: trying again later may help. */
	unavailable: 5,
	/** Refused for another reason: not found, expired, not ready. */
	refused: 6,
	/** A mistake of this program. */
	internal: 70,
	interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The person can mend it: the message says how. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
	readonly exitCode: ExitCode;

	constructor(message: string, exitCode: ExitCode = EXIT.usage) {
		super(message);
		this.exitCode = exitCode;
	}
}

/** The exit code for an error. */
export function exitCodeOf(error: unknown): ExitCode {
	if (error instanceof UsageError) return error.exitCode;
	if (!(error instanceof MailsonarError)) return EXIT.internal;
	const { status, code } = error;
	if (status === 401 || status === 403) return EXIT.key;
	if (status === 402) return EXIT.credits;
	if (status === null) return code === 'webhook_invalid' ? EXIT.refused : EXIT.unavailable;
	return status === 429 || status >= 500 || code === 'unexpected_response' ? EXIT.unavailable : EXIT.refused;
}
