import { afterEach, expect, test, vi } from 'vitest';
import type { Metrics } from '../../../src/core/metrics/metrics.ts';
import { cloudflareMailer } from '../../../src/net/cloudflare-mailer.ts';

const MAIL = { to: 'ada@example.com', subject: 'Confirm your address', text: 'hush-hush-link' };

afterEach(() => void vi.restoreAllMocks());

function mailerOf(send: (mail: object) => Promise<unknown>, sender: string | null = 'hello@mailsonar.test') {
	const points: unknown[] = [];
	const metrics: Metrics = { note: (...point) => void points.push(point) };
	return { points, mailer: cloudflareMailer({ send }, sender, metrics) };
}

test('a mail that is sent is counted', async () => {
	const { points, mailer } = mailerOf(() => Promise.resolve({}));
	await mailer.send(MAIL);
	expect(points).toEqual([['mail', { outcome: 'sent', code: 'none', count: 1 }]]);
});

const SENDER = 'hello@mailsonar.test';
const limit = Object.assign(new Error(`no ${MAIL.to}`), { code: 'E_DAILY_LIMIT_EXCEEDED' });
test.each<[string, () => Promise<unknown>, string | null, string]>([
	['the platform refuses it', () => Promise.reject(limit), SENDER, 'E_DAILY_LIMIT_EXCEEDED'],
	['the platform says no more', () => Promise.reject(new Error('no')), SENDER, 'unknown'],
	['nothing is configured', () => Promise.resolve({}), null, 'upstream_unavailable'],
])(
	'a mail that is not sent is an error of the caller, a line and a point: %s',
	async (_, send, sender, code) => {
		const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
		const { points, mailer } = mailerOf(send, sender);
		await expect(mailer.send(MAIL)).rejects.toThrow();
		expect(points).toEqual([['mail', { outcome: 'not_sent', code, count: 1 }]]);
		const lines = logged.mock.calls.flat().map(String);
		expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ event: 'mail_not_sent', code }]);
		expect(lines.join()).not.toMatch(/ada@|hush/);
	},
);

test('a header that the platform does not take (it has a list) is left out, and the mail is sent', async () => {
	const tried: object[] = [];
	const { points, mailer } = mailerOf((mail) => {
		tried.push(mail);
		const refusal = Object.assign(new Error('no'), { code: 'E_HEADER_NOT_ALLOWED' });
		return 'headers' in mail ? Promise.reject(refusal) : Promise.resolve({});
	});
	const headers = { 'OTP-Token': '123456' };
	await mailer.send({ ...MAIL, headers });
	const mail = { from: 'hello@mailsonar.test', ...MAIL };
	expect(tried).toEqual([{ ...mail, headers }, mail]);
	expect(points).toEqual([['mail', { outcome: 'sent', code: 'none', count: 1 }]]);
});
