import * as z from 'zod';
import { DEDUPES } from '../../core/jobs/clean-list.ts';
import { choice, component, count, inCredits, requestBody, texts, trueOrFalse, wrong } from './fields.ts';
import { someCallback, someName } from './job.ts';

// A list as it is sent.

export const EMAILS_MAX = 50_000;

const RESCUE =
	'Run the deep check on catch-all addresses too, in the same job: each row is then what POST /v1/verify would say, and an `unknown` is refunded';

// Clients send flags of their own, which are ignored.
const sentFlags = z
	.preprocess(knownFlags, z.object({ auto_catchall_rescue: choice(RESCUE) }, wrong('an object')).optional())
	.openapi({ description: 'What the job is to do beside verifying. Other flags are ignored' });

/**
 * The flags that the API knows. It reads `autoCatchallRescue` too, and publishes one spelling: in generated Go or C# both
 * would be one identifier. Null counts as not sent.
 */
function knownFlags(sent: unknown): unknown {
	if (sent === null) return undefined;
	if (typeof sent !== 'object' || Array.isArray(sent)) return sent;
	const flags = sent as Readonly<Record<string, unknown>>;
	return { auto_catchall_rescue: flags['auto_catchall_rescue'] ?? flags['autoCatchallRescue'] ?? undefined };
}

const DRY_RUN =
	'True: clean the list, and answer what the job would hold and cost at most. Nothing is stored, reserved or remembered';
const dedupe = z
	.enum(DEDUPES, wrong('address or mailbox'))
	.optional()
	.describe(
		'What counts once. `address`, which is the default: repetitions ignoring case. `mailbox`: other spellings of a mailbox are duplicates, too, such as `j.doe+x@gmail.com` of `jdoe@gmail.com`, by the rules of large providers at their own domains. `rejected` names each, with the element that it repeats',
	);

/** POST /v1/verify-batch, query: what a body of text has no room for. A field of a JSON body counts first. */
export const batchQuery = z.object({
	column: z
		.string()
		.min(1, 'Invalid parameter: column is empty, it must be a name or a number')
		.optional()
		.describe(
			'Of a body of `text/csv`, the column of addresses by its name or its number from 1. Without it, the one that holds addresses; where several do, none is chosen, and a 400 names them',
		),
	name: someName.optional(),
	callbackUrl: someCallback.optional(),
	auto_catchall_rescue: trueOrFalse.optional().describe(RESCUE),
	dedupe,
	dryRun: trueOrFalse.optional().describe(DRY_RUN),
});

const LIST = {
	emails: ['info@acme.com', 'jane@acme.com'],
	name: 'July list',
	validationFlags: { auto_catchall_rescue: true },
};

/** POST /v1/verify-batch, request. */
export const batchRequest = requestBody('BatchRequest', 'The list to verify', LIST, 'emails', {
	emails: texts(
		'emails',
		EMAILS_MAX,
		'An address, up to 254 octets',
		'The addresses. Duplicates and malformed ones are removed, and counted in the answer',
	),
	name: someName.nullish(),
	callbackUrl: someCallback.nullish(),
	dedupe,
	dryRun: choice(DRY_RUN),
	validationFlags: sentFlags,
});

const CLEANED = {
	submittedEmails: 3,
	acceptedEmails: 2,
	duplicateEmails: 1,
	invalidEmails: 0,
	maxCredits: 2,
};

/** The answer to a dry run. */
export const dryRun = component('DryRun', 'What a list holds, before it is a job', CLEANED, {
	submittedEmails: count('Elements of the list as sent'),
	acceptedEmails: count('Addresses that would be verified'),
	duplicateEmails: count('Repetitions, which would be taken out'),
	invalidEmails: count('Malformed and blank elements, which would be taken out'),
	maxCredits: inCredits('The most that the job could cost: each `unknown` would be refunded'),
});
