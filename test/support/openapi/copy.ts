import { createApp } from '../../../src/http/app.ts';
import { openApiDocument } from '../../../src/http/openapi.ts';

/** The committed copy of the OpenAPI document, from the root of the project. */
export const COPY = 'docs/openapi.json';

// The document names the address that a service is configured with; the copy belongs to none.
const ANY_SERVICE = 'https://mailsonar.example';

/** The OpenAPI document of this code. */
export function describeApi(): object {
	const noServices = (): never => {
		throw new Error('a document is made without a request');
	};
	return openApiDocument(createApp(noServices, noServices, noServices), ANY_SERVICE);
}

/** The text of the copy. */
export function renderApi(document: object): string {
	return `${JSON.stringify(document, null, '\t')}\n`;
}
