import { z } from '@hono/zod-openapi';
import { operatorWords } from '../../core/mail-operators/operators.ts';
import { ACTIONS, INVALID_UP_TO, VALID_FROM } from '../../core/verification/bands.ts';
import { EVIDENCE_STEPS, STEPS_MAX, TEXT_MAX } from '../../core/verification/evidence.ts';
import { CATCH_ALL_VERDICTS, RISK_LEVELS, VALIDATION_METHODS } from '../../core/verification/render.ts';
import type { CatchAllVerdict, VerificationResult } from '../../core/verification/render.ts';
import { STATUSES, SUB_STATUSES } from '../../core/verification/sub-status.ts';
import type { SubStatus } from '../../core/verification/sub-status.ts';
import { count, openWord, score, time, wrong } from './fields.ts';
import { ACCEPTED_JUDGEMENT, CATCH_ALL_DOMAIN, CATCH_ALL_MX } from './task-example.ts';

// Examples. One story: a list of July with two addresses, one of them of a catch-all domain.

/** When the list of the examples was completed. */
export const DONE_AT = '2026-07-01T10:00:08.000Z';

/** An address whose mail server accepts it. */
export const DELIVERABLE = {
	email: 'info@acme.com',
	is_valid: true,
	status: 'deliverable',
	risk_level: 'medium',
	deliverability_score: 90,
	action: 'send',
	did_you_mean: null,
	canonical_email: 'info@acme.com',
	retry_after: null,
	details: {
		general: {
			domain: 'acme.com',
			reason: 'The mail server accepts this mailbox',
			validation_method: 'smtp',
		},
		attributes: {
			free_email: false,
			role_account: true,
			disposable: false,
			catch_all: false,
			has_plus_tag: false,
			mailbox_full: false,
			no_reply: false,
			privacy_relay: false,
			gibberish: false,
		},
		mail_server: {
			smtp_provider: 'google',
			mx_record: 'aspmx.l.google.com',
			implicit_mx: null,
			gateway: null,
		},
		sub_status: 'accepted_email',
	},
	verified_at: DONE_AT,
} as const satisfies VerificationResult;

/** An address of a catch-all domain, resolved by the deeper check. */
export const CATCH_ALL: VerificationResult = {
	...DELIVERABLE,
	email: `jane@${CATCH_ALL_DOMAIN}`,
	canonical_email: `jane@${CATCH_ALL_DOMAIN}`,
	risk_level: 'low',
	deliverability_score: ACCEPTED_JUDGEMENT.score,
	details: {
		general: {
			domain: CATCH_ALL_DOMAIN,
			reason: SUB_STATUSES[ACCEPTED_JUDGEMENT.subStatus].reason,
			validation_method: 'smtp',
		},
		attributes: { ...DELIVERABLE.details.attributes, role_account: false, catch_all: true },
		mail_server: { ...DELIVERABLE.details.mail_server, mx_record: CATCH_ALL_MX },
		sub_status: ACCEPTED_JUDGEMENT.subStatus,
	},
	catch_all_score: ACCEPTED_JUDGEMENT.score,
	catch_all_verdict: ACCEPTED_JUDGEMENT.verdict,
};

/** An address for which no mail server could be asked. */
export const UNKNOWN: VerificationResult = {
	...DELIVERABLE,
	email: 'jane@slow.example',
	canonical_email: 'jane@slow.example',
	retry_after: 300,
	is_valid: false,
	status: 'unknown',
	deliverability_score: 50,
	action: 'retry',
	details: {
		general: {
			domain: 'slow.example',
			reason: "The recipient's mail server timed out",
			validation_method: 'smtp',
		},
		attributes: {
			...DELIVERABLE.details.attributes,
			role_account: false,
			catch_all: null,
			mailbox_full: null,
		},
		mail_server: { smtp_provider: null, mx_record: 'mx.slow.example', implicit_mx: null, gateway: null },
		sub_status: 'timeout',
	},
};

