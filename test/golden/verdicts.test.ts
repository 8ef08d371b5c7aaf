import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { difference } from './difference.ts';
import { readLines, VERDICTS, verdicts } from './verdicts.ts';

test('the code gives the verdicts of the file, and no others', async () => {
	const changed = difference(readLines(readFileSync(VERDICTS, 'utf8')), await verdicts());
	if (changed !== '') expect.fail(changed);
});

test('a change is told case by case, with what is gone and what is new', () => {
	const told = difference(
		[
			{ case: 'reply | a | 550 no', sub: 'rejected_email', charge: 1 },
			{ case: 'scene | row | ada@x.test', sub: 'accepted_email' },
			{ case: 'list | b', score: 97 },
		],
		[
			{ case: 'reply | a | 550 no', sub: 'antispam_system', charge: 0 },
			{ case: 'list | b', score: 97 },
			{ case: 'list | c', score: 21 },
		],
	);
	expect(told.split('\n')).toEqual([
		'3 of 3 verdicts changed (reply | a: 1, list | c: 1, scene | row: 1)',
		'  reply | a | 550 no: sub rejected_email -> antispam_system, charge 1 -> 0',
		'  list | c: is new: {"score":21}',
		'  scene | row | ada@x.test: is gone',
		'If that is meant: npm run update:golden',
	]);
});
