import type { OpenAPIHono } from '@hono/zod-openapi';
import { API_ERROR_CODES, ERRORS } from '../core/errors/error-table.ts';
import { API_VERSION } from './schemas.ts';
import type { AppEnv } from './context.ts';
import { exampleOfError, HEADERS } from './responses.ts';

type Document = ReturnType<OpenAPIHono<AppEnv>['getOpenAPI31Document']>;

const SECURITY_SCHEMES = {
	bearer: { type: 'http', scheme: 'bearer', description: 'The API key after the word Bearer' },
	apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The API key alone' },
} as const;

// The only error that belongs to none of the paths.
const ON_NO_PATH = 'path_not_found';

/** The groups of calls; a route names one of them. */
const TAGS = [
	{ name: 'Single', description: 'One address, answered at once' },
	{ name: 'Lists', description: 'Up to 50,000 addresses as a job, which is asked for until it is completed' },
	{ name: 'Domains', description: 'What is known of domains without an address: no personal data' },
	{ name: 'Catch-all', description: 'The catch-all addresses of a completed job, with a score each' },
	{ name: 'Webhooks', description: 'Addresses of yours that are told when work ends or credits run low' },
	{ name: 'Account', description: 'The credits of the account, and what became of its messages' },
] as const;

/** The name of a group of calls. */
export type Tag = (typeof TAGS)[number]['name'];

/**
 * The OpenAPI 3.1 document, generated from the schemas that the routes use.
 *
 * @param serverUrl the configured public URL; `/` means the origin of the document itself
 */
export function openApiDocument(app: OpenAPIHono<AppEnv>, serverUrl: string): Document {
	// These have to be absolute, and only a configured URL is.
	const docs = URL.canParse(serverUrl) ? { url: new URL('/docs', serverUrl).href } : null;
	const document = app.getOpenAPI31Document({
		openapi: '3.1.0',
		info: {
			title: 'Mailsonar',
			version: API_VERSION,
			description:
				'Says whether an email address will take mail, and why. Credits are charged for definite answers only.',
			contact: { name: 'Mailsonar', ...docs },
			license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' },
		},
		servers: [{ url: serverUrl, description: 'This service' }],
		tags: TAGS.map((tag) => ({ ...tag })),
		...(docs === null ? {} : { externalDocs: { ...docs, description: 'The reference for people' } }),
	});
	const examples = Object.fromEntries(
		API_ERROR_CODES.filter((code) => code !== ON_NO_PATH).map((code) => [
			code,
			{ summary: ERRORS[code].when, value: exampleOfError(code) },
		]),
	);
	const components = {
		...document.components,
		headers: HEADERS,
		examples,
		securitySchemes: SECURITY_SCHEMES,
	};
	return { ...document, components };
}