/** A row of a list: there the deeper check has not run. */
export const RISKY: VerificationResult = {
	...DELIVERABLE,
	email: `jane@${CATCH_ALL_DOMAIN}`,
	canonical_email: `jane@${CATCH_ALL_DOMAIN}`,
	is_valid: false,
	status: 'risky',
	deliverability_score: 50,
	action: 'hold',
	details: {
		...CATCH_ALL.details,
		general: {
			...CATCH_ALL.details.general,
			reason:
				'The domain is a catch-all: it accepts every address, so acceptance says nothing about this one',
		},
		sub_status: 'catch_all',
	},
};

const flag = z.boolean().nullable();
/** The OpenAPI generator only treats a field as optional if its schema accepts `undefined`. */
interface PublishedVerification extends Omit<
	VerificationResult,
	'catch_all_score' | 'catch_all_verdict' | 'evidence' | 'read_as'
> {
	catch_all_score?: number | undefined;
	catch_all_verdict?: CatchAllVerdict | undefined;
	read_as?: string | undefined;
	evidence?: readonly z.infer<typeof evidence>[] | undefined;
}

const general = z.object({
	domain: z.string().describe('The domain, in lower case and in A-labels (`xn--…`)'),
	reason: z.string().describe('Why the status is what it is, in plain words for people'),
	validation_method: z
		.enum(VALIDATION_METHODS)
		.describe('What decided: a conversation with the mail server, the DNS, or a list of ours'),
});

const attributes = z.object({
	free_email: z.boolean().describe('Whether the domain is a provider of free mailboxes'),
	role_account: z.boolean().describe('Whether the name is that of a role: `info`, `sales`'),
	disposable: z.boolean().describe('Whether the domain belongs to a service of throw-away mailboxes'),
	catch_all: flag.describe('Whether the domain accepts every address; null: not checked, or not known'),
	has_plus_tag: z.boolean().describe('Whether the name has a tag: `jane+lists`'),
	mailbox_full: flag.describe('Whether the mailbox is over its quota; null: not checked, or not known'),
	no_reply: z.boolean().describe('Whether the name says that the mailbox is never read: `noreply`'),
	privacy_relay: z
		.boolean()
		.describe(
			'Whether the domain forwards to hidden mailboxes of real people, as DuckDuckGo and Firefox Relay do',
		),
	gibberish: flag.describe(
		'Whether the name was typed at random: `hfjsdkfh`; null: not known, as in scripts that we do not judge',
	),
});

const mailServer = z.object({
	smtp_provider: openWord(operatorWords('others'), 'Who runs the mail server; null: not known.').nullable(),
	mx_record: z.string().nullable().describe('The mail exchanger of the domain; null without an MX record'),
	implicit_mx: z
		.string()
		.nullable()
		.describe('Without MX records, the host that takes the mail instead (RFC 5321 §5.1); otherwise null'),
	gateway: openWord(
		operatorWords('gateways'),
		'The mail security gateway in front of the mailboxes; null: none is known.',
	).nullable(),
});

const text = z.string().max(TEXT_MAX);

/** One step that led to an answer. */
export const evidence = z
	.object({
		step: openWord(EVIDENCE_STEPS, 'What happened.', /^[a-z]+$/),
		at_ms: count.describe('When, in milliseconds since the examination began'),
		host: text.optional().describe('The mail server'),
		code: z.int().min(200).max(599).optional().describe('The code of its reply'),
		enhanced: z.string().optional().describe('The enhanced status of its reply, such as `5.1.1` (RFC 3463)'),
		text: text
			.optional()
			.describe(
				'What was found or replied, printable and cut off. Our own names and IP addresses are replaced by `[ours]` and `[address]`',
			),
		rule: z.string().optional().describe('The rule of ours that read it. Rules come and go'),
		source: z.string().optional().describe('Where the rule stands'),
		likelihood: z
			.number()
			.min(0)
			.max(1)
			.optional()
			.describe('Where no rule knows the words: how likely they say that there is no such mailbox'),
	})
	.openapi('Evidence', { description: 'One step that led to an answer' });

