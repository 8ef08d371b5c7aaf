import { describe, expect, inject, test } from 'vitest';
import { call } from '../support/service.ts';
import { awaitMails, mailsTo, newKey, newPerson } from './people.ts';

// The threshold of low credits, from the form to the mail.

const CREDITS = '/dashboard/credits';
const LOW = `${CREDITS}/low`;
const WEBHOOKS = '/dashboard/webhooks';

async function spend(apiKey: string): Promise<void> {
	const { url } = inject('service');
	expect((await call(url, apiKey, 'POST', '/v1/verify', { email: 'ada@inbox.test' })).status).toBe(200);
}

describe('the threshold of low credits', () => {
	test('is set on the credits page, for webhooks as well', async () => {
		const { visitor } = await newPerson();
		expect((await visitor.get(WEBHOOKS)).text).toContain('Set a threshold');
		const wrong = await visitor.submit(CREDITS, { below: '0' }, LOW);
		expect([wrong.status, wrong.text.includes('value="0"')]).toEqual([422, true]);
		const saved = await visitor.submit(CREDITS, { below: '50', mail: 'yes' }, LOW);
		expect([saved.status, saved.location]).toEqual([303, `${CREDITS}#low-balance`]);
		// The figures of another tab are renewed in the meantime, and leave the message to the page.
		expect((await visitor.get(`${CREDITS}/live`)).status).toBe(200);
		const page = (await visitor.get(CREDITS)).text;
		for (const words of ['value="50"', 'The threshold is saved']) expect(page).toContain(words);
		expect((await visitor.get(WEBHOOKS)).text).toContain('falls below 50 credits');
		await visitor.submit(CREDITS, { below: '' }, LOW);
		expect((await visitor.get(WEBHOOKS)).text).toContain('Set a threshold');
	});

	test('is told by mail once when the balance falls below it, and on the pages', async () => {
		const { visitor, email } = await newPerson();
		await visitor.submit(CREDITS, { below: '100', mail: 'yes' }, LOW);
		const apiKey = await newKey(visitor);
		expect((await visitor.get('/dashboard')).text).not.toContain('the threshold you set');
		await spend(apiKey);
		const [mail] = await awaitMails(email, 2);
		expect(mail?.subject).toBe('Mailsonar: 99 credits are left');
		for (const path of ['/dashboard', CREDITS])
			expect((await visitor.get(path)).text, path).toContain('the threshold you set');
		await spend(apiKey);
		expect(await mailsTo(email)).toHaveLength(2);
	});
});
