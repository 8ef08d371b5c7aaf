import { API_ERROR_CODES, ERRORS } from '../../../src/core/errors/error-table.ts';
import openapiTS, { astToString } from 'openapi-typescript';

/** The files of `src` that are made from the OpenAPI document, by their names. */
export async function renderTypes(document: object): Promise<Readonly<Record<string, string>>> {
	const types = astToString(await openapiTS(structuredClone(document) as never));
	return { 'openapi.ts': `${HEAD}${types}`, 'error-codes.ts': `${HEAD}${errorCodes()}` };
}

const HEAD =
	'// Made by `npm run update:client-types` from the OpenAPI document and the table of errors.\n\n';

function errorCodes(): string {
	const lines = API_ERROR_CODES.map(
		(code) => `\t/** ${ERRORS[code].status}: ${ERRORS[code].when} */\n\t| '${code}'`,
	);
	return `/** The codes of errors that the service had when this was made. */\nexport type KnownErrorCode =\n${lines.join('\n')};\n`;
}
