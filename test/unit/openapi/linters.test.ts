import path from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { COPY } from '../../support/openapi/document.ts';
import { describeApi, renderApi } from '../../support/openapi/copy.ts';

// What a linter that people trust says of the OpenAPI document.

const text = renderApi(describeApi());

// Each call and each webhook has a name of its own, one group that is described, and words for people.
const MORE = [
	'operation-description',
	'operation-singular-tag',
	'operation-tag-defined',
	'parameter-description',
];

test('Redocly finds nothing, by its strict recommended rules (each example fits its schema) and those of words', async () => {
	const rules = Object.fromEntries(MORE.map((rule) => [rule, 'error' as const]));
	const config = await createConfig({ extends: ['recommended-strict'], rules });
	const problems = await lintFromString({ source: text, absoluteRef: path.resolve(COPY), config });
	expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
		[],
	);
});
