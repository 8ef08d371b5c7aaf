import { z } from 'zod';

// The questions of the Worker to a prober, and the answers: the schema of both sides. Fields that a later version adds
// are optional, and unknown fields are ignored, so that a prober of the previous version still works.

/** The version is in the path of every question. */
export const PROBER_PATH = '/v1/questions';
/** The most octets of a question, and of an answer, as JSON. */
export const MESSAGE_OCTETS_MAX = 1_048_576;
/** The most targets of a question: as many as a part holds. */
export const TARGETS_MAX = 250;
export const HOSTS_MAX = 5;
export const ADDRESSES_PER_HOST_MAX = 4;

// RFC 5321 §4.5.3.1: 64 octets, `@`, 255. A mailbox becomes part of an SMTP command, so it must not hold a line end, nor
// a character that ends the path, unless quoted (RFC 5321 §4.1.2). Nor may it hold a separator of lines in UTF-8 alone, or a hidden character.
const mailbox = z
	.string()
	.min(3)
	.max(320)
	.regex(/^(?:[^\s<>\p{Cc}\p{Cf}"]+|"(?:[^"\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\\[ -~])*")@[^\s<>@\p{Cc}\p{Cf}]+$/u);
const hostName = z.string().min(1).max(255);

export const question = z.object({
	domain: hostName,
	/** Best preference first, with the addresses that the resolver found. Both the Worker and the prober check these. */
	hosts: z
		.array(
			z.object({
				name: hostName,
				addresses: z.array(z.string().max(45)).max(ADDRESSES_PER_HOST_MAX),
				/** The DNS look-up of the addresses failed. */
				failed: z.boolean(),
			}),
		)
		.min(1)
		.max(HOSTS_MAX),
	/** There is no MX: the only host is the domain itself (RFC 5321 §5.1). */
	implicit: z.boolean(),
	targets: z.array(mailbox).min(1).max(TARGETS_MAX),
	needsSmtputf8: z.boolean(),
	/** Recipients that surely do not exist; null: the domain's answer to such recipients is known. */
	invented: z.object({ first: mailbox, further: z.array(mailbox).max(4) }).nullable(),
	/** When to ask about the `further` invented recipients. */
	deep: z.enum(['never', 'catch_all', 'always']),
	/** Use a new connection. */
	fresh: z.boolean(),
	class: z.enum(['single', 'small', 'list']),
	/** The id of the account that asks, for fairness and standing; null: the caller is not signed in. */
	asker: z.string().max(64).nullable(),
	/** The account never paid: such accounts share one part of each budget. Left out: it paid, or the caller is anonymous. */
	isTrial: z.boolean().optional(),
	/** A digest of the domain that an account's address is at, or of a visitor's network. Left out: not known. */
	owner: z.string().max(64).optional(),
	/** Milliseconds after which the account pays for no answer, since its caller's time is up. Left out: it always pays. */
	paysMs: z.int().min(0).optional(),
	/** Milliseconds from the arrival of the question to the answer. Not a time, since the clocks of two machines differ. */
	budgetMs: z.int().min(0).max(120_000),
	/** The prober sends news as they come: a line of JSON each, before the answer. */
	tells: z.boolean(),
});
export type WireQuestion = z.output<typeof question>;

const reply = z.object({
	code: z.int().min(200).max(599),
	enhanced: z.string().nullable(),
	lines: z.array(z.string()),
});
const recipientReply = z.object({ recipient: z.string(), reply: reply.nullable() });

/** The words of a mail host, before the answer to the question, which counts. */
export const news = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('greeted'),
		host: hostName,
		greeting: z.string(),
		/** The remembered answers about the domain's invented recipients, which are not asked then. */
		invented: z.array(recipientReply),
	}),
	z.object({ kind: z.literal('replied'), host: hostName, recipient: z.string(), reply }),
]);
export type WireNews = z.output<typeof news>;

