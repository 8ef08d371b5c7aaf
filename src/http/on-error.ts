import type { ErrorHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ConfigError } from '../variables.ts';
import { ServiceError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { describeError, log } from '../lib/log.ts';
import type { AppEnv } from './context.ts';

const STATUS = {
	invalid_request: 400,
	unauthenticated: 401,
	insufficient_credits: 402,
	not_found: 404,
	method_not_allowed: 405,
	wrong_state: 409,
	expired: 410,
	rate_limited: 429,
	upstream_nonsense: 502,
	upstream_unavailable: 503,
} as const satisfies Record<ErrorCode, ContentfulStatusCode>;

const RETRY_AFTER_SECONDS = '10';

/** The one place where failures become the envelope. */
export const onError: ErrorHandler<AppEnv> = (error, c) => {
	if (error instanceof ServiceError) {
		// RFC 9110 §11.6.1: a 401 names the scheme that would do.
		if (error.code === 'unauthenticated') c.header('WWW-Authenticate', 'Bearer');
		if (error.code === 'upstream_unavailable') c.header('Retry-After', RETRY_AFTER_SECONDS);
		if (error.code === 'rate_limited') {
			// Spec §7: a 429 names its text `message`.
			c.header('Retry-After', String(c.var.window?.resetSeconds ?? RETRY_AFTER_SECONDS));
			return c.json({ success: false, message: error.message }, STATUS[error.code]);
		}
		const status = error.status === null ? {} : { status: error.status };
		return c.json({ success: false, error: error.message, ...status }, STATUS[error.code]);
	}
	if (error instanceof ConfigError) {
		log('misconfigured', { error: error.message });
		c.header('Retry-After', RETRY_AFTER_SECONDS);
		return c.json({ success: false, error: error.message }, 503);
	}
	// Hono's own 4xx. We publish only 400.
	if (error instanceof HTTPException && error.status < 500) {
		return c.json({ success: false, error: error.message || 'Bad request' }, 400);
	}
	log('unexpected_error', { requestId: c.var.requestId, ...describeError(error) });
	return c.json({ success: false, error: 'Internal server error' }, 500);
};
