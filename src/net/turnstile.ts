import { ServiceError } from '../errors.ts';
import { describeError, log } from '../lib/log.ts';
import type { Challenge } from '../operations/people/port.ts';
import type { Fetcher } from './invocation-fetch.ts';

/** The endpoint that verifies Turnstile answers. */
export const TURNSTILE_VERIFY_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';

// Documented limit of an answer's length.
const ANSWER_LENGTH_MAX = 2_048;
const TIMEOUT_MS = 5_000;
const ABOUT_THE_ANSWER: ReadonlySet<string> = new Set([
	'missing-input-response',
	'invalid-input-response',
	'timeout-or-duplicate',
]);

/** Cloudflare Turnstile. Cloudflare itself ensures that each answer is valid once, for five minutes. */
export class Turnstile implements Challenge {
	readonly #secret: string;
	readonly #verifyUrl: string;
	readonly #fetch: Fetcher;

	constructor(secret: string, verifyUrl: string, fetcher: Fetcher) {
		this.#secret = secret;
		this.#verifyUrl = verifyUrl;
		this.#fetch = fetcher;
	}

	async isPassed(answer: string): Promise<boolean> {
		if (answer === '' || answer.length > ANSWER_LENGTH_MAX) return false;
		const { success, 'error-codes': codes = [] } = await this.#verify(answer);
		// Our own fault, such as a wrong secret, must be reported: to the visitor it looks like a wrong answer.
		const ours = codes.filter((code) => !ABOUT_THE_ANSWER.has(code));
		if (ours.length > 0) throw unavailable(ours.join(' '), null);
		return success;
	}

	async #verify(answer: string): Promise<Verdict> {
		let verdict: unknown;
		try {
			const response = await this.#fetch(this.#verifyUrl, {
				method: 'POST',
				headers: { 'Content-Type': 'application/json' },
				body: JSON.stringify({ secret: this.#secret, response: answer }),
				redirect: 'manual',
				signal: AbortSignal.timeout(TIMEOUT_MS),
			});
			verdict = await response.json();
		} catch (error) {
			throw unavailable('no answer', error);
		}
		if (isVerdict(verdict)) return verdict;
		throw unavailable('no verdict', null);
	}
}

interface Verdict {
	readonly success: boolean;
	readonly 'error-codes'?: readonly string[];
}

function isVerdict(value: unknown): value is Verdict {
	if (typeof value !== 'object' || value === null || !('success' in value)) return false;
	const isCoded = !('error-codes' in value) || Array.isArray(value['error-codes']);
	return typeof value.success === 'boolean' && isCoded;
}

function unavailable(why: string, cause: unknown): ServiceError {
	log('challenge_unavailable', { why, ...(cause === null ? {} : describeError(cause)) });
	return new ServiceError('upstream_unavailable', 'Turnstile does not answer', { cause });
}
