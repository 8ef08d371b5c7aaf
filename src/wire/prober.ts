import { z } from 'zod';
import { INVENTED_READINGS } from '../core/verification/finding.ts';
import { EVIDENCE_STEPS, STEPS_MAX, TEXT_MAX } from '../core/verification/evidence.ts';
import { UNKNOWN_STATUSES } from '../core/verification/sub-status.ts';

// The questions of the Worker to a prober, and the answers: the schema of both sides. Fields that a later version adds
// are optional, and unknown fields are ignored. A larger change takes another `VERSION`: both sides refuse messages of
// another version, as if the prober were away. Proxies know the path, so it stays.

export const PROBER_PATH = '/v1/questions';
/** 1 answered with transcripts, 2 also with each attempt to connect. */
export const VERSION = 4;
/** The most octets of a question, and of an answer, as JSON. */
export const MESSAGE_OCTETS_MAX = 1_048_576;
/** The most targets of a question, which is one conversation where the host allows it. */
export const TARGETS_MAX = 20;
export const HOSTS_MAX = 5;
/** Recipients that surely do not exist. */
const INVENTED_MAX = 5;
export const ADDRESSES_PER_HOST_MAX = 4;

// RFC 5321 §4.5.3.1: 64 octets, `@`, 255. A mailbox becomes part of an SMTP command, so it must not hold a line end, nor
// a character that ends the path, unless quoted (RFC 5321 §4.1.2). Nor may it hold a separator of lines in UTF-8 alone, or a hidden character.
const mailbox = z
	.string()
	.min(3)
	.max(320)
	.regex(/^(?:[^\s<>\p{Cc}\p{Cf}"]+|"(?:[^"\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\\[ -~])*")@[^\s<>@\p{Cc}\p{Cf}]+$/u);
const hostName = z.string().min(1).max(255);

/** A `Question` (engine/question.ts) whose times count from its arrival, since the clocks of two machines differ. */
export const question = z.object({
	version: z.literal(VERSION),
	domain: hostName,
	// Both the Worker and the prober check the addresses.
	hosts: z
		.array(
			z.object({
				name: hostName,
				addresses: z.array(z.string().max(45)).max(ADDRESSES_PER_HOST_MAX).readonly(),
				failed: z.boolean(),
			}),
		)
		.min(1)
		.max(HOSTS_MAX)
		.readonly(),
	implicit: z.boolean(),
	targets: z.array(mailbox).min(1).max(TARGETS_MAX).readonly(),
	needsSmtputf8: z.boolean(),
	invented: z
		.object({
			first: mailbox,
			further: z
				.array(mailbox)
				.max(INVENTED_MAX - 1)
				.readonly(),
		})
		.nullable(),
	deep: z.enum(['never', 'catch_all', 'always']),
	fresh: z.boolean(),
	class: z.enum(['single', 'small', 'list']),
	asker: z.string().max(64).nullable(),
	isTrial: z.boolean().optional(),
	owner: z.string().max(64).optional(),
	/** Until `paysUntil`, in milliseconds. */
	paysMs: z.int().min(0).optional(),
	/** Until the deadline, in milliseconds. */
	budgetMs: z.int().min(0).max(120_000),
	/** The prober sends news: a line of JSON, before the answer. */
	tells: z.boolean(),
	behind: z.int().min(0).max(1_000_000).optional(),
	explain: z.boolean().optional(),
});
export type WireQuestion = z.output<typeof question>;

/** A host accepted an invented recipient, or did so lately: the answer, which counts, may need look-ups. */
export const news = z.object({ catchAll: z.literal(true) });

const word = z.string().max(80);
const targetFinding = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('accepted'), certainly: z.boolean() }),
	z.object({ kind: z.literal('rejected'), why: z.enum(['rejected_email', 'mailbox_disabled']) }),
	z.object({ kind: z.literal('full') }),
	z.object({ kind: z.literal('unknown'), why: z.enum(UNKNOWN_STATUSES) }),
]);
const wording = z.tuple([word, word]).readonly().nullable();

const heard = z.object({
	kind: z.literal('heard'),
	host: hostName,
	viaBackup: z.boolean(),
	interpretation: z.object({
		target: targetFinding,
		invented: z.enum(['accepted', 'rejected', 'mixed', 'no_evidence']),
		advice: z.enum(['final', 'next_host', 'ask_in_lockstep', 'ask_again_soon']),
		rule: word.nullable(),
		replyCode: z.string().max(20).nullable(),
	}),
	readings: z.array(z.enum(INVENTED_READINGS)).max(INVENTED_MAX).readonly(),
	words: z.object({ target: wording, invented: wording }),
	secured: z.boolean(),
});

/** A `Finding` (core/verification/finding.ts) about one target. The Worker knows the operator by the host. */
const finding = z.discriminatedUnion('kind', [
	heard,
	z.object({ kind: z.literal('paused'), why: z.enum(['probe_blocked', 'rate_limited', 'unavailable_smtp']) }),
	/** To be asked again after so many milliseconds. */
	z.object({ kind: z.literal('postponed'), inMs: z.number().min(0) }),
	z.object({ kind: z.literal('no_connect'), tried: z.int() }),
	z.object({ kind: z.literal('dns_error') }),
	z.object({ kind: z.literal('unroutable') }),
]);

/** A step of the evidence, `agoMs` before the answer was sent. */
const step = z.object({
	step: z.enum(EVIDENCE_STEPS),
	agoMs: z.number(),
	host: z.string().max(TEXT_MAX).exactOptional(),
	code: z.int().min(0).max(999).exactOptional(),
	enhanced: z.string().max(20).exactOptional(),
	text: z.string().max(TEXT_MAX).exactOptional(),
	rule: word.exactOptional(),
	source: word.exactOptional(),
	likelihood: z.number().min(0).max(1).exactOptional(),
});

export const answer = z.object({
	version: z.literal(VERSION),
	/** The version of the rules that read the replies. */
	rules: word,
	/** In the order of the question's targets; null: the time was up before a host was asked. */
	results: z.array(finding.nullable()).max(TARGETS_MAX),
	/** The steps of the work, in order, if the question wants them. */
	evidence: z.array(step).max(STEPS_MAX),
	/** The recipients that mail hosts replied to, invented ones included. */
	recipients: z.int().min(0),
});
export type WireAnswer = z.output<typeof answer>;

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
