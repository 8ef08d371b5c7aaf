import * as z from 'zod';
import { bareAddress, describeFault, parseAddress } from '../core/address/parse-address.ts';
import { OUTCOME_KINDS, OWN_OUTCOMES } from '../core/outcomes/outcome.ts';
import { errorOf, ServiceError } from '../errors.ts';
import { recordOutcomes } from '../operations/outcomes/outcomes.ts';
import { enter } from './admission.ts';
import { endpoint, json } from './endpoint.ts';
import { credits, renderBalance } from './schemas/credits.ts';
import { component, count, listOf, requestBody, wrong } from './schemas/fields.ts';

// Clocks differ.
const AHEAD_MAX_MS = 5 * 60_000;

export const OUTCOMES_MAX = 1_000;

const outcome = z.object(
	{
		email: z.string(wrong('a string')).describe('The address of the message'),
		outcome: z.enum(OUTCOME_KINDS, wrong(OUTCOME_KINDS.join(' or '))).openapi({
			description: `\`delivered\`: no bounce within three days; it decides for ${OWN_OUTCOMES.delivered.keptDays} days. \`hard_bounce\`: the recipient's server refused the mailbox for good; it decides for ${OWN_OUTCOMES.hard_bounce.keptDays} days. Leave out blocks, spam verdicts and full mailboxes`,
		}),
		at: z.iso
			.datetime({ offset: true, ...wrong('a time like 2026-11-21T10:00:00Z') })
			.nullish()
			.openapi({ description: 'When that was, UTC; without it, now' }),
	},
	wrong('an object with email and outcome'),
);

const SENT = {
	outcomes: [
		{ email: 'jane@acme.com', outcome: 'delivered', at: '2026-11-21T10:00:00.000Z' },
		{ email: 'john@acme.com', outcome: 'hard_bounce' },
	],
};
const RECORDED = { accepted: 2, recorded: 2, unchanged: 0, expired: 0 };

/** POST /v1/feedback, request. */
export const feedbackRequest = requestBody(
	'FeedbackRequest',
	'What became of your messages',
	SENT,
	'outcomes',
	{
		outcomes: listOf(
			outcome,
			'objects',
			'outcomes',
			OUTCOMES_MAX,
			'The outcomes, at most one of them counts for each address: the newest',
		),
	},
);

export const feedback = component('Feedback', 'What was recorded', RECORDED, {
	accepted: count('Outcomes in the request: recorded + unchanged + expired'),
	recorded: count('New, or newer than what was known of the address'),
	unchanged: count('Known already, or older than what is known'),
	expired: count('So old that they would not decide any more'),
});

export const sendFeedback = endpoint('POST /v1/feedback', ['verify'], {
	id: 'sendFeedback',
	says: 'Report outcomes',
	more: `What became of your messages: up to ${OUTCOMES_MAX} outcomes. From then on they decide these addresses for this account, in single calls, lists and tasks; other accounts never see them. Of several outcomes of an address the newest counts, so that repeating a request changes nothing. Addresses are kept as keyed hashes only. Free of charge.`,
	body: feedbackRequest,
	gives: json(200, 'What was recorded', feedback),
	refuses: ['malformed_email'],
	run: async ({ c, services, credential, body, now }) => {
		const outcomes = body.outcomes.map((sent, index) => readOutcome(sent, index, now + AHEAD_MAX_MS));
		const result = await recordOutcomes(services, credential, outcomes);
		if (result.kind === 'too_many_today') {
			c.set('window', result.window);
			throw errorOf('rate_limited');
		}
		const { recorded, unchanged, expired } = result;
		return { data: { accepted: outcomes.length, recorded, unchanged, expired } };
	},
});

function readOutcome({ email, outcome: kind, at }: z.output<typeof outcome>, index: number, latest: number) {
	const parsed = parseAddress(bareAddress(email));
	if (!parsed.ok) {
		const param = `outcomes[${index}].email`;
		const text = `Malformed email: ${param}: ${describeFault(parsed.reason, email)}`;
		throw new ServiceError('malformed_email', text, { details: { param } });
	}
	const time = at === null || at === undefined ? null : Date.parse(at);
	if (time !== null && time > latest) {
		const param = `outcomes[${index}].at`;
		const text = `Invalid parameter: ${param} is in the future`;
		throw new ServiceError('invalid_parameter', text, { details: { param } });
	}
	return { address: parsed.address, kind, at: time };
}

export const getCredits = endpoint('GET /v1/credits', 'any key', {
	id: 'getCredits',
	says: 'Read the balance',
	more: '`balance` is what is available plus what is reserved, and all purchases less all net consumption.',
	// Its answer is what the admission knows.
	window: 'itself',
	gives: json(200, 'The balance', credits),
	run: async ({ c }) => ({ data: renderBalance((await enter(c, 'default')).balance) }),
});
