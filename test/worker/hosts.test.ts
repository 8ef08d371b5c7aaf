import { exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';

// By which name the Worker is called.

const PATHS = [
	'/',
	'/docs',
	'/dashboard/sign-in',
	'/assets/x.css',
	'/v1/credits',
	'/ops/accounts/x',
	'/healthz',
	'/x',
];

/** Asks under a Host; several headers reach the Worker as one, with commas. */
async function ask(path: string, host: string): Promise<Response> {
	return exports.default.fetch(new Request(`http://localhost${path}`, { headers: { host } }));
}

test.each(PATHS)('more than one Host is a 400, whatever is asked for: %s', async (path) => {
	for (const hosts of [
		'localhost, evil.test',
		'evil.test, localhost',
		'localhost, localhost',
		'localhost,',
	]) {
		const response = await ask(path, hosts);
		expect(response.status, hosts).toBe(400);
		expect(await response.json()).toMatchObject({ success: false, error: 'A request names one Host' });
		for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'x-request-id'])
			expect(response.headers.get(name), name).toMatch(/\S/);
	}
	expect((await ask(path, 'localhost')).status).not.toBe(400);
});

test('the mailbox of development is there under names of this machine alone', async () => {
	const statusAt = async (origin: string): Promise<number> =>
		(await exports.default.fetch(new Request(`${origin}/dashboard/dev/mailbox`))).status;
	for (const origin of ['http://localhost:8787', 'http://127.0.0.1', 'http://[::1]:1'])
		expect(await statusAt(origin), origin).toBe(200);
	for (const origin of [
		'http://evil.test',
		'http://localhost.evil.test',
		'http://192.168.1.2:8787',
		'http://127.0.0.1.evil.test',
	])
		expect(await statusAt(origin), origin).toBe(404);
});
