import { expect, test } from 'vitest';
import { streamOf } from '../../../src/lib/streams.ts';

async function* pieces() {
	yield 'ä';
	yield '';
	yield '🙂\r\n';
}

test('a text comes out whole, letter by letter what went in', async () => {
	expect(await new Response(streamOf(pieces())).text()).toBe('ä🙂\r\n');
});
