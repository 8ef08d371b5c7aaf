import * as z from 'zod';

// The state that a prober reports to those who run the service: `GET /state`. Fields that are not known are ignored. A proxy
// before a prober lets these paths and that of questions through.

/** Whether it takes questions: needs no token. */
export const HEALTH_PATH = '/healthz';
export const STATE_PATH = '/state';
/** Which accounts asked about a domain on a day: `GET /asked?domain=x.test&day=2026-11-22`. */
export const ASKED_PATH = '/asked';
/** The longest list of pauses. Pauses that hold back every asker come first; the rest is left out. */
export const PAUSED_MAX = 1_000;

/** The longest list of operators that were asked of late; those for whom most wait come first. */
export const OPERATORS_MAX = 500;

const text = z.string().max(1_000);
const count = z.int().min(0);

const operator = z.object({
	egress: text,
	operator: text,
	standing: z.object({
		kind: z.enum(['good', 'slowed', 'paused', 'quarantined', 'trying']),
		/** The share of the budget that is used. */
		share: z.number(),
		/** Conversations that refused us since we were last welcome. */
		refusals: count,
		/** End of the pause, epoch milliseconds. */
		until: z.number().nullable(),
		/** Since when the operator says that a list names us, epoch milliseconds. */
		listedSince: z.number().nullable(),
	}),
	connections: count,
	/** Conversations that wait for a connection, or for the budget. */
	backlog: count,
	/** Recipients, after warm-up and standing. */
	perMinute: count,
	perDay: count,
	leftThisMinute: count,
	leftToday: count,
	/** Recipients used today, by who asked: visitors, accounts that never paid, all other accounts; `unpaid`: for nothing. */
	usedToday: z.object({ visitors: count, trials: count, accounts: count, unpaid: count }),
	/** The accounts that used most of it: `acc_1`, and `unpaid/acc_1` for nothing. Accounts on trial are named by owner. */
	mostToday: z.array(z.tuple([text, count])),
});
export type WireOperator = z.output<typeof operator>;

/** The longest list of accounts that guess mailboxes of a domain; the worst come first. */
export const GUESSERS_MAX = 200;

const guesser = z.object({
	/** The account; or `trials`, the accounts that never paid, or `visitors`. */
	asker: text,
	domain: text,
	/** Since when it is counted, epoch milliseconds. */
	since: z.number(),
	/** Mailboxes that a mail host decided on, and those that do not exist. */
	asked: count,
	unknown: count,
	/** Recipients that it is allowed there. */
	perMinute: count,
});

export const proberState = z.object({
	draining: z.boolean(),
	running: count,
	/** The version of the rules by which it reads replies. */
	rules: text,
	connections: count,
	waiting: count,
	stateFails: z.boolean(),
	/** When its damaged memory was set aside for a new one, epoch milliseconds; null: it was not. */
	stateSetAsideAt: z.number().nullable(),
	/** Names of the egresses, without secrets. */
	egresses: z.array(text).max(1_000),
	paused: z
		.array(
			z.object({
				egress: text,
				operator: text,
				/** Only this customer's domain, or this account's questions, are held back; null: all. */
				only: text.nullable(),
				why: text,
				/** Epoch milliseconds of the prober's clock. */
				until: z.number(),
			}),
		)
		.max(PAUSED_MAX),
	/** Each operator, or mail host, from each source address. */
	operators: z.array(operator).max(OPERATORS_MAX),
	/** Accounts that are slowed, because they guess. */
	guessers: z.array(guesser).max(GUESSERS_MAX),
});
export type WireState = z.output<typeof proberState>;

/** An account that asked about a domain on a day, and about how many of its addresses. */
const askingAccount = z.object({ asker: text, addresses: count });
export type AskingAccount = z.output<typeof askingAccount>;
export const askers = z.object({ askers: z.array(askingAccount).max(1_000) });
