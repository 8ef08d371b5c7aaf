import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PROVIDER_ROWS } from '../sandbox/scenes/providers.ts';
import { SCENES } from '../sandbox/scenes/scenes.ts';
import { difference } from './difference.ts';
import { readLines, VERDICTS, verdicts } from './verdicts.ts';

test('the code gives the verdicts of the file, and no others', async () => {
	const changed = difference(readLines(readFileSync(VERDICTS, 'utf8')), await verdicts());
	if (changed !== '') expect.fail(changed);
});

test('each domain of the sandbox, and each provider and gateway under its own name, has the verdict promised of it', () => {
	const lines = new Map(readLines(readFileSync(VERDICTS, 'utf8')).map((line) => [line.case, line]));
	const told = (address: string) => lines.get(`scene | alone | ${address}`);
	const samples = [...SCENES, ...PROVIDER_ROWS.map(({ scene }) => scene)].flatMap((scene) => scene.samples);
	for (const { address, expect: promised } of samples) {
		const { sub_status: sub, ...more } = promised;
		expect(told(address), address).toMatchObject({ sub, ...more });
	}
	for (const { gateway, smtpProvider: smtp_provider, scene } of PROVIDER_ROWS)
		expect(told(scene.samples[0]?.address ?? ''), scene.domain).toMatchObject({ gateway, smtp_provider });
	expect(samples.length).toBeGreaterThan(150);
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
		'If that is meant: npm run update -- golden',
	]);
});
