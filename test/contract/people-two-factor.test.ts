import { describe, expect, test } from 'vitest';
import { totpCode } from '../../src/lib/totp.ts';
import { fromBase32 } from '../support/base32.ts';
import { hiddenFields } from '../support/visitor.ts';
import type { Visitor } from '../support/visitor.ts';
import { PASSWORD, awaitMails, isSignedIn, newPerson, newVisitor, signIn } from './people.ts';
import { eventually } from '../support/patience.ts';

// Two-factor sign-in as people do it on the pages, with an app beside them.

const SETTINGS = '/dashboard/settings';
const TWO_FACTOR = `${SETTINGS}/two-factor`;
const CODE = '/dashboard/sign-in/code';
const STEP_MS = 30_000;

/** The key on the page, as an app reads it. */
function keyOn(text: string): Uint8Array {
	const [, key = ''] = /id="factor-key">([A-Z2-7 ]+)</.exec(text) ?? [];
	return fromBase32(key);
}

/** The codes of this moment and of the two next ones: of each time step one is taken, once. */
function codesOf(secret: Uint8Array) {
	const begun = Date.now();
	let used = -2;
	return (): string => {
		used += 1;
		return totpCode(secret, begun + used * STEP_MS);
	};
}

/** Somebody who turned it on. */
async function newTwoFactorPerson() {
	const { visitor, email } = await newPerson();
	const setup = await visitor.submit(TWO_FACTOR, { current: PASSWORD });
	expect(setup.status, setup.text).toBe(200);
	const nextCode = codesOf(keyOn(setup.text));
	const confirm = `${TWO_FACTOR}/confirm`;
	const on = await visitor.post(confirm, { ...hiddenFields(setup, confirm), code: nextCode() });
	const recoveryCodes = (/id="recovery-codes">([^<]+)</.exec(on.text)?.[1] ?? '').split('\n');
	return { visitor, email, nextCode, on, recoveryCodes };
}

async function sendCode(visitor: Visitor, code: string) {
	return visitor.submit(CODE, { code });
}

