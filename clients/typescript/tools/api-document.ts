import { createApp } from '../../../src/http/app.ts';
import { openApiDocument } from '../../../src/http/openapi.ts';

/** The OpenAPI document, as the service gives it. */
export function apiDocument(): object {
	return openApiDocument(createApp(unused, unused, unused), '/');
}

function unused(): never {
	throw new Error('nothing is served here');
}
