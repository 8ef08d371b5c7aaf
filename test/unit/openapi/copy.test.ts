import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { changesOf, unnamedIn } from '../../support/openapi/changes.ts';
import type { ApiDocument } from '../../support/openapi/changes.ts';
import { COPY, describeApi, renderApi } from '../../support/openapi/copy.ts';

// docs/openapi.json is what reviewers see of a change of the API, and what a breaking change is measured by.

const read = (name: string) => readFileSync(path.join(import.meta.dirname, '../../..', name), 'utf8');
const document = describeApi();
const changes = changesOf(JSON.parse(read(COPY)) as ApiDocument, document);

test('no change breaks clients, unless CHANGELOG.md names it under Unreleased', () => {
	expect(unnamedIn(read('CHANGELOG.md'), changes)).toEqual([]);
});

test('docs/openapi.json is the document of this code (`npm run update:openapi`)', () => {
	expect(changes).toEqual([]);
	expect(read(COPY) === renderApi(document), 'texts or examples changed: npm run update:openapi').toBe(true);
});
