import { expect, test } from 'vitest';
import { ServiceError } from '../../../src/errors.ts';
import { Turnstile } from '../../../src/net/turnstile.ts';

const VERIFY_URL = 'https://challenges.example/siteverify';

/** A client whose verifier answers in one way, and what it was asked. */
function turnstileWith(answer: () => Response | Promise<Response>) {
	const asked: { readonly url: string; readonly body: unknown }[] = [];
	const turnstile = new Turnstile('our secret', VERIFY_URL, async (url, { body }) => {
		asked.push({ url, body: JSON.parse(body as string) });
		return answer();
	});
	return { turnstile, asked };
}

test('asks with our secret and the answer, and with nothing of the person', async () => {
	const { turnstile, asked } = turnstileWith(() => Response.json({ success: true }));
	expect(await turnstile.isPassed('an answer')).toBe(true);
	expect(asked).toEqual([{ url: VERIFY_URL, body: { secret: 'our secret', response: 'an answer' } }]);
});

test.each([
	['a made-up answer', { success: false, 'error-codes': ['invalid-input-response'] }],
	['an answer that was used, or is too old', { success: false, 'error-codes': ['timeout-or-duplicate'] }],
	['no reason', { success: false }],
])('is not passed: %s', async (_, verdict) => {
	const { turnstile } = turnstileWith(() => Response.json(verdict));
	expect(await turnstile.isPassed('an answer')).toBe(false);
});

test.each(['', 'x'.repeat(2_049)])('what can be no answer is not asked about', async (answer) => {
	const { turnstile, asked } = turnstileWith(() => Response.json({ success: true }));
	expect(await turnstile.isPassed(answer)).toBe(false);
	expect(asked).toEqual([]);
});

test.each<[string, () => Response | Promise<Response>]>([
	['hangs up', () => Promise.reject(new TypeError('network connection lost'))],
	['answers with a web page', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
	['answers without a verdict', () => Response.json({ ok: true })],
	['answers with no object', () => Response.json(null)],
	[
		'does not know our secret',
		() => Response.json({ success: false, 'error-codes': ['invalid-input-secret'] }),
	],
	['is broken', () => Response.json({ success: false, 'error-codes': ['internal-error'] })],
])('a verifier that %s is our outage, neither a yes nor a no', async (_, answer) => {
	const { turnstile } = turnstileWith(answer);
	const outage = expect.objectContaining({ code: 'upstream_unavailable' });
	const passing = turnstile.isPassed('an answer');
	await expect(passing).rejects.toBeInstanceOf(ServiceError);
	await expect(passing).rejects.toEqual(outage);
});
