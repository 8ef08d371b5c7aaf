import * as z from 'zod';
import type { ReplyMeaning } from '../smtp/reply-rule.ts';
import { isUnknown, SUB_STATUSES } from './sub-status.ts';
import type { SubStatus, SubStatusOf } from './sub-status.ts';

// The outcome of asking a domain's mail hosts, as a prober sends it. The prober has read their replies; none is read again.
// A build of another day may know other words: an answer with such a word is none, so it decides nothing.

const unknownStatus = z.custom<SubStatusOf<'unknown'>>(
	(word) => typeof word === 'string' && Object.hasOwn(SUB_STATUSES, word) && isUnknown(word as SubStatus),
);

const target = z.discriminatedUnion('kind', [
	/** `certainly`: the reply is about the mailbox itself, so it holds even on a catch-all. */
	z.object({ kind: z.literal('accepted'), certainly: z.boolean() }),
	z.object({ kind: z.literal('rejected'), why: z.enum(['rejected_email', 'mailbox_disabled']) }),
	z.object({ kind: z.literal('full') }),
	z.object({ kind: z.literal('unknown'), why: unknownStatus }),
]);
/** The conclusion about the target. Only the answer to our RCPT of this very address proves anything about it. */
export type TargetFinding = z.output<typeof target>;

const interpretation = z.object({
	target,
	/** The conclusion from the invented recipients about the domain. `mixed`: some were accepted, some not. */
	invented: z.enum(['accepted', 'rejected', 'mixed', 'no_evidence']),
	/** The next step before the finding is believed. */
	advice: z.enum([
		'final',
		/** This host did not serve us at all; the next MX may (RFC 5321 §5.1). */
		'next_host',
		/** The host seems not to handle pipelined commands: ask once more, one command at a time. */
		'ask_in_lockstep',
		/** The answer is temporary: short greylisting and postscreen give such answers at first contact. */
		'ask_again_soon',
	]),
	/** The rule that matched the deciding reply, and the reply's code, for the explanation. Null: there was no reply. */
	rule: z.string().nullable(),
	replyCode: z.string().nullable(),
});
export type Interpretation = z.output<typeof interpretation>;

/** The meaning of the server's answer to one invented recipient. */
export type InventedReading = ReplyMeaning | 'no_reply';

const wording = z.tuple([z.string(), z.string()]).readonly().nullable();

/** The outcome of asking about one target. */
export const finding = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('heard'),
		host: z.string().min(1).max(255),
		interpretation,
		/**
		 * The words by which the conversation accepted the target, and all invented recipients (`core/catchall/reply-difference.ts`);
		 * null: it did not, or fewer than two were asked, or they heard different words.
		 */
		words: z.object({ target: wording, invented: wording }),
		/** How the replies to invented recipients read, of this conversation or an earlier one about the domain. */
		readings: z.array(z.custom<InventedReading>((word) => typeof word === 'string')).readonly(),
		/** A host of better preference had failed before this one answered. */
		viaBackup: z.boolean(),
		/** The conversation went over to TLS. */
		secured: z.boolean(),
	}),
	/** Not asked: the host, or its operator, blocked or rate-limited us lately. */
	z.object({ kind: z.literal('paused'), why: z.enum(['probe_blocked', 'rate_limited', 'unavailable_smtp']) }),
	/** Not asked: our own capacity for the host is used up until then (epoch ms). */
	z.object({ kind: z.literal('postponed'), until: z.number() }),
	/** No host took a connection. `tried`: how many were dialled. */
	z.object({ kind: z.literal('no_connect'), tried: z.int() }),
	/** The hosts' IP addresses could not be looked up in time. */
	z.object({ kind: z.literal('dns_error') }),
	/** Every host has only private or invalid addresses, or none. */
	z.object({ kind: z.literal('unroutable') }),
]);
export type Finding = z.output<typeof finding>;

/** The outcome for a target that a host replied to. */
export type Heard = Extract<Finding, { kind: 'heard' }>;
