import type { MailsonarError } from './error.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;
const SPREAD_MS_MAX = 1_000;

const MAY_PASS = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Whether another attempt may succeed and does no harm.
 *
 * @param repeatable repeating the request does nothing twice
 */
export function isWorthAnother({ status, code, retryAfter }: MailsonarError, repeatable: boolean): boolean {
	// Nothing was done yet, whatever the request was. A 503 without Retry-After can come from a proxy that had already
	// passed the request on.
	const isUntouched = status === 429 || (status === 503 && retryAfter !== null);
	if (!repeatable && !isUntouched) return false;
	// An earlier attempt arrived, and its answer is soon there.
	if (code === 'request_in_progress') return true;
	// `misconfigured` lasts until somebody has worked on the service.
	if (status === null || MAY_PASS.has(status)) return code !== 'misconfigured';
	return status < 300 && code === 'unexpected_response';
}

/**
 * Milliseconds until the next attempt.
 *
 * @param attempt attempts that have failed, from 1
 * @param random from 0 to 1
 */
export function pauseAfter({ retryAfter }: MailsonarError, attempt: number, random: number): number {
	const pause =
		retryAfter === null
			? // Between half and all of it, so that clients that failed together do not come back together.
				Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) * (0.5 + random / 2)
			: retryAfter * 1000 + random * Math.min(SPREAD_MS_MAX, retryAfter * 100);
	return Math.round(pause);
}

/** Seconds that an answer asks us to wait: for a 429 until its window is over, or null. */
export function retryAfterOf(status: number, headers: Headers, now: number): number | null {
	const asked = secondsOf(headers.get('retry-after'), now);
	const reset = status === 429 ? secondsOf(headers.get('ratelimit-reset'), now) : null;
	return asked === null ? reset : Math.max(asked, reset ?? 0);
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function secondsOf(value: string | null, now: number): number | null {
	if (value === null || value.trim() === '') return null;
	if (/^\d+$/.test(value.trim())) return Number(value);
	const at = Date.parse(value);
	return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000));
}
