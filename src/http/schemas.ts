import { z } from '@hono/zod-openapi';
import { CATCH_ALL_VERDICTS, RISK_LEVELS, VALIDATION_METHODS } from '../core/verification/result.ts';
import type { CatchAllVerdict, VerificationResult } from '../core/verification/result.ts';
import { STATUSES, SUB_STATUSES } from '../core/verification/sub-status.ts';
import type { SubStatus } from '../core/verification/sub-status.ts';
import { API_ERROR_CODES, ERRORS } from '../core/errors/error-table.ts';

const subStatuses = Object.keys(SUB_STATUSES) as [SubStatus, ...SubStatus[]];
const score = z.int().min(0).max(100);
const flag = z.boolean().nullable().openapi({ description: 'Null: not checked, or not known' });

/** POST /v1/verify, request. Unknown fields are ignored, since real clients send some. */
export const verifyRequest = z
	.object(
		{ email: z.string({ error: 'Missing or invalid parameter: email must be a string' }) },
		{ error: 'The body must be a JSON object with an email' },
	)
	.openapi('VerifyRequest', { example: { email: 'info@acme.com' } });

/** The OpenAPI generator only treats a field as optional if its schema accepts `undefined`. */
interface PublishedVerification extends Omit<VerificationResult, 'catch_all_score' | 'catch_all_verdict'> {
	catch_all_score?: number | undefined;
	catch_all_verdict?: CatchAllVerdict | undefined;
}

export const verification = z
	.object({
		email: z.string(),
		is_valid: z.boolean(),
		status: z.enum(STATUSES),
		risk_level: z.enum(RISK_LEVELS),
		deliverability_score: score,
		did_you_mean: z.string().nullable(),
		details: z.object({
			general: z.object({
				domain: z.string(),
				reason: z.string(),
				validation_method: z.enum(VALIDATION_METHODS),
			}),
			attributes: z.object({
				free_email: z.boolean(),
				role_account: z.boolean(),
				disposable: z.boolean(),
				catch_all: flag,
				has_plus_tag: z.boolean(),
				mailbox_full: flag,
				no_reply: z.boolean(),
			}),
			mail_server: z.object({
				smtp_provider: z.string().nullable(),
				mx_record: z.string().nullable(),
				implicit_mx: z.string().nullable(),
				gateway: z.string().nullable(),
			}),
			sub_status: z.enum(subStatuses),
		}),
		verified_at: z.iso.datetime(),
		catch_all_score: score.optional(),
		catch_all_verdict: z.enum(CATCH_ALL_VERDICTS).optional(),
	})
	.openapi('Verification') satisfies z.ZodType<PublishedVerification>;

export const credits = z
	.object({
		balance: z.int(),
		availableCredits: z.int(),
		reservedCredits: z.int(),
		totalPurchased: z.int(),
		totalConsumed: z.int(),
		totalRefunded: z.int(),
		transactionCount: z.int(),
		lastTransactionAt: z.iso.datetime().nullable(),
	})
	.openapi('Credits');

const CODES = API_ERROR_CODES.map((code) => `- \`${code}\` (${ERRORS[code].status}): ${ERRORS[code].when}`);

const errorCode = z.string().openapi('ErrorCode', {
	description: `A stable word for programs. New ones may come: go by the status then.\n${CODES.join('\n')}`,
	pattern: '^[a-z_]+$',
	example: 'job_not_completed',
});

export const failure = z
	.object({ success: z.literal(false), error: z.string(), code: errorCode, requestId: z.string() })
	.openapi('Error', {
		example: {
			success: false,
			error: 'API key invalid or revoked',
			code: 'api_key_invalid',
			requestId: 'req_1f0c',
		},
	});

export const rateLimited = z
	.object({ success: z.literal(false), message: z.string() })
	.openapi('RateLimited', { example: { success: false, message: 'Developer API rate limit exceeded' } });

/** The envelope of a success. `meta` always has `requestId`. */
export function success<D extends z.ZodType, M extends z.ZodRawShape>(data: D, meta: M) {
	return z.object({ success: z.literal(true), data, meta: z.object({ requestId: z.string(), ...meta }) });
}
