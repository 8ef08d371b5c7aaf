import { expect, test } from 'vitest';
import { piecesOf, streamOf } from '../../../src/lib/streams.ts';
import { collected } from '../../support/unit/list-files.ts';

async function* pieces() {
	yield 'ä';
	yield '';
	yield '🙂\r\n';
}

test('a text comes out whole, letter by letter what went in', async () => {
	expect(await new Response(streamOf(pieces())).text()).toBe('ä🙂\r\n');
});

test('who stops reading in the middle lets the source go', async () => {
	let cancelled = false;
	const source = new ReadableStream<number>({
		pull: (controller) => controller.enqueue(1),
		cancel: () => {
			cancelled = true;
		},
	});
	for await (const piece of piecesOf(source)) {
		expect(piece).toBe(1);
		break;
	}
	expect(cancelled).toBe(true);
});

test('a source that fails fails its reader', async () => {
	const source = new ReadableStream<number>({
		pull: (controller) => controller.error(new Error('the line broke')),
	});
	await expect(collected(piecesOf(source))).rejects.toThrow('the line broke');
});
