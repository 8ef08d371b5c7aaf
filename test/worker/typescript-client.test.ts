import { expect, test } from 'vitest';
import { Mailsonar, verifyWebhook } from '../../clients/typescript/src/index.ts';

// The client is for Workers, too: what it uses of the platform is there.

test('a Worker can call the service with the client', async () => {
	const seen: Request[] = [];
	const fetch = async (url: RequestInfo, init?: RequestInit): Promise<Response> => {
		seen.push(new Request(url, init));
		const later = { success: false, error: 'later', code: 'upstream_unavailable' };
		if (seen.length === 1) return Response.json(later, { status: 503, headers: { 'retry-after': '0' } });
		return Response.json({ success: true, data: { status: 'deliverable' }, meta: { requestId: 'req_1' } });
	};
	const client = new Mailsonar({
		baseUrl: 'https://api.test/v1',
		apiKey: 'ms_test_x',
		fetch: fetch as never,
	});
	expect(await client.verify('ada@x.test')).toMatchObject({ status: 'deliverable' });
	expect(seen.map(({ url, redirect }) => [url, redirect])).toEqual(
		[1, 2].map(() => ['https://api.test/v1/verify', 'manual']),
	);
	expect(seen[0]?.headers.get('idempotency-key')).toBe(seen[1]?.headers.get('idempotency-key'));
});

test('a Worker can verify a webhook', async () => {
	const headers = new Headers({
		'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
		'webhook-timestamp': '1614265330',
		'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
	});
	const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
	const event = await verifyWebhook('{"test": 2432232314}', headers, secret, { now: 1_614_265_330_000 });
	expect(event).toEqual({ test: 2432232314 });
});
