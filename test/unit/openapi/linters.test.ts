import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import type { RulesetDefinition } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { COPY } from '../../support/openapi/document.ts';
import { describeApi, renderApi } from '../../support/openapi/copy.ts';

// What the tools of others say of the OpenAPI document: those that generate clients, and those that people trust.

const text = renderApi(describeApi());

test('Spectral finds nothing, with all its rules', async () => {
	const spectral = new spectralCore.Spectral();
	spectral.setRuleset({
		// Their own types do not know one another.
		extends: [[oas as unknown as RulesetDefinition, 'all']],
		rules: {
			// It asks for a mailbox, and the program knows none of whoever runs it.
			'contact-properties': 'off',
			// The groups stand in the order in which a reader needs them.
			'openapi-tags-alphabetical': 'off',
		},
	});
	const problems = await spectral.run(JSON.parse(text) as Record<string, unknown>);
	expect(problems.map(({ code, message, path: at }) => [code, message, at.join('/')])).toEqual([]);
});

test('Redocly finds nothing, by its strict recommended rules', async () => {
	const config = await createConfig({ extends: ['recommended-strict'] });
	const problems = await lintFromString({ source: text, absoluteRef: path.resolve(COPY), config });
	expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
		[],
	);
});

test('openapi-spec-validator takes it', ({ skip }) => {
	const python = (...args: readonly string[]) =>
		spawnSync('python3', [...args], { encoding: 'utf8', input: text });
	const isInstalled = python('-c', 'import openapi_spec_validator').status === 0;
	// Where the project is built, `.ci/run` installs it.
	if (process.env['CI'] !== 'true') skip(!isInstalled, 'openapi-spec-validator is not installed');
	expect(isInstalled, 'openapi-spec-validator is not installed').toBe(true);
	const program =
		'import json, sys, openapi_spec_validator as v; v.validate(json.load(sys.stdin)); print("OK")';
	const { status, stdout, stderr } = python('-c', program);
	expect([status, stdout, stderr]).toEqual([0, 'OK\n', '']);
});
