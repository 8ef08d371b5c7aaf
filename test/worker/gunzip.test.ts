import { Buffer } from 'node:buffer';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { discard, gunzipPieces, NotGzip } from '../../src/lib/streams.ts';

// gzip bodies in the runtime that inflates them: what comes out, and where it ends.

const LIMIT = 1_000;
const MIB = 1024 * 1024;

/** A body in pieces of `size` octets, and how many of them were asked for. */
function bodyOf(octets: Uint8Array, size = 100) {
	const asked = { octets: 0 };
	const body = new ReadableStream<Uint8Array>(
		{
			pull(controller) {
				const piece = octets.subarray(asked.octets, asked.octets + size);
				asked.octets += piece.length;
				if (piece.length === 0) controller.close();
				else controller.enqueue(piece);
			},
		},
		{ highWaterMark: 0 },
	);
	return { body, asked };
}

async function inflate(octets: Uint8Array, octetsMax = LIMIT, size?: number) {
	const { body, asked } = bodyOf(octets, size);
	const pieces: Uint8Array[] = [];
	const isWhole = await gunzipPieces(body, octetsMax, (piece) => void pieces.push(piece));
	return { body, asked, isWhole, text: Buffer.concat(pieces).toString() };
}

describe('a gzip body', () => {
	test.each([1, 7, 100_000])('is what was compressed, in pieces of %i octets', async (size) => {
		const text = Array.from({ length: 90 }, (_, at) => `${at}: ada`).join(' ');
		expect(await inflate(gzipSync(text), LIMIT, size)).toMatchObject({ isWhole: true, text });
	});

	test('of several members is all of them (RFC 1952 §2.2)', async () => {
		const both = Buffer.concat([gzipSync('one, '), gzipSync('two')]);
		expect(await inflate(both)).toMatchObject({ isWhole: true, text: 'one, two' });
	});

	test('that inflates to the limit is whole, and one octet more is not', async () => {
		expect((await inflate(gzipSync('x'.repeat(LIMIT)))).isWhole).toBe(true);
		const more = await inflate(gzipSync('x'.repeat(LIMIT + 1)));
		expect([more.isWhole, more.text.length]).toEqual([false, LIMIT]);
	});

	test('that would inflate to a hundred megabytes is left as soon as the limit is passed', async () => {
		const bomb = gzipSync(new Uint8Array(100 * MIB));
		const { isWhole, asked, text } = await inflate(bomb, MIB, 1_024);
		expect([isWhole, text.length]).toEqual([false, MIB]);
		// A thousandth: what makes a megabyte, and what lay ahead of it in zlib.
		expect(asked.octets).toBeLessThan(bomb.length / 2);
	});

	test('that inflates to nothing, however long, is read to the limit', async () => {
		const nothing = Buffer.concat(Array.from({ length: 100 }, () => gzipSync('')));
		expect(nothing.length).toBeGreaterThan(LIMIT);
		const { isWhole, asked } = await inflate(nothing);
		expect([isWhole, asked.octets]).toEqual([false, LIMIT + 100]);
	});

	test('whose taker has seen enough is left, and the rest can be read by others', async () => {
		const { body, asked } = bodyOf(gzipSync(new Uint8Array(10 * MIB)));
		const enough = new Error('enough');
		const reading = gunzipPieces(body, 20 * MIB, () => {
			throw enough;
		});
		await expect(reading).rejects.toBe(enough);
		await discard(body);
		expect(asked.octets).toBe(gzipSync(new Uint8Array(10 * MIB)).length);
	});

	test('that breaks off with its connection says so', async () => {
		const gone = new Error('the client has gone');
		const body = new ReadableStream<Uint8Array>({
			start(controller) {
				controller.enqueue(gzipSync('ada').subarray(0, 12));
				controller.error(gone);
			},
		});
		await expect(gunzipPieces(body, LIMIT, () => {})).rejects.toBe(gone);
	});
});

test.each([
	['nothing', new Uint8Array()],
	['plain text', Buffer.from('{"email":"ada@inbox.test"}')],
	['gzip that ends early', gzipSync('ada@inbox.test').subarray(0, -9)],
	['gzip with a wrong checksum', gzipSync('ada').fill(0, 15, 19)],
])('%s is no gzip', async (_, octets) => {
	await expect(inflate(octets)).rejects.toThrow(NotGzip);
});