describe('two-factor sign-in', () => {
	test('is turned on with the key on the page, shows ten recovery codes once, and asks for a code from then on', async () => {
		const { visitor, email, nextCode, on, recoveryCodes } = await newTwoFactorPerson();
		expect(on.text).toContain('Two-factor sign-in is on');
		expect(recoveryCodes).toHaveLength(10);
		expect((await visitor.get(SETTINGS)).text).not.toContain(recoveryCodes[0]);
		const [mail] = await awaitMails(email, 2);
		expect(mail?.subject).toBe('Two-factor sign-in is on for your Mailsonar account');
		const elsewhere = newVisitor();
		const half = await signIn(elsewhere, email);
		expect([half.status, half.location]).toEqual([303, `${CODE}?next=%2Fdashboard`]);
		expect(await isSignedIn(elsewhere)).toBe(false);
		const wrong = await sendCode(elsewhere, '000000');
		expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining('This code is wrong')]);
		const right = await sendCode(elsewhere, nextCode());
		expect([right.status, right.location]).toEqual([303, '/dashboard']);
		expect(await isSignedIn(elsewhere)).toBe(true);
	});

	test('shows a key to nobody who has not sent the password, whatever the form says', async () => {
		const { visitor } = await newPerson();
		const { visitor: other } = await newPerson();
		const theirs = await other.submit(TWO_FACTOR, { current: PASSWORD });
		const confirm = `${TWO_FACTOR}/confirm`;
		const { csrf: _, ...foreign } = hiddenFields(theirs, confirm);
		const { csrf = '' } = hiddenFields(await visitor.get(TWO_FACTOR), TWO_FACTOR);
		for (const fields of [{ version: '1', salt: 'madeup' }, { setup: 'madeup' }, {}, foreign]) {
			for (const code of ['000000', '']) {
				const answer = await visitor.post(confirm, { csrf, ...fields, code });
				expect(keyOn(answer.text), JSON.stringify(fields)).toHaveLength(0);
				expect(answer.text).not.toContain('qr-code');
			}
		}
	});

	test('shows its key no more once it is on', async () => {
		const { visitor } = await newPerson();
		const setup = await visitor.submit(TWO_FACTOR, { current: PASSWORD });
		const confirm = `${TWO_FACTOR}/confirm`;
		const fields = hiddenFields(setup, confirm);
		const code = codesOf(keyOn(setup.text))();
		expect((await visitor.post(confirm, { ...fields, code })).text).toContain('Two-factor sign-in is on');
		for (const typed of ['', '000000'])
			expect(keyOn((await visitor.post(confirm, { ...fields, code: typed })).text)).toHaveLength(0);
	});

	test('shows a QR code as a picture with a name, whose key is written beside it', async () => {
		const { visitor } = await newPerson();
		const wrong = await visitor.submit(TWO_FACTOR, { current: 'not my password' });
		expect([wrong.status, wrong.text]).toEqual([422, expect.not.stringContaining('<svg class="qr-code"')]);
		const { text } = await visitor.submit(TWO_FACTOR, { current: PASSWORD });
		expect(text).toMatch(/<svg class="qr-code"[^>]*role="img" aria-label="QR code/);
		expect(keyOn(text)).toHaveLength(20);
		// A first code that is wrong does not cost the scan.
		const confirm = `${TWO_FACTOR}/confirm`;
		const fields = hiddenFields({ status: 200, headers: new Headers(), text, location: null }, confirm);
		const again = await visitor.post(confirm, { ...fields, code: '000000' });
		expect(again.status).toBe(422);
		expect(keyOn(again.text)).toEqual(keyOn(text));
		expect((await visitor.get(SETTINGS)).text).toContain('Set up two-factor sign-in');
	});

	test('lets in by a recovery code, and is turned off with the password and another', async () => {
		const { email, recoveryCodes } = await newTwoFactorPerson();
		const visitor = newVisitor();
		await signIn(visitor, email);
		expect((await sendCode(visitor, recoveryCodes[0] ?? '')).status).toBe(303);
		expect((await visitor.get(TWO_FACTOR)).text).toContain('9 recovery codes left');
		const off = async (current: string, code: string) =>
			visitor.submit(TWO_FACTOR, { current, code }, `${TWO_FACTOR}/off`);
		expect((await off('not my password', recoveryCodes[1] ?? '')).status).toBe(422);
		expect((await off(PASSWORD, recoveryCodes[0] ?? '')).status).toBe(422);
		expect((await off(PASSWORD, recoveryCodes[1] ?? '')).location).toBe(SETTINGS);
		expect((await signIn(newVisitor(), email)).location).toBe('/dashboard');
	});

	test('leads who has no right password yet back to it', async () => {
		const stranger = newVisitor();
		expect((await stranger.get(CODE)).location).toBe('/dashboard/sign-in');
		const form = hiddenFields(await stranger.get('/dashboard/sign-in'), '/dashboard/sign-in');
		expect((await stranger.post(CODE, { ...form, code: '123456' })).location).toBe('/dashboard/sign-in');
	});
});

test('what happened stands in the settings, newest first', async () => {
	const { visitor, recoveryCodes, email } = await newTwoFactorPerson();
	const elsewhere = newVisitor();
	await signIn(elsewhere, email);
	await sendCode(elsewhere, recoveryCodes[0] ?? '');
	await eventually(async () => {
		const { text } = await visitor.get(`${SETTINGS}/activity`);
		const rows = text.slice(text.indexOf('<tbody')).split('<tr').slice(1);
		const whats = rows.map((row) => /<th[^>]*>([^<]+)</.exec(row)?.[1]);
		expect(new Set(whats)).toEqual(
			new Set(['Recovery code used', 'Signed in', 'Two-factor sign-in turned on']),
		);
		expect(whats.at(-1)).toBe('Two-factor sign-in turned on');
		expect(text).toContain('Firefox on Linux');
	});
});
