import type { JsonSchema } from './json-schema.ts';

// The parts of the OpenAPI document that tests look at.

export interface Response {
	readonly description: string;
	readonly headers: Readonly<Record<string, { readonly $ref: string }>>;
	readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

export interface Operation {
	readonly operationId: string;
	readonly summary: string;
	readonly security: readonly Readonly<Record<string, readonly string[]>>[];
	readonly requestBody?: {
		readonly required: boolean;
		readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
	};
	readonly parameters?: readonly { readonly name: string; readonly schema: JsonSchema }[];
	readonly responses: Readonly<Record<string, Response>>;
}

export interface Document {
	readonly openapi: string;
	readonly info: { readonly title: string; readonly version: string };
	readonly servers: readonly { readonly url: string }[];
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: {
		readonly schemas: Readonly<Record<string, JsonSchema>>;
		readonly headers: Readonly<Record<string, { readonly required: boolean }>>;
		readonly examples: Readonly<Record<string, unknown>>;
		readonly securitySchemes: unknown;
	};
}
