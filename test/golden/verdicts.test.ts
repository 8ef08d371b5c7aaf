import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PROVIDER_ROWS } from '../sandbox/scenes/providers.ts';
import { SCENES } from '../sandbox/scenes/scenes.ts';
import { VERDICTS, verdicts } from './verdicts.ts';
import type { Line } from './verdicts.ts';

const SHOWN_MAX = 600;
const ACCEPT = 'If that is meant: npm run update -- golden';

test('the code gives the verdicts of the file, and no others', async () => {
	const before = readFileSync(VERDICTS, 'utf8').trimEnd().split('\n');
	const found = await verdicts();
	expect(new Set(found.map((line) => line.case)).size, 'each case has a name of its own').toBe(found.length);
	const after = found.map((line) => JSON.stringify(line));
	const [old, now] = [new Set(before), new Set(after)];
	const changed = [
		...before.filter((line) => !now.has(line)).map((line) => `- ${line}`),
		...after.filter((line) => !old.has(line)).map((line) => `+ ${line}`),
	];
	if (changed.length > 0)
		expect.fail(`${changed.slice(0, SHOWN_MAX).join('\n')}\n${changed.length} lines in all. ${ACCEPT}`);
	expect(after, 'in the order of the file').toEqual(before);
});

test('each domain of the sandbox, and each provider and gateway under its own name, has the verdict promised of it', () => {
	const text = readFileSync(VERDICTS, 'utf8').trimEnd();
	const lines = text.split('\n').map((line) => JSON.parse(line) as Line);
	const alone = new Map(lines.map((line) => [line.case, line]));
	const told = (address: string) => alone.get(`scene | alone | ${address}`);
	const samples = [...SCENES, ...PROVIDER_ROWS.map(({ scene }) => scene)].flatMap((scene) => scene.samples);
	for (const { address, expect: promised } of samples) {
		const { sub_status: sub, ...more } = promised;
		expect(told(address), address).toMatchObject({ sub, ...more });
	}
	for (const { gateway, smtpProvider: smtp_provider, scene } of PROVIDER_ROWS)
		expect(told(scene.samples[0]?.address ?? ''), scene.domain).toMatchObject({ gateway, smtp_provider });
	expect(samples.length).toBeGreaterThan(150);
});
