import type { JsonSchema } from './json-schema.ts';

// The parts of the OpenAPI document that tests look at.

/** The committed copy of the OpenAPI document, from the root of the project. */
export const COPY = 'docs/openapi.json';

interface Content {
	readonly schema: JsonSchema;
	readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

export interface Response {
	readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
	/** A 204 has none. */
	readonly content?: Readonly<Record<string, Content>>;
}

export interface Operation {
	readonly operationId: string;
	readonly responses: Readonly<Record<string, Response>>;
}

/** A webhook's request. */
interface Sent {
	readonly tags: readonly string[];
	readonly requestBody: Required<Pick<Response, 'content'>>;
}

export interface Document {
	readonly servers: readonly { readonly url: string }[];
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly webhooks: Readonly<Record<string, { readonly post: Sent }>>;
	readonly components: {
		readonly schemas: Readonly<Record<string, JsonSchema>>;
		readonly headers: Readonly<Record<string, { readonly required: boolean }>>;
		readonly responses: Readonly<Record<string, Response>>;
	};
}

/** The operations of a document by their names, `GET /v1/jobs`, with the responses to which they refer. */
export function operationsOf({ paths, components }: Document): [name: string, Operation][] {
	const found = (response: Response | { readonly $ref: string }): Response => {
		if (!('$ref' in response)) return response;
		const component = components.responses[response.$ref.split('/').at(-1) ?? ''];
		if (component === undefined) throw new Error(`${response.$ref} leads nowhere`);
		return component;
	};
	return Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]): [string, Operation] => {
			const responses = Object.entries(operation.responses).map(([status, one]) => [status, found(one)]);
			return [
				`${method.toUpperCase()} ${path}`,
				{ ...operation, responses: Object.fromEntries(responses) as Operation['responses'] },
			];
		}),
	);
}
