// oxlint-disable-next-line import/no-unassigned-import -- gives every schema the method `openapi`
import '@hono/zod-openapi';
import * as z from 'zod';

// The parts of the API's schemas. Each field has words of its own, with its unit: a test asks for them.

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

/** An object that the OpenAPI document has under a name. */
export function component<S extends z.ZodRawShape>(
	name: string,
	description: string,
	example: object | null,
	shape: S,
) {
	return z.object(shape).openapi(name, { description, ...(example === null ? {} : { example }) });
}

/** The object that a request sends. `having`: its main field, for the error of another value. */
export function requestBody<S extends z.ZodRawShape>(
	name: string,
	description: string,
	example: object,
	having: string | null,
	shape: S,
) {
	const error = `The body must be a JSON object${having === null ? '' : ` with ${having}`}`;
	return z.object(shape, { error }).openapi(name, { description, example });
}

/** A parameter of the query that is one of these words. */
export const oneOf = <const W extends readonly string[]>(name: string, words: W) =>
	z.enum(words, { error: `Invalid parameter: ${name} is one of ${words.join(', ')}` });

export const text = (says: string) => z.string().describe(says);
export const word = <const W extends readonly string[]>(words: W, says: string) =>
	z.enum(words).describe(says);
export const textOrNull = (says: string) => z.string().nullable().describe(says);
export const flag = (says: string) => z.boolean().describe(says);
export const flagOrNull = (says: string) => z.boolean().nullable().describe(says);

/** A field of a body that is a list of 1 to `max` such elements, which are `kind` by name. */
export function listOf<E extends z.ZodType>(each: E, kind: string, name: string, max: number, says: string) {
	const must = `must be an array of 1 to ${max} ${kind}`;
	return z
		.array(each, { error: `Missing or invalid parameter: ${name} ${must}` })
		.min(1, `Invalid parameter: ${name} is empty, it ${must}`)
		.max(max, `Invalid parameter: ${name} has too many elements, it ${must}`)
		.describe(says);
}

/** The same of texts. `each` describes one of them. */
export const texts = (name: string, max: number, each: string, says: string) =>
	listOf(z.string(wrong('a string')).describe(each), 'strings', name, max, says);

/** A field of a body that is yes or no, or left out. */
export const choice = (says: string) => z.boolean(wrong('true or false')).optional().describe(says);
/** A parameter of the query that is yes or no. */
export const trueOrFalse = z.enum(['true', 'false'], wrong('true or false'));

/** A number of things, whole. */
export const whole = z.int().min(0);
export const count = (says: string) => whole.describe(says);
/** From 0, surely bad, to 100, surely good; whole. */
export const score = (says: string) => whole.max(100).describe(says);
/** A number of credits, whole: published with 64 bits, since a generated client takes an integer for one of 32. */
export const creditCount = whole.openapi({ format: 'int64' });
export const inCredits = (says: string) => creditCount.describe(`${says}, in credits`);

/** A moment in UTC with milliseconds, ISO 8601. */
export const time = z.iso.datetime();
export const moment = (says: string) => time.describe(`${says}, UTC`);
/** `otherwise`: what null means, such as `null: none waits`. */
export const momentOrNull = (says: string, otherwise: string) =>
	time.nullable().describe(`${says}, UTC; ${otherwise}`);

/** Epoch milliseconds as ISO 8601. */
export function timestamp(at: number): string;
export function timestamp(at: number | null): string | null;
export function timestamp(at: number | null): string | null {
	return at === null ? null : new Date(at).toISOString();
}

/** The fields of `meta` of a call that costs credits. */
export const chargedMeta = {
	creditsUsed: inCredits('What this answer cost; 0 for an `unknown`').openapi({ example: 1 }),
	creditsRemaining: inCredits('What is available now').openapi({ example: 99 }),
};

/**
 * A word of a list that may grow: published as a string, with the words so far in its description, since a client
 * generated from an `enum` fails on a new one. For us it is a closed type.
 */
export function openWord<W extends string>(words: readonly W[], says: string, pattern = /^[a-z0-9_]+$/) {
	const listed = words.map((each) => `\`${each}\``).join(', ');
	const all = `${says} An open list of words, so far: ${listed}.`;
	return z.string().regex(pattern).describe(all) as unknown as z.ZodType<W, W>;
}
