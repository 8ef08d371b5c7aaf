import type { Mailsonar } from '../client.ts';
import type { Clock } from '../clock.ts';
import type { Terminal } from './terminal.ts';

/** What a command was given: its words, and the world around it. */
export interface Context {
	readonly words: readonly string[];
	readonly options: Options;
	readonly terminal: Terminal;
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly input: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
	readonly clock: Clock;
	/** Aborted by Ctrl-C. */
	readonly signal: AbortSignal;
	/** A client with the key that is there. Throws `UsageError` if there is none. */
	connect(): Connection;
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

/** The values of an option that may be repeated; one value may be several, separated by commas. */
export function textsOption(options: Options, name: string): readonly string[] {
	const value = options[name];
	const values = Array.isArray(value) ? value : value === undefined ? [] : [value];
	return values.flatMap((each) => String(each).split(',')).map((each) => each.trim());
}
