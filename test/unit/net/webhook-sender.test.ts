import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { RecordSource } from '../../../src/core/dns/resolver.ts';
import { seal } from '../../../src/lib/seal.ts';
import { ServiceError } from '../../../src/errors.ts';
import { deliver } from '../../../src/net/webhook-sender.ts';
import type { Sender } from '../../../src/net/webhook-sender.ts';
import type { OutgoingDelivery } from '../../../src/operations/webhooks/port.ts';
import { makeWorld } from '../../support/unit/domain-world.ts';
import type { World } from '../../support/unit/domain-world.ts';

// What is sent to an endpoint, and to whom nothing is.

const SIGNING = { version: 1, secret: new Uint8Array(32).fill(7) };
const [SECRET, FORMER] = ['A', 'B'].map((letter) => `whsec_${letter.repeat(42)}A=`) as [string, string];
const sealed = (secret: string, by = SIGNING.secret) => seal(by, secret, new Uint8Array(12));
const SEALED = await sealed(SECRET);
const NOW = Date.now();

function deliveryTo(url: string, more: Partial<OutgoingDelivery> = {}): OutgoingDelivery {
	return {
		webhookId: 'whk_1',
		url,
		secrets: [SEALED],
		eventId: 'evt_1',
		body: '{"type":"job.completed"}',
		now: NOW,
		...more,
	};
}

const WORLD: World = {
	zones: {
		'shop.example': { A: ['93.184.215.14'], AAAA: ['2606:2800:21f:cb07:6820:80da:af6b:8b2c'] },
		'home.example': { A: ['192.168.1.1'] },
		'loopback.example': { A: ['127.0.0.1'] },
		'metadata.example': { A: ['169.254.169.254'] },
		'half.example': { A: ['93.184.215.14', '10.0.0.1'] },
		'six.example': { A: ['93.184.215.14'], AAAA: ['fd00::1'] },
		'mapped.example': { AAAA: ['::ffff:127.0.0.1'] },
	},
	faults: { 'broken.example': 'failed' },
};

function senderWith(
	answer: (url: string, init: RequestInit) => Promise<Response>,
	records: RecordSource = makeWorld(WORLD).ports.records,
) {
	const seen: { url: string; init: RequestInit }[] = [];
	const by: Sender = {
		userAgent: 'Mailsonar (+https://api.mailsonar.example)',
		rules: { ownHost: 'api.mailsonar.example', allowsLoopback: false },
		secrets: [SIGNING],
		answerMs: 1,
		records,
		fetcher: (url, init) => {
			seen.push({ url, init });
			return answer(url, init);
		},
	};
	return { sender: { deliver: deliver.bind(null, by) }, seen };
}

const ok = () => Promise.resolve(new Response('thank you', { status: 200 }));

test('an event carries its id, the time of the attempt and a signature that the npm package accepts', async () => {
	const { sender, seen } = senderWith(ok);
	const delivery = deliveryTo('https://shop.example/hook?a=1');
	expect(await sender.deliver(delivery)).toEqual({ kind: 'answered', code: 200 });
	const [{ url, init }] = seen as [(typeof seen)[number]];
	expect(url).toBe('https://shop.example/hook?a=1');
	expect(init).toMatchObject({ method: 'POST', redirect: 'manual', body: delivery.body });
	const headers = init.headers as Record<string, string>;
	expect(headers).toMatchObject({
		'content-type': 'application/json',
		'webhook-id': 'evt_1',
		'webhook-timestamp': String(Math.floor(NOW / 1000)),
	});
	const receiver = new Webhook(SECRET);
	expect(receiver.verify(delivery.body, headers)).toEqual({ type: 'job.completed' });
	expect(() => receiver.verify(`${delivery.body} `, headers)).toThrow('No matching signature');
	expect(() => receiver.verify(delivery.body, { ...headers, 'webhook-id': 'evt_2' })).toThrow();
});

test('after a rotation the receivers of both secrets accept it', async () => {
	const { sender, seen } = senderWith(ok);
	const secrets = [SEALED, await sealed(FORMER)];
	const delivery = deliveryTo('https://shop.example/', { secrets });
	await sender.deliver(delivery);
	for (const secret of [SECRET, FORMER]) {
		const receiver = new Webhook(secret);
		receiver.verify(delivery.body, seen[0]?.init.headers as Record<string, string>);
	}
});

describe('nothing is sent', () => {
	test.each([
		['https://home.example/', 'not_public'],
		['https://loopback.example/', 'not_public'],
		['https://metadata.example/', 'not_public'],
		['https://half.example/', 'not_public'],
		['https://six.example/', 'not_public'],
		['https://mapped.example/', 'not_public'],
		['https://broken.example/', 'not_public'],
		['https://gone.example/', 'no_address'],
		['http://shop.example/', 'refused_url'],
		['https://api.mailsonar.example/', 'refused_url'],
	])('to %s: %s', async (url, fault) => {
		const { sender, seen } = senderWith(ok);
		expect(await sender.deliver(deliveryTo(url))).toEqual({ kind: 'fault', fault });
		expect(seen).toEqual([]);
	});

	test('that could not be signed', async () => {
		const { sender, seen } = senderWith(ok);
		// By a secret of the service that was removed.
		const secrets = [await sealed(SECRET, new Uint8Array(32).fill(8))];
		const reply = await sender.deliver(deliveryTo('https://shop.example/', { secrets }));
		expect(reply).toEqual({ kind: 'fault', fault: 'no_secret' });
		expect(seen).toEqual([]);
	});

	test('while our own resolvers are out, which is not the fault of the endpoint', async () => {
		const records = { look: () => Promise.reject(new ServiceError('upstream_unavailable', 'out')) };
		const { sender, seen } = senderWith(ok, records);
		expect(await sender.deliver(deliveryTo('https://shop.example/'))).toEqual({ kind: 'outage' });
		expect(seen).toEqual([]);
	});
});

test.each([301, 302, 307, 308])('a redirect (%i) is an answer, and is not followed', async (code) => {
	const { sender, seen } = senderWith(() =>
		Promise.resolve(new Response(null, { status: code, headers: { location: 'https://home.example/' } })),
	);
	expect(await sender.deliver(deliveryTo('https://shop.example/'))).toEqual({ kind: 'answered', code });
	expect(seen).toHaveLength(1);
});

test('nothing of an answer is read but its status, however long it is', async () => {
	let pulled = 0;
	let cancelled = false;
	const body = new ReadableStream<Uint8Array>({
		pull: (controller) => {
			pulled += 1;
			controller.enqueue(new Uint8Array(65_536));
		},
		cancel: () => {
			cancelled = true;
		},
	});
	const { sender } = senderWith(() => Promise.resolve(new Response(body, { status: 200 })));
	expect(await sender.deliver(deliveryTo('https://shop.example/'))).toEqual({ kind: 'answered', code: 200 });
	expect([pulled <= 1, cancelled]).toEqual([true, true]);
});

const silent = (_: string, { signal }: RequestInit) =>
	new Promise<never>((_resolve, reject) => {
		signal?.addEventListener('abort', () => reject(new Error('aborted')));
	});

test.each([
	['hangs up', () => Promise.reject(new Error('connection refused')), 'not_connected'],
	['does not answer in time', silent, 'timed_out'],
])('an endpoint that %s is told from others', async (_, answer, fault) => {
	const { sender } = senderWith(answer);
	expect(await sender.deliver(deliveryTo('https://shop.example/'))).toEqual({ kind: 'fault', fault });
});
