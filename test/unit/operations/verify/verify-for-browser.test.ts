import { expect, test } from 'vitest';
import { seal } from '../../../../src/lib/seal.ts';
import { parseAddress } from '../../../../src/core/address/parse-address.ts';
import { verifyForBrowser } from '../../../../src/operations/verify/verify-for-browser.ts';
import type { BrowserServices } from '../../../../src/operations/verify/verify-for-browser.ts';
import { ServiceError } from '../../../../src/errors.ts';

// Turnstile in front of a key for browsers.

const SIGNING = { version: 1, secret: new Uint8Array(32).fill(1) };
const ROUTE = { accountId: 'acc_1', keyId: 'key_1', secretHash: 'a', version: 1, ending: 'x7Kq' };

/** Asks with a token; says what Turnstile was asked, and whether anything was looked up or counted. */
async function ask(token: string, isPassed: (token: string) => Promise<boolean>) {
	const heard: string[] = [];
	const parsed = parseAddress('ada@inbox.test');
	if (!parsed.ok) throw new Error('it is an address');
	const services = {
		clock: { now: () => 0 },
		newId: () => 'vfy_1',
		signingSecrets: [SIGNING],
		challengeWith: (secret: string) => ({
			isPassed: (answer: string) => {
				heard.push(`${secret} ${answer}`);
				return isPassed(answer);
			},
		}),
		examine: () => {
			heard.push('examined');
			const details = { sub_status: 'not_asked' };
			return Promise.resolve({ result: { status: 'unknown', did_you_mean: null, details } });
		},
		accounts: () => ({ settleBrowserCall: () => Promise.resolve({ kind: 'counted', isPaid: true }) }),
	} as unknown as BrowserServices;
	const turnstile = await seal(SIGNING.secret, '0x4AAA', new Uint8Array(12).fill(7));
	expect(turnstile).not.toContain('0x4AAA');
	const settings = { publicKey: 'ms_pub_1', origins: [], dailyLimit: 1, turnstile };
	const asking = verifyForBrowser(services, ROUTE, { origin: '', settings, address: parsed.address, token });
	return { answer: await asking.catch((error: unknown) => error), heard };
}

test('a token of a person opens the check, by the secret of the owner', async () => {
	const { answer, heard } = await ask('good', () => Promise.resolve(true));
	expect(heard).toEqual(['0x4AAA good', 'examined']);
	expect(answer).toMatchObject({ ok: null, reason: 'mailbox_not_checked' });
});

test('a token that Turnstile refuses is a 403, and nothing is looked up', async () => {
	const { answer, heard } = await ask('used', () => Promise.resolve(false));
	expect(answer).toMatchObject({ code: 'challenge_failed', status: 403 });
	expect(heard).toEqual(['0x4AAA used']);
});

test('where Turnstile is away, nothing is checked and nobody is held back', async () => {
	const away = () => Promise.reject(new ServiceError('upstream_unavailable', 'away'));
	const { answer, heard } = await ask('good', away);
	expect(answer).toEqual({ ok: null, suggestion: null, reason: 'not_checked' });
	expect(heard).not.toContain('examined');
});