const endOf = <Kind extends string>(kind: Kind) => z.object({ kind: z.literal(kind) });
const stage = z.enum(['greeting', 'ehlo', 'mail', 'rcpt']);
const end = z.discriminatedUnion('kind', [
	endOf('complete'),
	endOf('smtputf8_missing'),
	endOf('tls_failed'),
	endOf('limit'),
	endOf('closed'),
	endOf('timeout'),
	z.object({ kind: z.literal('refused'), reply }),
	z.object({
		kind: z.literal('fault'),
		fault: z.enum(['line_too_long', 'too_many_lines', 'too_many_octets', 'not_smtp']),
	}),
]);

/** A `SessionReport`. */
const conversation = z.object({
	sender: z.string(),
	end,
	stage,
	targets: z.array(recipientReply),
	invented: z.array(recipientReply),
	pipelined: z.boolean(),
	secured: z.boolean(),
	keywords: z.array(z.string()),
	transcript: z.array(z.string()),
	/** How many milliseconds ago each of them was said. */
	saidAgoMs: z.array(z.number()),
	heloName: z.string(),
	roundTrips: z.int(),
	tally: z.object({ asked: z.int(), rejected: z.int() }),
	perTransaction: z.int(),
});

const pauseReason = z.enum(['probe_blocked', 'rate_limited', 'unavailable_smtp']);
const index = z.int().min(0);

/** The outcome for one target. `conversation` is an index into the answer's `conversations`. */
const result = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('heard'),
		host: hostName,
		viaBackup: z.boolean(),
		conversation: index,
		/** Its index among the conversation's targets. */
		target: index,
		/** An index into the answer's `invented`. */
		invented: index,
	}),
	/** The host or its operator has recently blocked or slowed us down, so it is not asked for a while. */
	z.object({ kind: z.literal('paused'), why: pauseReason }),
	/** Our own capacity for the host is used up: ask again after `inMs` milliseconds. */
	z.object({ kind: z.literal('postponed'), inMs: z.number().min(0) }),
	z.object({ kind: z.literal('no_connect'), egress: z.string(), tried: z.int() }),
	z.object({ kind: z.literal('dns_error') }),
	z.object({ kind: z.literal('unroutable') }),
]);

const step = z.discriminatedUnion('step', [
	z.object({ step: z.literal('dial'), address: z.string(), egress: z.string(), outcome: z.string() }),
	/** `invented`: the replies to invented recipients that were known by then. */
	z.object({ step: z.literal('conversation'), conversation: index, host: hostName, invented: index }),
	z.object({ step: z.literal('wait'), ms: z.int(), why: z.string() }),
	z.object({ step: z.literal('paused'), host: z.string(), why: z.string() }),
]);

export const answer = z.object({
	/** In the order of the question's targets; null: the time was up before a host was asked. */
	results: z.array(result.nullable()),
	conversations: z.array(conversation),
	/** The hosts' replies to invented recipients, from these conversations or recent ones. */
	invented: z.array(z.array(recipientReply)),
	/** The steps of the work, in order. */
	trace: z.array(step),
	/** Attempts to connect. Times are milliseconds before the answer was sent. */
	tried: z.array(
		z.object({
			host: hostName,
			address: z.string(),
			egress: z.string(),
			begunAgoMs: z.number(),
			endedAgoMs: z.number(),
			worked: z.boolean(),
			unexplained: z.boolean(),
		}),
	),
});
export type WireAnswer = z.output<typeof answer>;

/**
 * Why a prober did not answer. The status is 4xx or 5xx if the prober refuses before it begins to work; later it is 200,
 * as with an answer, because the head of the response was sent before the work.
 */
export const refusal = z.object({
	error: z.enum([
		'draining',
		'overloaded',
		/** All its egresses fail, or speak no SOCKS5. */
		'no_way_out',
		'nonsense_way_out',
		'invalid',
		'unauthorized',
		'failed',
	]),
	message: z.string(),
});
export type Refusal = z.output<typeof refusal>;

/** The answer of a prober to `GET /healthz`, which needs no token. */
export const health = z.object({
	status: z.enum(['ok', 'draining']),
	problems: z.array(z.string()).default([]),
});
export type Health = z.output<typeof health>;
