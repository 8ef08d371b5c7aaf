import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { VERSION } from '../../../clients/typescript/src/index.ts';
import { renderTypes } from '../../support/openapi/client-types.ts';
import { COPY } from '../../support/openapi/document.ts';

const CLIENT = path.join(import.meta.dirname, '../../../clients/typescript');

test('the types are those of the OpenAPI document; else run npm run update:client-types', async () => {
	const files = Object.entries(await renderTypes(JSON.parse(readFileSync(COPY, 'utf8')) as object));
	expect(files.map(([name]) => name)).toEqual(['openapi.ts', 'error-codes.ts']);
	for (const [name, text] of files) expect(readFileSync(path.join(CLIENT, 'src', name), 'utf8')).toBe(text);
});

test('the client says the version of its package, which depends on nothing', () => {
	const text = readFileSync(path.join(CLIENT, 'package.json'), 'utf8');
	const manifest = JSON.parse(text) as { version: string; dependencies?: object };
	expect(manifest).toMatchObject({ version: VERSION });
	expect(manifest.dependencies).toBeUndefined();
});
