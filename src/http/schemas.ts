import { z } from '@hono/zod-openapi';
import { API_ERROR_CODES, ERRORS } from '../core/errors/error-table.ts';
import { ACTIONS, INVALID_UP_TO, VALID_FROM } from '../core/verification/bands.ts';
import { EVIDENCE_STEPS, STEPS_MAX, TEXT_MAX } from '../core/verification/evidence.ts';
import { operatorWords } from '../core/mail-operators/operators.ts';
import { CATCH_ALL_VERDICTS, RISK_LEVELS, VALIDATION_METHODS } from '../core/verification/render.ts';
import type { CatchAllVerdict, VerificationResult } from '../core/verification/render.ts';
import { STATUSES, SUB_STATUSES } from '../core/verification/sub-status.ts';
import type { SubStatus } from '../core/verification/sub-status.ts';
import { count, creditCount, openWord, score, time, wrong } from './fields.ts';

const flag = z.boolean().nullable();
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
	}) satisfies z.ZodType<PublishedVerification>;

export const credits = z
	.object({
		balance: creditCount.describe(
			'availableCredits + reservedCredits = totalPurchased - totalConsumed, in credits',
		),
		availableCredits: creditCount.describe('What new work can use, in credits'),
		reservedCredits: creditCount.describe('Set aside for work in progress, in credits'),
		totalPurchased: creditCount.describe('Every grant since the account was made, the trial too, in credits'),
		totalConsumed: z
			.int()
			.openapi({ format: 'int64' })
			.describe('Charged since the account was made, less refunds, in credits'),
		totalRefunded: creditCount.describe('Given back for each `unknown`, in credits; for information'),
		transactionCount: count.describe('Lines of the ledger'),
		lastTransactionAt: time.nullable().describe('When the last of them was written; null: there is none'),
	})
	.openapi('Credits', { description: 'The credits of the account' });

const CODES = API_ERROR_CODES.map((code) => `- \`${code}\` (${ERRORS[code].status}): ${ERRORS[code].when}`);

const errorCode = z.string().openapi('ErrorCode', {
	description: `A stable word for programs. New ones may come: go by the status then.\n${CODES.join('\n')}`,
	pattern: '^[a-z_]+$',
	example: 'job_not_completed',
});

const requestId = z
	.string()
	.describe('The name of the request, as in X-Request-Id: tell it when you ask us about the answer');

export const failure = z
	.object({
		success: z.literal(false).describe('Always false'),
		error: z.string().describe('What is wrong, for people. The words may change'),
		message: z.string().describe('The same text as `error`, for clients that read this field'),
		code: errorCode,
		requestId,
		param: z
			.string()
			.optional()
			.describe('Where one field, query parameter or header is wrong: its name, such as `emails[3]`'),
		docs: z.string().optional().describe('Beside `param`: the page of the call in the reference'),
	})
	.openapi('Error', {
		description: 'Why there is no answer',
		example: {
			success: false,
			error: ERRORS.api_key_invalid.says,
			message: ERRORS.api_key_invalid.says,
			code: 'api_key_invalid',
			requestId: 'req_1f0c',
		},
	});

export const rateLimited = z
	.object({
		success: z.literal(false).describe('Always false'),
		message: z.string().describe('What is wrong, for people'),
	})
	.openapi('RateLimited', {
		description: 'The window is used up: wait RateLimit-Reset seconds',
		example: { success: false, message: ERRORS.rate_limited.says },
	});

/** The envelope of a success. `meta` always has `requestId`. */
export function success<D extends z.ZodType, M extends z.ZodRawShape>(data: D, meta: M) {
	return z.object({
		success: z.literal(true).describe('Always true'),
		data,
		meta: z.object({ requestId, ...meta }).describe('About the request'),
	});
}

/** The version of the API and of its changelog. */
export const API_VERSION = '0.1.0';
