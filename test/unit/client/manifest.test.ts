import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { VERSION } from '../../../clients/typescript/src/index.ts';

test('the client says the version of its package, which depends on nothing', () => {
	const text = readFileSync(
		path.join(import.meta.dirname, '../../../clients/typescript/package.json'),
		'utf8',
	);
	const manifest = JSON.parse(text) as { version: string; dependencies?: object };
	expect(manifest).toMatchObject({ version: VERSION });
	expect(manifest.dependencies).toBeUndefined();
});
