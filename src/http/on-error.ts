import type { z } from 'zod';
import type { ErrorHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { ConfigError } from '../variables.ts';
import { errorOf, ServiceError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { describeError, log } from '../lib/log.ts';
import type { AppContext, AppEnv } from './context.ts';
import type { Failure } from './schemas/envelope.ts';
import { placeOf } from './schemas/fields.ts';

const RETRY_AFTER_SECONDS = '10';

/** Turns every error into the envelope. */
export const onError: ErrorHandler<AppEnv> = (error, c) => {
	const { code, message, status, details, retryAfterSeconds } = callerErrorOf(error, c);
	// RFC 9110 §11.6.1: a 401 names the authentication scheme.
	if (status === 401) c.header('WWW-Authenticate', 'Bearer');
	if (status === 503) c.header('Retry-After', RETRY_AFTER_SECONDS);
	if (status === 409 && retryAfterSeconds !== null) c.header('Retry-After', String(retryAfterSeconds));
	if (status === 429) {
		c.header('Retry-After', String(retryAfterSeconds ?? c.var.window?.resetSeconds ?? RETRY_AFTER_SECONDS));
		// Spec §7: a 429 has its text in `message`, and no other fields.
		return c.json({ success: false, message }, status);
	}
	const { requestId } = c.var;
	const { param } = details;
	const docs = param === undefined ? null : docsOf(c);
	const body = {
		success: false,
		error: message,
		// The same again: some clients read this field alone.
		message,
		code,
		requestId,
		...(docs === null ? {} : { docs }),
	} satisfies Failure;
	return c.json({ ...body, ...details }, status);
};

/** The page of the call in the reference, where its fields are; null: no call of the API was meant. */
function docsOf({ var: { operationId, services } }: AppContext): string | null {
	if (operationId === undefined) return null;
	const path = `/docs/reference/${operationId}`;
	const { PUBLIC_URL } = services.config;
	return PUBLIC_URL === undefined ? path : new URL(path, PUBLIC_URL).href;
}

/** The error that the caller sees. */
function callerErrorOf(error: unknown, c: AppContext): ServiceError {
	if (error instanceof ServiceError) return error;
	if (error instanceof ConfigError) {
		log('misconfigured', { error: error.message });
		return new ServiceError('misconfigured', error.message);
	}
	// Hono's own 4xx. We publish only 400.
	if (error instanceof HTTPException && error.status < 500)
		return new ServiceError('bad_request', error.message || 'Bad request');
	log('unexpected_error', { requestId: c.var.requestId, ...describeError(error) });
	return errorOf('internal_error');
}

/** The value of a body or a query that matches its schema. Throws the refusal with the first error. */
export function checked<S extends z.ZodType>(schema: S, sent: unknown): z.output<S> {
	const { data, error } = schema.safeParse(sent, { reportInput: true });
	if (error === undefined) return data;
	const [issue] = error.issues;
	if (issue === undefined) throw errorOf('bad_request');
	const details = issue.path.length === 0 ? {} : { param: placeOf(issue.path) };
	throw new ServiceError(codeOf(issue), issue.message, { details });
}

function codeOf({ code, path, input }: z.core.$ZodIssue): ErrorCode {
	if (path.length === 0) return 'invalid_body';
	if (path.length === 1 && path[0] === 'emails') {
		if (code === 'too_small') return 'no_emails';
		if (code === 'too_big') return 'too_many_emails';
	}
	return input === undefined ? 'missing_parameter' : 'invalid_parameter';
}
