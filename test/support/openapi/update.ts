import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { changesOf, unnamedIn } from './changes.ts';
import type { ApiDocument } from './changes.ts';
import { COPY, describeApi, renderApi } from './copy.ts';

// `npm run update:openapi`: rewrites docs/openapi.json, unless clients would break unannounced.

const document = describeApi();
const before = existsSync(COPY) ? (JSON.parse(readFileSync(COPY, 'utf8')) as ApiDocument) : {};
const changes = changesOf(before, document);
for (const { kind, text } of changes) console.log(`${kind === 'breaking' ? 'BREAKS' : 'adds  '} ${text}`);
const unnamed = unnamedIn(readFileSync('CHANGELOG.md', 'utf8'), changes);
if (unnamed.length > 0) {
	console.error(`\nNot written. Name under "## [Unreleased]" in CHANGELOG.md, letter for letter:\n`);
	for (const text of unnamed) console.error(`- ${text}`);
	process.exitCode = 1;
} else {
	writeFileSync(COPY, renderApi(document));
	console.log(`${COPY}: ${changes.length} changes`);
}
