import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { COPY } from '../../support/openapi/document.ts';
import { describeApi, renderApi } from '../../support/openapi/copy.ts';

// The diff of docs/openapi.json is what reviewers see of a change of the API.

test('docs/openapi.json is the document of this code (`npm run update -- openapi`)', () => {
	const copy = readFileSync(path.join(import.meta.dirname, '../../..', COPY), 'utf8');
	// Structures first: their difference is short.
	expect(JSON.parse(copy)).toEqual(describeApi());
	expect(copy).toBe(renderApi(describeApi()));
});
