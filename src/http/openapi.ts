import type { OpenAPIHono } from '@hono/zod-openapi';
import type { AppEnv } from './context.ts';

type Document = ReturnType<OpenAPIHono<AppEnv>['getOpenAPI31Document']>;

/**
 * The OpenAPI 3.1 document, generated from the schemas that the routes use.
 *
 * @param serverUrl the configured public URL; `/` means the origin of the document itself
 */
export function openApiDocument(app: OpenAPIHono<AppEnv>, serverUrl: string): Document {
	const document = app.getOpenAPI31Document({
		openapi: '3.1.0',
		info: {
			title: 'Mailsonar',
			version: '1',
			description:
				'Says whether an email address will take mail, and why. Credits are charged for definite answers only.',
		},
		servers: [{ url: serverUrl }],
	});
	const securitySchemes = {
		bearer: { type: 'http', scheme: 'bearer' },
		apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
	} as const;
	return { ...document, components: { ...document.components, securitySchemes } };
}
