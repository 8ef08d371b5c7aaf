import { z } from '@hono/zod-openapi';
import {
	DAILY_LIMIT,
	ORIGINS_MAX,
	TURNSTILE_SECRET_LENGTH_MAX,
	readOrigin,
} from '../../core/keys/browser-key.ts';
import { FORM_REASONS } from '../../core/verification/form-answer.ts';
import { count, openWord, time, wrong } from '../fields.ts';

/** POST /v1/public/verify, request. */
export const formRequest = z
	.object(
		{
			email: z
				.string({ error: 'Missing or invalid parameter: email must be a string' })
				.describe('The address, up to 254 octets. White space around it is ignored'),
			turnstileToken: z
				.string(wrong('a string'))
				.optional()
				.describe('A token of Turnstile, which is used up by it. Only for keys that ask for one'),
		},
		{ error: 'The body must be a JSON object with an email' },
	)
	.openapi('FormRequest', {
		description: 'The address that a visitor typed',
		example: { email: 'jane@gmial.com' },
	});

/** POST /v1/public/verify, answer. */
export const formAnswer = z
	.object({
		ok: z
			.boolean()
			.nullable()
			.describe(
				'False: mail to the address can not arrive; null: nothing is proved, so let the person in. True is kept for answers that know the mailbox, which the quick check never does',
			),
		suggestion: z.string().nullable().describe('The address that was probably meant; null: none is likely'),
		reason: openWord(FORM_REASONS, 'Why.'),
	})
	.openapi('FormAnswer', { description: 'What a form tells its visitor' });

const name = z
	.string(wrong('a text of 1 to 100 characters'))
	.trim()
	.min(1, wrong('a text of 1 to 100 characters'))
	.max(100, wrong('a text of 1 to 100 characters'))
	.describe('Where it is used, for people');
const ORIGIN = wrong('an origin: https://shop.example, or http on localhost, without a path');
const ORIGINS = wrong(`a list of 1 to ${ORIGINS_MAX} origins`);
const origins = z
	.array(
		z
			.string(ORIGIN)
			.refine((text) => readOrigin(text) !== null, ORIGIN)
			.transform((text) => readOrigin(text) ?? ''),
		ORIGINS,
	)
	.min(1, ORIGINS)
	.max(ORIGINS_MAX, ORIGINS)
	.transform((all) => [...new Set(all)])
	.openapi({
		type: 'array',
		items: { type: 'string' },
		minItems: 1,
		maxItems: ORIGINS_MAX,
		description: 'The pages that may use it, as `https://shop.example`',
	});
const LIMIT = wrong(`a whole number from ${DAILY_LIMIT.min} to ${DAILY_LIMIT.max}`);
const dailyLimit = z
	.int(LIMIT)
	.min(DAILY_LIMIT.min, LIMIT)
	.max(DAILY_LIMIT.max, LIMIT)
	.describe(`The most calls a day (UTC), and so the most credits. Left out: ${DAILY_LIMIT.usual}`);
const SECRET = wrong(`a text of 1 to ${TURNSTILE_SECRET_LENGTH_MAX} characters, or null`);
const turnstileSecret = z
	.string(SECRET)
	.min(1, SECRET)
	.max(TURNSTILE_SECRET_LENGTH_MAX, SECRET)
	.nullable()
	.describe('The secret key of your Turnstile widget: each call then needs a token. Null: none does');

/** POST /v1/public-keys, request. */
export const newPublicKey = z
	.object(
		{ name, origins, dailyLimit: dailyLimit.optional(), turnstileSecret: turnstileSecret.optional() },
		{ error: 'The body must be a JSON object with a name and origins' },
	)
	.openapi('PublicKeyRequest', {
		description: 'The pages that may use the new key, and how often',
		example: { name: 'Sign-up form', origins: ['https://shop.example'], dailyLimit: 1_000 },
	});

/** PATCH /v1/public-keys/:keyId, request. */
export const publicKeyChange = z
	.object(
		{
			name: name.optional(),
			origins: origins.optional(),
			dailyLimit: dailyLimit.optional(),
			turnstileSecret: turnstileSecret.optional(),
		},
		{ error: 'The body must be a JSON object' },
	)
	.openapi('PublicKeyChange', {
		description: 'What to change. What is left out stays',
		example: { dailyLimit: 5_000 },
	});

export const publicKey = z
	.object({
		keyId: z.string().describe('The id of the key, for its paths'),
		publicKey: z.string().describe('The key: it stands in your pages, and is no secret'),
		name: z.string().describe('Where it is used'),
		origins: z.array(z.string()).describe('The pages that may use it'),
		dailyLimit: count.describe('The most calls a day (UTC), and so the most credits'),
		turnstile: z.boolean().describe('Whether each call needs a token of Turnstile'),
		createdAt: time.describe('When it was made, ISO 8601 in UTC'),
	})
	.openapi('PublicKey', { description: 'A key that stands in pages: it opens the quick check alone' });

export const publicKeyList = z
	.object({ keys: z.array(publicKey).describe('All that are not revoked, the oldest first') })
	.openapi('PublicKeyList', { description: 'The keys for browsers of the account' });
