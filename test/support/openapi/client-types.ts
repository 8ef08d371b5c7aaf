import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { API_ERROR_CODES, ERRORS } from '../../../src/core/errors/error-table.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const HEAD =
	'// Made of the OpenAPI document and the table of errors (`npm run update -- client-types`); not committed.\n';

/**
 * Writes the files of the client that are made of the OpenAPI document. They hold types alone: what runs needs none of them,
 * what is compiled or published all. Needs the packages of `test/package.json`.
 */
export async function makeClientTypes(): Promise<void> {
	const files = ['error-codes.ts', 'openapi.ts'].map((name) =>
		path.join(ROOT, 'clients/typescript/src', name),
	);
	const sources = ['docs/openapi.json', 'test/package-lock.json'].map((name) =>
		readFileSync(path.join(ROOT, name)),
	);
	const codes = errorCodes();
	// The generator takes seconds, so what it made of the same is kept.
	const head = `${HEAD}// ${createHash('sha256').update(Buffer.concat(sources)).update(codes).digest('hex')}\n\n`;
	if (files.every((file) => existsSync(file) && readFileSync(file, 'utf8').startsWith(head))) return;
	const { default: openapiTS, astToString } = await import('openapi-typescript');
	const types = astToString(await openapiTS(JSON.parse(String(sources[0])) as never));
	for (const [index, text] of [codes, types].entries()) writeFileSync(files[index]!, `${head}${text}`);
}

function errorCodes(): string {
	const lines = API_ERROR_CODES.map(
		(code) => `\t/** ${ERRORS[code].status}: ${ERRORS[code].when} */\n\t| '${code}'`,
	);
	return `/** The codes of errors that the service had when this was made. */\nexport type KnownErrorCode =\n${lines.join('\n')};\n`;
}

if (import.meta.main) await makeClientTypes();
