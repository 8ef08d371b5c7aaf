import { expect, test } from 'vitest';
import { proseFlaws } from '../../../tools/lint/prose.ts';

// The linter holds comments to sentences that a stranger reads once.

test.each([
	'Of one call, which is repeated.',
	'The caller waits. What is left follows.',
	'Those that were asked.',
	'@param name whoever asks',
	'Nobody answers.',
	'The account is told of it.',
	'The line comes\nback.',
	'The row as it stands.',
])('finds what is wrong with %j', (comment) => {
	expect(proseFlaws(comment)).toHaveLength(1);
});

test.each([
	'The bounds of one call. The caller repeats it until nothing is left.',
	'What if the list is empty?',
	'The name `nobody` of a user, and the text "What now".',
	'A forbearing host.',
])('lets %j pass', (comment) => {
	expect(proseFlaws(comment)).toEqual([]);
});
