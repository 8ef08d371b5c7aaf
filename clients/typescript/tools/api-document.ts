import { createApp } from '../../../src/http/app.ts';
import { openApiDocument } from '../../../src/http/openapi.ts';
import type { Services } from '../../../src/services.ts';

/** The OpenAPI document, as the service gives it. */
export function apiDocument(): object {
	const nobody = (): never => {
		throw new Error('nothing is served here');
	};
	return openApiDocument(
		createApp((): Services => nobody(), nobody),
		'/',
	);
}
