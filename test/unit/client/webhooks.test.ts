import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyWebhook } from '../../../clients/typescript/src/index.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NOW = 1_700_000_000_000;
const EVENT = JSON.stringify({
	type: 'job.completed',
	timestamp: '2026-11-22T08:00:00.000Z',
	data: { jobId: 'job_1' },
});

function sign(id: string, timestamp: string, body: string, secret = SECRET): string {
	const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
	return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

function headersOf(body = EVENT, at = NOW): Record<string, string> {
	const timestamp = String(at / 1000);
	return {
		'webhook-id': 'msg_1',
		'webhook-timestamp': timestamp,
		'webhook-signature': sign('msg_1', timestamp, body),
	};
}

test('what the published example of the scheme signs is taken', async () => {
	// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
	const headers = {
		'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
		'webhook-timestamp': '1614265330',
		'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
	};
	await expect(
		verifyWebhook('{"test": 2432232314}', headers, SECRET, { now: 1_614_265_330_000 }),
	).resolves.toEqual({ test: 2432232314 });
});

const BARE = SECRET.slice('whsec_'.length);
const OTHERS = sign('msg_1', '1700000000', EVENT, 'whsec_b3RoZXI=');

test.each<[string, Headers | Record<string, string>, (string | Uint8Array)?]>([
	['a plain object, as Node has', headersOf()],
	[
		'names in any case',
		Object.fromEntries(Object.entries(headersOf()).map(([k, v]) => [k.toUpperCase(), v])),
	],
	['Headers, as fetch has', new Headers(headersOf())],
	[
		'one of its signatures, while a secret is replaced',
		{ ...headersOf(), 'webhook-signature': `${OTHERS} ${headersOf()['webhook-signature']}` },
	],
	['a secret without its prefix', headersOf(), BARE],
	['a secret as octets', headersOf(), Buffer.from(BARE, 'base64')],
])('an event is read with %s', async (_, headers, secret = SECRET) => {
	for (const body of [EVENT, Buffer.from(EVENT)])
		expect(await verifyWebhook(body, headers, secret, { now: NOW })).toEqual(JSON.parse(EVENT));
});

test.each([
	[-300, true],
	[-301, false],
	[300, true],
	[301, false],
])('a message that is %i seconds from now is taken: %s', async (seconds, isTaken) => {
	const answer = verifyWebhook(EVENT, headersOf(), SECRET, { now: NOW + seconds * 1000 });
	if (isTaken) expect(await answer).toMatchObject({ type: 'job.completed' });
	else await expect(answer).rejects.toMatchObject({ code: 'webhook_invalid' });
});

test('no message with anything else than what was signed is taken', async () => {
	const part = fc.constantFrom('body', 'webhook-id', 'webhook-timestamp', 'webhook-signature', 'secret');
	await fc.assert(
		fc.asyncProperty(part, fc.nat(), fc.constantFrom('0', 'a', 'Z', '~'), async (which, at, letter) => {
			const parts: Record<string, string> = { ...headersOf(), body: EVENT, secret: SECRET };
			const text = parts[which] ?? '';
			const index = at % text.length;
			// Another secret of the same length; all else is longer by a letter.
			const isPut = which !== 'secret';
			parts[which] = text.slice(0, index) + letter + text.slice(isPut ? index : index + 1);
			fc.pre(parts[which] !== text);
			const { body = '', secret = '', ...headers } = parts;
			await expect(verifyWebhook(body, headers, secret, { now: NOW })).rejects.toThrow();
		}),
	);
});

test.each(['', 'whsec_', 'whsec_ä'])(
	'the secret %j is a mistake of the receiver, and takes nothing',
	async (secret) => {
		await expect(verifyWebhook(EVENT, headersOf(), secret, { now: NOW })).rejects.toThrow(TypeError);
	},
);

test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])(
	'a message without %s is refused',
	async (name) => {
		const { [name]: _, ...headers } = headersOf();
		await expect(verifyWebhook(EVENT, headers, SECRET, { now: NOW })).rejects.toMatchObject({
			code: 'webhook_invalid',
			message: `The header ${name} is missing`,
		});
	},
);
