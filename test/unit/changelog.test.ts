import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VERSION } from '../../clients/typescript/src/index.ts';
import { API_VERSION } from '../../src/http/schemas/envelope.ts';

test.each([
	['', API_VERSION],
	['clients/typescript/', VERSION],
])('the newest version in %sCHANGELOG.md is that of the package, with its day', (folder, version) => {
	const headings = readFileSync(`${folder}CHANGELOG.md`, 'utf8').match(/^## .*$/gm) ?? [];
	const [newest, ...older] = headings.filter((heading) => heading !== '## [Unreleased]');
	expect(newest).toMatch(new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - `));
	for (const each of [newest, ...older]) expect(each).toMatch(/^## \[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/);
	expect(JSON.parse(readFileSync(`${folder}package.json`, 'utf8'))).toMatchObject({ version });
});
