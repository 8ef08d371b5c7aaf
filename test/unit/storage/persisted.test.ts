import { expect, test } from 'vitest';
import { tracesIn } from '../../support/persisted.ts';

// What a search for addresses in stored bytes finds.

const WORD = 'marker7f3a';

test.each<readonly [string, Buffer]>([
	['as it is', Buffer.from(`{"email":"${WORD}@x.test"}`)],
	['in capitals', Buffer.from(WORD.toUpperCase())],
	['between bytes that are no text', Buffer.from([0, 255, ...Buffer.from(WORD), 200])],
	['percent-encoded around it', Buffer.from(`mailto:${encodeURIComponent(`${WORD}@x.test`)}`)],
	['in UTF-16', Buffer.from(WORD, 'utf16le')],
	...[0, 1, 2].map(
		(offset) =>
			[
				`in base64, ${offset} octets in`,
				Buffer.from(Buffer.from(`${'<'.repeat(offset)}${WORD}@x.test`).toString('base64')),
			] as const,
	),
])('a word is found %s', (_, bytes) => {
	expect(tracesIn(bytes, ['nothing', WORD])).toMatchObject([{ word: WORD }]);
});

test('where it is not, nothing is found', () => {
	expect(tracesIn(Buffer.from('marker7f3b marker7f3'), [WORD])).toEqual([]);
});
