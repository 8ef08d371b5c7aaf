import * as z from 'zod';
import { STEPS_MAX } from '../core/verification/evidence.ts';
import type { TimedStep } from '../core/verification/evidence.ts';
import { finding } from '../core/verification/finding.ts';

// The questions of the Worker to a prober, and the answers: the schema of both sides. Fields that a later version adds
// are optional, and unknown fields are ignored. A larger change takes another `VERSION`: both sides refuse messages of
// another version, as if the prober were away. Proxies know the path, so it stays.

export const PROBER_PATH = '/v1/questions';
/** 1 and 2 answered with transcripts, 3 had times of its own and no operator. */
export const VERSION = 4;
/** The most octets of a question, and of an answer, as JSON. */
export const MESSAGE_OCTETS_MAX = 1_048_576;
/** The most targets of a question, which is one conversation where the host allows it. */
export const TARGETS_MAX = 20;
export const HOSTS_MAX = 5;
/** Recipients that surely do not exist. */
const INVENTED_MAX = 5;
export const ADDRESSES_PER_HOST_MAX = 4;
/** The most time for an answer. */
export const BUDGET_MS_MAX = 120_000;

// RFC 5321 §4.5.3.1: 64 octets, `@`, 255. A mailbox becomes part of an SMTP command, so it must not hold a line end, nor
// a character that ends the path, unless quoted (RFC 5321 §4.1.2). Nor may it hold a separator of lines in UTF-8 alone, or a hidden character.
const mailbox = z
	.string()
	.min(3)
	.max(320)
	.regex(/^(?:[^\s<>\p{Cc}\p{Cf}"]+|"(?:[^"\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\\[ -~])*")@[^\s<>@\p{Cc}\p{Cf}]+$/u);
const hostName = z.string().min(1).max(255);

/** A mail host and the addresses at which it may be dialled. */
const questionHost = z.object({
	name: hostName,
	/** Only those that may be dialled, in the order in which they are tried. Both sides check them. */
	addresses: z.array(z.string().max(45)).max(ADDRESSES_PER_HOST_MAX).readonly(),
	/** The DNS look-up of its addresses failed. */
	failed: z.boolean(),
});
export type QuestionHost = z.output<typeof questionHost>;

/** Recipients of the domain that surely do not exist. */
const invented = z.object({
	first: mailbox,
	/** Asked to confirm the first one's answer, where `deep` says so. */
	further: z
		.array(mailbox)
		.max(INVENTED_MAX - 1)
		.readonly(),
});
export type Invented = z.output<typeof invented>;

const question = z.object({
	domain: hostName,
	/** Best preference first. */
	hosts: z.array(questionHost).min(1).max(HOSTS_MAX).readonly(),
	/** There is no MX: the only host is the domain itself, whose name identifies no mail operator. */
	implicit: z.boolean(),
	/** `local@domain`, each once. */
	targets: z.array(mailbox).min(1).max(TARGETS_MAX).readonly(),
	/** The targets have non-ASCII local parts, which MAIL declares for all recipients (RFC 6531 §3.4). */
	needsSmtputf8: z.boolean(),
	/** Null: the domain's answer to invented recipients is known. */
	invented: invented.nullable(),
	deep: z.enum(['never', 'catch_all', 'always']),
	/** Use a new connection: a server's wording may differ for the first recipient of a connection. */
	fresh: z.boolean(),
	/**
	 * `single`: a caller is waiting, so a deferral is worth asking again after a few seconds. All others keep to the pace
	 * that the mail operator tolerates.
	 */
	class: z.enum(['single', 'small', 'list']),
	asker: z.string().max(64).nullable(),
	isTrial: z.boolean().optional(),
	owner: z.string().max(64).optional(),
	paysUntil: z.number().optional(),
	/** When the visit began that asks, epoch ms: an asker's oldest comes first, so that one ends before the next. Left out: now. */
	since: z.number().optional(),
	/** How many more mailboxes of the domain the asker has: a host without room for these has none for those. Left out: none. */
	behind: z.int().min(0).max(1_000_000).optional(),
	/** The answer tells the steps that led to it. Left out: it does not. */
	explain: z.boolean().optional(),
	/** Epoch milliseconds by which there must be an answer. */
	deadline: z.number(),
});
/** A question for a domain's mail hosts, by the party who asks (`core/turns/who.ts`). */
export type Question = Readonly<z.output<typeof question>>;

// The clocks of two machines differ. So a message says when it was sent, and its reader moves its times by the difference.
const envelope = { version: z.literal(VERSION), sentAt: z.number() };

export const sentQuestion = z
	.object({
		...envelope,
		/** The prober sends news: a line of JSON, before the answer. */
		tells: z.boolean(),
		question,
	})
	.refine(({ sentAt, question: { deadline } }) => deadline - sentAt <= BUDGET_MS_MAX, 'has too much time');
export type SentQuestion = z.output<typeof sentQuestion>;

/** The question by the clock of its reader, at `now` (epoch ms). */
export function questionAt(now: number, { sentAt, question: asked }: SentQuestion): Question {
	const behind = now - sentAt;
	const { paysUntil, since, deadline } = asked;
	const pays = paysUntil === undefined ? {} : { paysUntil: paysUntil + behind };
	const begun = since === undefined ? {} : { since: since + behind };
	return { ...asked, ...pays, ...begun, deadline: deadline + behind };
}

/** A host accepted an invented recipient, or did so lately: the answer, which counts, may need look-ups. */
export const news = z.object({ catchAll: z.literal(true) });

/** An answer on its way. A prober of ours wrote it under our token, and it bounds what mail hosts say. */
export const sentAnswer = z.object({
	...envelope,
	/** The version of the rules that read the replies. */
	rules: z.string(),
	/** In the order of the targets; null: the time was up before a host was asked about the target. */
	answers: z.array(finding.nullable()).max(TARGETS_MAX).readonly(),
	/** The steps to the answers, if they were asked for, in order. */
	evidence: z
		.array(z.custom<TimedStep>((one) => typeof one === 'object' && one !== null))
		.max(STEPS_MAX)
		.readonly(),
	/** The recipients that mail hosts replied to, invented ones included. */
	recipients: z.int().min(0),
});
export type SentAnswer = z.output<typeof sentAnswer>;
export type Asked = Readonly<Pick<SentAnswer, 'answers' | 'evidence' | 'recipients'>>;

/** The answer by the clock of its reader, at `now` (epoch ms). */
export function answerAt(now: number, { sentAt, answers, evidence, recipients }: SentAnswer): Asked {
	const behind = now - sentAt;
	return {
		answers: answers.map((one) => (one?.kind === 'postponed' ? { ...one, until: one.until + behind } : one)),
		evidence: evidence.map((step) => ({ ...step, at: step.at + behind })),
		recipients,
	};
}

/**
 * Why a prober did not answer. The status is 4xx or 5xx if the prober refuses before it begins to work; later it is 200,
 * as with an answer, because the head of the response was sent before the work.
 */
export const refusal = z.object({
	error: z.enum([
		'draining',
		/** It takes questions of another version: one of the two is to be upgraded, which is over in minutes. */
		'other_version',
		/** All its ways out fail: none reaches anybody, or no proxy takes a connection. */
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
