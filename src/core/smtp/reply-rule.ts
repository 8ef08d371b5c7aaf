import type { ReplyHabit } from '../mail-operators/operator-row.ts';
import type { Stage } from './reply-reader.ts';
import { expressionOf } from './reply-words/vocabulary.ts';

/** The meanings of a reply, and the party at fault. */
const MEANINGS = [
	/** 2xx. At RCPT: the server accepts this recipient, or every recipient. */
	'accepted',
	/** A refusal that proves that the mailbox exists (too much mail, or members only). No party is at fault. */
	'mailbox_exists',
	/** The address is at fault: there is no such mailbox. */
	'no_such_mailbox',
	/** The address is at fault: its mailbox existed and takes no mail now. */
	'mailbox_disabled',
	/** The mailbox's owner is at fault: the mailbox exists but is full. */
	'mailbox_full',
	/** We are at fault: too many connections, recipients or errors, or the server says slow down. */
	'rate_limited',
	/** We are at fault: our address, name, or sender is listed, unverifiable or unwanted. */
	'blocked',
	/** The server's rules refuse us (spam, authentication, permission): nothing about the mailbox. */
	'policy',
	/** The server is at fault: it cannot answer now. */
	'temporary',
	/** Greylisting: the server defers every new sender once. Ask again, from the same IP address. */
	'greylisted',
	/** The server demands TLS first. */
	'tls_required',
	/** The domain's owner is at fault: this server does not serve the domain, or does not know it. */
	'relay_denied',
	/** We are at fault: the server did not understand our command. */
	'protocol_error',
	/** Words and codes that no rule explains yet. Never a verdict. */
	'undetermined',
] as const;
export type ReplyMeaning = (typeof MEANINGS)[number];

/** A row of the table. All of its conditions must hold before it decides. */
export interface ReplyRule extends Conditions {
	readonly id: string;
	readonly means: ReplyMeaning;
	/** Where the wording or the rule is documented. */
	readonly source: string;
	/** Tested on the reply's words, as `wordsOf` returns them. */
	readonly text: RegExp | null;
	/** Excludes replies whose words also match this. */
	readonly unless: RegExp | null;
}

type Conditions = { readonly [name in keyof typeof CONDITIONS]?: ReturnType<(typeof CONDITIONS)[name]> };

const CONDITIONS = {
	/** First digit of the code. */
	class: Number,
	codes: (value: string): readonly number[] => value.split(' ').map(Number),
	/** Only for replies at one of these stages. */
	stages: (value: string) => value.split(' ') as readonly Stage[],
	/** Tested on the enhanced status (RFC 3463), such as `5.1.1`. A reply without one does not match. */
	status: (value: string) => new RegExp(value, 'u'),
	/** Excludes replies with an enhanced status like this one. A reply without one does match. */
	notStatus: (value: string) => new RegExp(value, 'u'),
	/** How likely the words must say "no such mailbox" (0-1), while no other reply contradicts them. */
	likelihood: Number,
	/** Only where another recipient's reply supports this reading. */
	seconded: () => true,
	/** Only for mail operators that have this habit. */
	habit: (value: string) => value as ReplyHabit,
};

/**
 * Reads a table: `id | meaning | source`, and indented below it what must hold: `only` with conditions, then the words,
 * then `unless` with words that exclude. `#` begins a comment.
 */
export function rules(
	{ raw }: TemplateStringsArray,
	...parts: readonly (string | number)[]
): readonly ReplyRule[] {
	const rows = String.raw({ raw }, ...parts).replaceAll(/^(?:#.*)?\n/gm, '');
	return rows
		.trim()
		.split(/\n(?=\S)/)
		.map(readRule);
}

function readRule(row: string): ReplyRule {
	const [, id = '', meaning, source = '', only, text = '', unless = ''] =
		/^(\S+) \| (\w+) \| (.+)(?:\n\tonly (.+))?((?:\n\t(?!unless ).+)*)(?:\n\tunless ([^]+))?$/u.exec(row) ??
		[];
	const means = MEANINGS.find((known) => known === meaning);
	if (means === undefined) throw new TypeError(`Not a rule: ${row}`);
	return { id, means, source, ...conditionsOf(only), text: wordsOf(text), unless: wordsOf(unless) };
}

function conditionsOf(only = ''): Conditions {
	const pairs = only === '' ? [] : only.split(', ');
	return Object.fromEntries(
		pairs.map((pair) => {
			const [name = '', ...value] = pair.split(' ');
			if (!(name in CONDITIONS)) throw new TypeError(`Not a condition of a rule: ${pair}`);
			return [name, CONDITIONS[name as keyof Conditions](value.join(' '))];
		}),
	);
}

function wordsOf(alternatives: string): RegExp | null {
	return alternatives === '' ? null : expressionOf`${alternatives}`;
}
