import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { OperatorKind } from '../core/mail-operators/operator-row.ts';
import { OPERATORS } from '../core/mail-operators/operators.ts';
import type { OperatorName } from '../core/mail-operators/operators.ts';
import { RECIPIENTS_PER_MINUTE_MIN } from '../core/turns/budget.ts';
import { parseJson } from '../lib/text.ts';
import { egressList, heloName, list, mailFrom, privateMx, readVariables, whole } from '../variables.ts';

const LISTEN = /^([^:\s]+|\[[0-9a-f:]+\]):(\d{1,5})$/i;

const token = z
	.string()
	.min(32, 'has a token of fewer than 32 characters')
	.regex(/^[^"']*$/, 'has a token with a quotation mark in it');
const tokens = list.pipe(z.array(token).min(1));

const KINDS: readonly OperatorKind[] = ['mailbox', 'gateway', 'forwarder', 'hosting'];
const count = (min: number) => z.int().min(min).max(1_000_000_000).exactOptional();
// A word that is not known is a mistake, which must not look as if it had been heard.
const budgets = z.partialRecord(
	z.enum([...(Object.keys(OPERATORS) as OperatorName[]), ...KINDS, 'other', 'all']),
	z.strictObject({
		connections: count(1),
		connectionsPerMinute: count(1),
		recipientsPerMinute: count(RECIPIENTS_PER_MINUTE_MIN),
		recipientsPerDay: count(RECIPIENTS_PER_MINUTE_MIN),
		recipientsPerConnection: count(RECIPIENTS_PER_MINUTE_MIN),
	}),
);

export const proberSchema = z.object({
	/** The tokens of those who may ask: the first is ours, all are accepted, so that one can be replaced without a gap. */
	PROBER_TOKEN: tokens,
	/** Where it listens. TLS is a matter of the proxy in front of it. */
	PROBER_LISTEN: z
		.string()
		.regex(LISTEN, 'is not host:port')
		.default('127.0.0.1:8025')
		.transform((text) => {
			const [, host = '', port = ''] = LISTEN.exec(text) ?? [];
			return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
		})
		.refine(({ port }) => port <= 65_535, 'has no such port'),
	/** The file of what survives a restart; `:memory:`: nothing does. */
	PROBER_STATE: z.string().default('prober.sqlite'),
	/** A machine with port 25 open needs nothing else than `direct`. */
	SMTP_EGRESS: egressList.refine((egresses) => egresses.length > 0, 'names no way out').prefault('direct'),
	SMTP_PORT: whole(1, 65_535).default(25),
	/** Budgets of operators that differ from ours: JSON, or the name of a file with it. */
	PROBER_BUDGETS: z.string().transform(readBudgets).pipe(budgets).default({}),
	/** Source addresses that operators know already, by their names in SMTP_EGRESS; `all`: none is new. */
	PROBER_WARM: list.default([]),
	/** Mail hosts of large providers that show whether a way out leads anywhere; `none`: nothing does. */
	PROBER_CONTROL: list
		.default(['gmail-smtp-in.l.google.com', 'outlook-com.olc.protection.outlook.com'])
		.transform((names) => (names.includes('none') ? [] : names)),
	HELO_NAME: heloName,
	MAIL_FROM: mailFrom,
	ALLOW_PRIVATE_MX: privateMx.default([]),
});

/** The configuration of a prober, checked. */
export type ProberConfig = z.output<typeof proberSchema>;

/** Reads the environment of the process. Throws a `ConfigError` that names what is wrong. */
export function readProberConfig(env: object): ProberConfig {
	const unquoted = Object.entries(env).map(([name, value]) => [name, withoutQuotes(value)]);
	return readVariables(proberSchema, Object.fromEntries(unquoted));
}

/** JSON that is no budgets is refused by their schema, as is what is no JSON, and a file that is not there. */
function readBudgets(text: string): unknown {
	try {
		return parseJson(text.trimStart().startsWith('{') ? text : readFileSync(text, 'utf8'));
	} catch {
		return undefined;
	}
}

/** The value without the quotation marks around it, which systemd and Node take off, and containers leave on. */
function withoutQuotes(value: unknown): unknown {
	const [, , inner] = typeof value === 'string' ? (/^(["'])(.*)\1$/s.exec(value) ?? []) : [];
	return inner ?? value;
}
