import { gzipSync } from 'node:zlib';
import { describe, expect, inject, test } from 'vitest';
import { call, makeAccount } from '../support/service.ts';
import { expectFailure } from './api.ts';
import type { Answer } from './api.ts';
import { many } from './jobs-api.ts';

// Requests with Content-Encoding: gzip. All limits count what the body inflates to.

const service = inject('service');
const BODY_OCTETS_MAX = 14 * 1024 * 1024;

async function send(apiKey: string, path: string, body: unknown, encoding = 'gzip'): Promise<Answer> {
	const octets = gzipSync(typeof body === 'string' ? body : JSON.stringify(body));
	return call(service.url, apiKey, 'POST', path, new Uint8Array(octets), { 'content-encoding': encoding });
}

/** A batch of exactly so many octets. */
function batchOf(octets: number): string {
	const head = '{"emails":["ada@inbox.test"]';
	return head + ' '.repeat(octets - head.length - 1) + '}';
}

describe('a gzip body', () => {
	test.each(['gzip', 'x-gzip', 'GZIP'])('announced as %s is read, for one address', async (encoding) => {
		const { apiKey } = await makeAccount(service, 1);
		const answer = await send(apiKey, '/v1/verify', { email: 'ada@inbox.test' }, encoding);
		expect(answer, answer.text).toMatchObject({ status: 200, body: { data: { email: 'ada@inbox.test' } } });
	});

	test('is read for a list', async () => {
		const { apiKey } = await makeAccount(service, 3);
		const answer = await send(apiKey, '/v1/verify-batch', { emails: many(3), name: 'small' });
		expect(answer, answer.text).toMatchObject({
			status: 202,
			body: { data: { acceptedEmails: 3, name: 'small' } },
		});
	});

	test('is the same request as without: a repeated Idempotency-Key is answered again', async () => {
		const { apiKey } = await makeAccount(service, 2);
		const body = { emails: many(2) };
		const key = { 'idempotency-key': 'gzip-1' };
		const plain = await call(service.url, apiKey, 'POST', '/v1/verify-batch', body, key);
		const octets = new Uint8Array(gzipSync(JSON.stringify(body)));
		const headers = { ...key, 'content-encoding': 'gzip' };
		const packed = await call(service.url, apiKey, 'POST', '/v1/verify-batch', octets, headers);
		expect([packed.status, packed.text]).toEqual([202, plain.text]);
	});

	test('inflates to 14 MiB, and one octet more is refused, however short it was on the way', async () => {
		const { apiKey } = await makeAccount(service, 1);
		const full = await send(apiKey, '/v1/verify-batch', batchOf(BODY_OCTETS_MAX));
		expect(full.status, full.text).toBe(202);
		const more = await send(apiKey, '/v1/verify-batch', batchOf(BODY_OCTETS_MAX + 1));
		expect(expectFailure(more, 400, 'body_too_large')).toContain(String(BODY_OCTETS_MAX));
	});

	test('of a gigabyte of blanks is refused like any other that is too long', async () => {
		const { apiKey } = await makeAccount(service, 1);
		// Members one after the other are one body (RFC 1952 §2.2).
		const member = gzipSync(' '.repeat(1024 * 1024), { level: 9 });
		const bomb = new Uint8Array(Buffer.concat(Array.from({ length: 1_024 }, () => member)));
		const headers = { 'content-encoding': 'gzip' };
		const answer = await call(service.url, apiKey, 'POST', '/v1/verify-batch', bomb, headers);
		expectFailure(answer, 400, 'body_too_large');
	});
});
