import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ApiAnswer } from './api.ts';

/** The result of a tool: text for the model, and of a success the same as data. */
export type ToolResult = ReturnType<typeof told> | ReturnType<typeof refused>;

type Data = Readonly<Record<string, unknown>>;

/** About the request, in every answer of the API. */
export const meta = z.looseObject({ requestId: z.string() }).describe('About the request');

/**
 * A schema as it is published for answers: open, as the API is. A client that listed the tools before a field was added
 * goes on reading answers.
 */
export function published(schema: z.ZodType): StandardSchemaWithJSON {
	const json = (): Record<string, unknown> => ({ ...z.toJSONSchema(schema, { io: 'input' }) });
	return { '~standard': { ...schema['~standard'], jsonSchema: { input: json, output: json } } };
}

/** An answer of the API as the result of a tool, with its data as `shown`. */
export function answered(
	{ data, meta: about, error }: ApiAnswer,
	shown: (data: Data) => Data = (all) => all,
): ToolResult {
	return error === null ? told({ ...shown(data), meta: about }) : refused(error);
}

export function told(data: Data) {
	const structuredContent = { ...data };
	return { content: [{ type: 'text' as const, text: JSON.stringify(data) }], structuredContent };
}

/** Without data: clients check that against the tool's schema, also beside `isError`, and would lose the reason. */
export function refused(why: Data) {
	return { content: told(why).content, isError: true as const };
}
