import { z } from 'zod';

// What the Worker asks a prober, and what it hears: the one schema of both sides. A field that a later version adds is
// optional, and what a side does not know it does not read: so a prober of the previous version still works.

/** In the path of every request. */
export const PROBER_PATH = '/v1/questions';
/** A question, and an answer, as JSON. */
export const MESSAGE_OCTETS_MAX = 1_048_576;
/** Of one question: a part holds no more. */
export const TARGETS_MAX = 250;
export const HOSTS_MAX = 5;
export const ADDRESSES_PER_HOST_MAX = 4;

// RFC 5321 §4.5.3.1: 64 octets, `@`, 255. No line end may get into a command, nor anything that ends the path but within
// quotes (RFC 5321 §4.1.2).
const mailbox = z
	.string()
	.min(3)
	.max(320)
	.regex(/^(?:[^\s<>\p{Cc}"]+|"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*")@[^\s<>@\p{Cc}]+$/u);
const hostName = z.string().min(1).max(255);

export const question = z.object({
	domain: hostName,
	/** Best preference first, with the addresses that the resolver found: checked here, and again by the prober. */
	hosts: z
		.array(
			z.object({
				name: hostName,
				addresses: z.array(z.string().max(45)).max(ADDRESSES_PER_HOST_MAX),
				/** The name servers did not say what they are. */
				failed: z.boolean(),
			}),
		)
		.min(1)
		.max(HOSTS_MAX),
	/** There is no MX: the one host is the domain itself (RFC 5321 §5.1). */
	implicit: z.boolean(),
	targets: z.array(mailbox).min(1).max(TARGETS_MAX),
	needsSmtputf8: z.boolean(),
	/** Recipients that surely do not exist; null: what the domain says to them is known. */
	invented: z.object({ first: mailbox, further: z.array(mailbox).max(4) }).nullable(),
	/** How far a catch-all is looked into. */
	deep: z.enum(['never', 'catch_all', 'always']),
	/** Over a connection that nobody was asked about before. */
	fresh: z.boolean(),
	class: z.enum(['single', 'small', 'list']),
	/** Whose question it is, for fairness and standing: an account's id; null for whoever is not signed in. */
	asker: z.string().max(64).nullable(),
	/** Milliseconds that the answer may take from its arrival on: clocks of two machines differ. */
	budgetMs: z.int().min(0).max(120_000),
});
export type WireQuestion = z.output<typeof question>;

const reply = z.object({
	code: z.int().min(200).max(599),
	enhanced: z.string().nullable(),
	lines: z.array(z.string()),
});
const recipientReply = z.object({ recipient: z.string(), reply: reply.nullable() });
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
	roundTrips: z.int(),
	tally: z.object({ asked: z.int(), rejected: z.int() }),
	perTransaction: z.int(),
});

const pauseReason = z.enum(['probe_blocked', 'rate_limited']);
const index = z.int().min(0);

/** What came of one target. `conversation` is a place in the answer's conversations. */
const result = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('heard'),
		host: hostName,
		viaBackup: z.boolean(),
		conversation: index,
		/** Its place among the conversation's targets. */
		target: index,
		/** A place in the answer's `invented`. */
		invented: index,
	}),
	/** The host, or its operator, blocked or slowed us lately: it is left alone. */
	z.object({ kind: z.literal('paused'), why: pauseReason }),
	/** Our own capacity for the host is used up: it may be asked after so many milliseconds. */
	z.object({ kind: z.literal('postponed'), inMs: z.number().min(0) }),
	z.object({ kind: z.literal('no_connect'), egress: z.string() }),
	z.object({ kind: z.literal('dns_error') }),
	z.object({ kind: z.literal('unroutable') }),
]);

const step = z.discriminatedUnion('step', [
	z.object({ step: z.literal('dial'), address: z.string(), egress: z.string(), outcome: z.string() }),
	/** `invented`: what was known of them by then. */
	z.object({ step: z.literal('conversation'), conversation: index, host: hostName, invented: index }),
	z.object({ step: z.literal('wait'), ms: z.int(), why: z.string() }),
	z.object({ step: z.literal('paused'), host: z.string(), why: z.string() }),
]);

export const answer = z.object({
	/** Of the targets, in the question's order; null: time was up before a host was asked. */
	results: z.array(result.nullable()),
	conversations: z.array(conversation),
	/** What hosts said to invented recipients, now or lately. */
	invented: z.array(z.array(recipientReply)),
	/** What was done, in its order. */
	trace: z.array(step),
	/** Connections that were tried. Times are milliseconds before the answer was sent. */
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
 * Why a prober did not answer. With a status of 4xx or 5xx where that shows from the question, else, as the answer, with
 * 200: the head of the response is sent before the work.
 */
export const refusal = z.object({
	error: z.enum([
		'draining',
		'overloaded',
		/** All its ways out fail, or speak no SOCKS5. */
		'no_way_out',
		'nonsense_way_out',
		'invalid',
		'unauthorized',
		'failed',
	]),
	message: z.string(),
});
export type Refusal = z.output<typeof refusal>;

/** What `GET /healthz` of a prober tells, to whoever asks. */
export const health = z.object({
	status: z.enum(['ok', 'draining']),
	problems: z.array(z.string()).default([]),
});
export type Health = z.output<typeof health>;