export const verification = z
	.object({
		email: z.string().describe('The address as given, trimmed, the domain in lower case'),
		is_valid: z.boolean().describe('Whether `status` is `deliverable`'),
		status: z.enum(STATUSES).describe('The answer. These four words stay as they are'),
		risk_level: z
			.enum(RISK_LEVELS)
			.describe('How risky a message to the address is; never at odds with status'),
		deliverability_score: score.describe(
			`How likely a message arrives, 0 to 100. ${VALID_FROM} and above is \`deliverable\`, ${INVALID_UP_TO} and below \`undeliverable\`, never otherwise. On a catch-all domain it is \`catch_all_score\`; in a row of a list whose status a later task does not change, the nearest score of that status`,
		),
		action: z
			.enum(ACTIONS)
			.describe(
				'What to do before a message is sent: `send` to what is `deliverable`, `drop` what is `undeliverable`, `retry` an `unknown` after `retry_after` seconds, `hold` what is `risky` and every other `unknown`. A form lets `hold` and `retry` in. These four words stay as they are',
			),
		did_you_mean: z
			.string()
			.nullable()
			.describe('The address at a large provider that was probably meant; null: no such slip'),
		canonical_email: z
			.string()
			.describe(
				'The same mailbox by the rules of its operator: at Gmail without dots and tag; without a plus tag and in lower case where the operator reads it so; otherwise the address',
			),
		retry_after: z
			.int()
			.min(1)
			.nullable()
			.describe(
				'Of an `unknown` that another question may change: after how many seconds to ask; null otherwise',
			),
		details: z
			.object({
				general: general.describe('What was decided, and by what'),
				attributes: attributes.describe('What is known of the address, whatever its status'),
				mail_server: mailServer.describe('Who receives the mail of the domain'),
				sub_status: openWord(Object.keys(SUB_STATUSES) as SubStatus[], 'Why, as a word for programs.'),
			})
			.describe('Why the answer is what it is'),
		verified_at: time.describe('When the answer was found, ISO 8601 in UTC'),
		catch_all_score: score
			.optional()
			.describe('On a catch-all domain where the deeper check ran: how likely the mailbox exists, 0 to 100'),
		catch_all_verdict: z
			.enum(CATCH_ALL_VERDICTS)
			.optional()
			.describe('On a catch-all domain where the deeper check ran: what it found'),
		read_as: z
			.string()
			.optional()
			.describe('The address, where the call sent more than that: a name before it, or `mailto:`'),
		evidence: z
			.array(evidence)
			.max(STEPS_MAX)
			.readonly()
			.optional()
			.describe('The steps that led to the answer; only where the call asks for them'),
	})
	.openapi('Verification', {
		description: 'What is known of one address',
		example: DELIVERABLE,
	}) satisfies z.ZodType<PublishedVerification>;

const TIMEOUT_MS = { min: 500, max: 20_000 } as const;
const TIMEOUT = wrong(`a whole number from ${TIMEOUT_MS.min} to ${TIMEOUT_MS.max}`);

/** POST /v1/verify, request. Unknown fields are ignored, since real clients send some. */
export const verifyRequest = z
	.object(
		{
			email: z
				.string({ error: 'Missing or invalid parameter: email must be a string' })
				.describe(
					'The address, up to 254 octets. White space around it, a name before it (`Jane <jane@acme.com>`) and `mailto:` are ignored',
				),
			mode: z
				.enum(['full', 'quick'], wrong('full or quick'))
				.optional()
				.describe(
					'How thorough: `full`, which is the default, or `quick`. `quick` asks no mail server: syntax, lists and DNS decide, in milliseconds. What they leave open is `unknown` (`not_asked`) and free',
				),
			timeoutMs: z
				.int(TIMEOUT)
				.min(TIMEOUT_MS.min, TIMEOUT)
				.max(TIMEOUT_MS.max, TIMEOUT)
				.optional()
				.describe(
					'The most that you wait, in milliseconds. If the mail server has not answered by then, the answer is `unknown` (`timeout`) and free, and the question goes on: the next call for the address within ten minutes gets its end, charged as usual. Left out: as long as it takes, up to 30 seconds',
				),
			explain: z
				.boolean(wrong('true or false'))
				.optional()
				.describe('Whether the answer holds `evidence`: the steps that led to it. Left out: false'),
		},
		{ error: 'The body must be a JSON object with an email' },
	)
	.openapi('VerifyRequest', { description: 'The address to verify', example: { email: 'info@acme.com' } });
