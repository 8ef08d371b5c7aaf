import { describe, expect, test } from 'vitest';
import { discard, readOctets, readPieces, streamOf } from '../../../src/lib/streams.ts';

/** A body of ten octets in pieces of three, and what became of it. */
function bodyOf(octets = 10) {
	const seen = { read: 0, cancelled: false };
	const body = new ReadableStream<Uint8Array>(
		{
			pull: (controller) => {
				const piece = Uint8Array.from({ length: Math.min(3, octets - seen.read) }, (_, n) => seen.read + n);
				seen.read += piece.length;
				if (piece.length > 0) controller.enqueue(piece);
				if (seen.read === octets) controller.close();
			},
			cancel: () => {
				seen.cancelled = true;
			},
		},
		{ highWaterMark: 0 },
	);
	return { body, seen };
}

const upTo = (octets: number): Uint8Array => Uint8Array.from({ length: octets }, (_, n) => n);

describe('a body is read up to its limit', () => {
	test.each([
		[10, 10, true],
		[11, 10, true],
		[9, 9, false],
		[6, 6, false],
		[0, 0, false],
	])('of %i octets: %i are given, and that is all: %s', async (limit, given, isWhole) => {
		for (const headers of [{}, { 'content-length': '10' }])
			expect(await readOctets(new Response(bodyOf().body, { headers }), limit)).toEqual({
				octets: upTo(given),
				isWhole,
			});
	});

	test('also where it announces the length that it had before it was inflated', async () => {
		const headers = { 'content-length': '3', 'content-encoding': 'gzip' };
		const read = await readOctets(new Response(bodyOf().body, { headers }), 9);
		expect(read).toEqual({ octets: upTo(9), isWhole: false });
	});

	test('nothing is all of nothing', async () => {
		expect(await readOctets(new Response(null), 0)).toEqual({ octets: upTo(0), isWhole: true });
		expect(await readOctets(new Response(bodyOf(0).body), 0)).toEqual({ octets: upTo(0), isWhole: true });
	});

	test('and no further: what follows can still be read', async () => {
		const { body, seen } = bodyOf();
		const response = new Response(body);
		await readOctets(response, 4);
		expect(seen).toEqual({ read: 6, cancelled: false });
		expect((await readOctets(response, 100)).octets).toEqual(Uint8Array.of(6, 7, 8, 9));
	});

	test('and a piece that is not taken ends it, and leaves the rest', async () => {
		const { body, seen } = bodyOf();
		const taking = readPieces(body, 100, () => {
			throw new Error('enough');
		});
		await expect(taking).rejects.toThrow('enough');
		expect(seen).toEqual({ read: 3, cancelled: false });
		await discard(body);
		expect(seen.read).toBe(10);
	});
});

describe('what is thrown away', () => {
	test('is read to its end, so that its sender hears the answer', async () => {
		const { body, seen } = bodyOf();
		await discard(body);
		expect(seen).toEqual({ read: 10, cancelled: false });
		await discard(body);
		await discard(null);
	});

	test('is read up to 100 MiB, and to where it breaks', async () => {
		let pieces = 0;
		const endless = new ReadableStream<Uint8Array>({
			pull: (controller) => {
				pieces += 1;
				controller.enqueue(new Uint8Array(1024 * 1024));
			},
		});
		await discard(endless);
		expect(pieces).toBeLessThan(104);
		expect(pieces).toBeGreaterThan(100);
		await discard(new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) }));
	});
});

test('a text comes out of a stream whole, letter by letter what went in', async () => {
	async function* pieces() {
		yield* ['ä', '', '🙂\r\n'];
	}
	expect(await new Response(streamOf(pieces())).text()).toBe('ä🙂\r\n');
});
