import * as z from 'zod';
import { parseAddress } from '../../core/address/parse-address.ts';
import { operatorWords } from '../../core/mail-operators/operators.ts';
import * as statuses from '../../core/verification/sub-status.ts';
import { EVIDENCE_STEPS, STEPS_MAX, TEXT_MAX } from '../../core/verification/evidence.ts';
import * as results from '../../core/verification/render.ts';
import { assert } from '../../lib/assert.ts';
import {
	choice,
	component,
	count,
	flag,
	flagOrNull,
	moment,
	openWord,
	requestBody,
	score,
	text,
	textOrNull,
	word,
	wrong,
} from './fields.ts';

// Examples. One story: a list of July with two addresses, one of them of a catch-all domain.

/** When the list of the examples was completed. */
export const DONE_AT = '2026-07-01T10:00:08.000Z';
const GOOGLE = { smtpProvider: 'google', mxRecord: 'aspmx.l.google.com' } as const;

/** The answer of the service for an address with this outcome, so that no example can contradict it. */
export function exampleOf(
	email: string,
	outcome: Partial<results.Outcome>,
	suggestedDomain: string | null = null,
): results.VerificationResult {
	const parsed = parseAddress(email);
	assert(parsed.ok, 'an example has an address');
	const isRole = email.startsWith('info@');
	const not = { freeEmail: false, disposable: false, noReply: false, suggestedDomain } as const;
	const all = { ...results.decidedBy('smtp', 'accepted_email'), ...outcome };
	return results.renderResult(parsed.address, { ...not, roleAccount: isRole }, all, Date.parse(DONE_AT));
}

/** An address whose mail server accepts it. */
export const DELIVERABLE = exampleOf('info@acme.com', { ...GOOGLE, catchAll: false });
/** An address of a catch-all domain, resolved by the deeper check. */
export const CATCH_ALL = exampleOf('jane@catch-all.example', {
	...GOOGLE,
	subStatus: 'catch_all_valid',
	catchAll: true,
	catchAllScore: 87,
});
/** An address whose mail server did not answer. */
export const UNKNOWN = exampleOf('jane@slow.example', { subStatus: 'timeout', mxRecord: 'mx.slow.example' });

const general = z.object({
	domain: text('The domain, in lower case and in A-labels (`xn--…`)'),
	reason: text('Why the status is what it is, in plain words for people'),
	validation_method: word(
		results.VALIDATION_METHODS,
		'What decided: a conversation with the mail server, the DNS, or a list of ours',
	),
});

const attributes = z.object({
	free_email: flag('Whether the domain is a provider of free mailboxes'),
	role_account: flag('Whether the name is that of a role: `info`, `sales`'),
	disposable: flag('Whether the domain belongs to a service of throw-away mailboxes'),
	catch_all: flagOrNull('Whether the domain accepts every address; null: not checked, or not known'),
	has_plus_tag: flag('Whether the name has a tag: `jane+lists`'),
	mailbox_full: flagOrNull('Whether the mailbox is over its quota; null: not checked, or not known'),
	no_reply: flag('Whether the name says that the mailbox is never read: `noreply`'),
	privacy_relay: flag(
		'Whether the domain forwards to hidden mailboxes of real people, as DuckDuckGo and Firefox Relay do',
	),
	gibberish: flagOrNull(
		'Whether the name was typed at random: `hfjsdkfh`; null: not known, as in scripts that we do not judge',
	),
});

export const smtpProvider = openWord(operatorWords('others'), 'Who runs the mail server; null: not known.')
	.nullable()
	.openapi('SmtpProvider');
export const gateway = openWord(
	operatorWords('gateways'),
	'The mail security gateway in front of the mailboxes; null: none is known.',
)
	.nullable()
	.openapi('Gateway');

const mailServer = z.object({
	smtp_provider: smtpProvider,
	mx_record: textOrNull('The mail exchanger of the domain; null without an MX record'),
	implicit_mx: textOrNull(
		'Without MX records, the host that takes the mail instead (RFC 5321 §5.1); otherwise null',
	),
	gateway,
});

const cut = z.string().max(TEXT_MAX);

/** One step that led to an answer. */
export const evidence = component('Evidence', 'One step that led to an answer', null, {
	step: openWord(EVIDENCE_STEPS, 'What happened.', /^[a-z]+$/),
	at_ms: count('When, in milliseconds since the examination began'),
	host: cut.describe('The mail server').optional(),
	code: z.int().min(200).max(599).optional().describe('The code of its reply'),
	enhanced: text('The enhanced status of its reply, such as `5.1.1` (RFC 3463)').optional(),
	text: cut
		.optional()
		.describe(
			'What was found or replied, printable and cut off. Our own names and IP addresses are replaced by `[ours]` and `[address]`',
		),
	rule: text('The rule of ours that read it. Rules come and go').optional(),
	source: text('Where the rule stands').optional(),
	likelihood: z
		.number()
		.min(0)
		.max(1)
		.optional()
		.describe('Where no rule knows the words: how likely they say that there is no such mailbox'),
});

export const verification = component('Verification', 'What is known of one address', DELIVERABLE, {
	email: text('The address as given, trimmed, the domain in lower case'),
	is_valid: flag('Whether `status` is `deliverable`'),
	status: word(statuses.STATUSES, 'The answer. These four words stay as they are'),
	risk_level: word(results.RISK_LEVELS, 'How risky a message to the address is; never at odds with status'),
	deliverability_score: score(
		`How likely a message arrives, 0 to 100. ${statuses.VALID_FROM} and above is \`deliverable\`, ${statuses.INVALID_UP_TO} and below \`undeliverable\`, never otherwise. On a catch-all domain it is \`catch_all_score\`; in a row of a list whose status a later task does not change, the nearest score of that status`,
	),
	action: word(
		statuses.ACTIONS,
		'What to do before a message is sent: `send` to what is `deliverable`, `drop` what is `undeliverable`, `retry` an `unknown` after `retry_after` seconds, `hold` what is `risky` and every other `unknown`. A form lets `hold` and `retry` in. These four words stay as they are',
	),
	did_you_mean: textOrNull('The address at a large provider that was probably meant; null: no such slip'),
	canonical_email: text(
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
			sub_status: openWord(
				Object.keys(statuses.SUB_STATUSES) as statuses.SubStatus[],
				'Why, as a word for programs.',
			),
		})
		.describe('Why the answer is what it is'),
	verified_at: moment('When the answer was found'),
	catch_all_score: score(
		'On a catch-all domain where the deeper check ran: how likely the mailbox exists, 0 to 100',
	).optional(),
	catch_all_verdict: word(
		statuses.CATCH_ALL_VERDICTS,
		'On a catch-all domain where the deeper check ran: what it found',
	).optional(),
	read_as: text('The address, where the call sent more than that: a name before it, or `mailto:`').optional(),
	evidence: z
		.array(evidence)
		.max(STEPS_MAX)
		.readonly()
		.optional()
		.describe('The steps that led to the answer; only where the call asks for them'),
}) satisfies z.ZodType<results.VerificationResult>;

const TIMEOUT_MS = { min: 500, max: 20_000 } as const;
const SENT = { email: DELIVERABLE.email };
const TIMEOUT = wrong(`a whole number from ${TIMEOUT_MS.min} to ${TIMEOUT_MS.max}`);

/** POST /v1/verify, request. Unknown fields are ignored, since real clients send some. */
export const verifyRequest = requestBody('VerifyRequest', 'The address to verify', SENT, 'an email', {
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
	explain: choice('Whether the answer holds `evidence`: the steps that led to it. Left out: false'),
});
