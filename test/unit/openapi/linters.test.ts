import path from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { COPY } from '../../support/openapi/document.ts';
import { describeApi, renderApi } from '../../support/openapi/copy.ts';

// What a linter that people trust says of the OpenAPI document.

const text = renderApi(describeApi());

test('Redocly finds nothing, by its strict recommended rules', async () => {
	const config = await createConfig({ extends: ['recommended-strict'] });
	const problems = await lintFromString({ source: text, absoluteRef: path.resolve(COPY), config });
	expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
		[],
	);
});
