import { z } from '@hono/zod-openapi';

// The parts of the API's schemas. Each field adds a `describe` of its own, with its unit: a test asks for it.

/** Where in a body or a query a value stands: `outcomes[3].email`. */
export function placeOf(path: readonly PropertyKey[]): string {
	return path.reduce<string>((place, step) => {
		if (typeof step === 'number') return `${place}[${step}]`;
		return place === '' ? String(step) : `${place}.${String(step)}`;
	}, '');
}

/** The error of a field, which names its place: `emails[3] must be a string`. */
export function wrong(must: string) {
	return {
		error: ({ path = [] }: { readonly path?: PropertyKey[] | undefined }) =>
			`Invalid parameter: ${placeOf(path)} must be ${must}`,
	};
}

/** A number of things, whole. */
export const count = z.int().min(0);
/** A number of credits, whole: published with 64 bits, since a generated client takes an integer for one of 32. */
export const creditCount = count.openapi({ format: 'int64' });
/** Epoch milliseconds as ISO 8601. */
export function timestamp(at: number): string;
export function timestamp(at: number | null): string | null;
export function timestamp(at: number | null): string | null {
	return at === null ? null : new Date(at).toISOString();
}

/** A moment in UTC with milliseconds, ISO 8601. */
export const time = z.iso.datetime();
/** From 0, surely bad, to 100, surely good; whole. */
export const score = z.int().min(0).max(100);

/** The fields of `meta` of a call that costs credits. */
export const chargedMeta = {
	creditsUsed: creditCount
		.describe('What this answer cost, in credits: 0 for an `unknown`')
		.openapi({ example: 1 }),
	creditsRemaining: creditCount.describe('What is available now, in credits').openapi({ example: 99 }),
};

/** The least `meta` of an example. */
export const META = { requestId: 'req_1f0c' } as const;

/**
 * A word of a list that may grow: published as a string, with the words so far in its description, since a client
 * generated from an `enum` fails on a new one. For us it is a closed type.
 */
export function openWord<W extends string>(
	words: readonly W[],
	description: string,
	pattern = /^[a-z0-9_]+$/,
): z.ZodType<W, W> {
	const listed = words.map((word) => `\`${word}\``).join(', ');
	const text = `${description} More words may come: take an unknown one as a text. So far: ${listed}.`;
	return z.string().regex(pattern).describe(text) as unknown as z.ZodType<W, W>;
}

/** The parameters of paths. */
export const PATH_PARAMS = {
	jobId: z.string().describe('The id of the job').openapi({ example: 'job_1f0c' }),
	taskId: z.string().describe('The id of the task').openapi({ example: 'cat_1f0c' }),
	webhookId: z.string().describe('The id of the webhook').openapi({ example: 'whk_1f0c' }),
	eventId: z.string().describe('The id of the event').openapi({ example: 'evt_1f0c' }),
} as const;
export type PathParam = keyof typeof PATH_PARAMS;
