import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { API_ERROR_CODES, ERRORS } from '../../../src/core/errors/error-table.ts';

const ROOT = path.join(import.meta.dirname, '../../..');
const HEAD =
	'// Made of the OpenAPI document and the table of errors (`npm run update -- client-types`); not committed.\n\n';

/**
 * Writes the files of the client that are made of the OpenAPI document. They hold types alone: what runs needs none of them,
 * what is compiled or published all. Needs the packages of `test/package.json`.
 */
export async function makeClientTypes(): Promise<void> {
	const { default: openapiTS, astToString } = await import('openapi-typescript');
	const document = JSON.parse(readFileSync(path.join(ROOT, 'docs/openapi.json'), 'utf8')) as object;
	const texts = {
		'openapi.ts': astToString(await openapiTS(document as never)),
		'error-codes.ts': errorCodes(),
	};
	for (const [name, text] of Object.entries(texts))
		writeFileSync(path.join(ROOT, 'clients/typescript/src', name), `${HEAD}${text}`);
}

function errorCodes(): string {
	const lines = API_ERROR_CODES.map(
		(code) => `\t/** ${ERRORS[code].status}: ${ERRORS[code].when} */\n\t| '${code}'`,
	);
	return `/** The codes of errors that the service had when this was made. */\nexport type KnownErrorCode =\n${lines.join('\n')};\n`;
}

if (import.meta.main) await makeClientTypes();
