import openapiTS, { astToString } from 'openapi-typescript';

interface Document {
	readonly components: { readonly schemas: { readonly ErrorCode: { readonly description: string } } };
}

/** The files of `src` that are made from the OpenAPI document, by their names. */
export async function renderTypes(document: object): Promise<Readonly<Record<string, string>>> {
	const types = astToString(await openapiTS(structuredClone(document) as never));
	return { 'openapi.ts': `${HEAD}${types}`, 'error-codes.ts': `${HEAD}${errorCodes(document as Document)}` };
}

const HEAD = '// Made by `npm run update:client-types` from the OpenAPI document.\n\n';

/** The service publishes the codes as text, since the set is open. */
function errorCodes({ components }: Document): string {
	const { description } = components.schemas.ErrorCode;
	const codes = [...description.matchAll(/^- `([a-z_]+)` \((\d+)\): (.+)$/gm)];
	if (codes.length === 0) throw new Error('the document names no error codes');
	const lines = codes.map(([, code, status, meaning]) => `\t/** ${status}: ${meaning} */\n\t| '${code}'`);
	return `/** The codes of errors that the service had when this was made. */\nexport type KnownErrorCode =\n${lines.join('\n')};\n`;
}
