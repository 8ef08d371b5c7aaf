import type { McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { inCredits } from '../core/credits/price.ts';

// The two kinds of tools: one reads, one spends credits. A tool refuses every argument that it does not know: an
// assistant that misspells `idempotencyKey` would pay twice.

type Data = Readonly<Record<string, unknown>>;

/** An answer of our own API: `data` with its `meta`, or an `error` with what the API says of it. */
export interface ApiAnswer {
	readonly data: Data;
	/** `message`, `code`, `requestId` and more. Null for a success. */
	readonly error: Data | null;
}

/** The API under /v1 in this very process, with the caller's key: same windows, same credits, same errors as over HTTP. */
export interface Api {
	/** The MCP request that the calls are made for. */
	readonly requestId: string;
	/** A GET, or a POST of a body, with the caller's Idempotency-Key if there is one. */
	call(path: string, body?: object, key?: string): Promise<ApiAnswer>;
}

/** Adds a tool to a server, on the API with the caller's key. */
export type Tool = (server: McpServer, api: Api) => unknown;

type ArgumentsOf<I extends z.ZodRawShape> = z.output<z.ZodObject<I>>;

interface Words<I extends z.ZodRawShape> {
	readonly title: string;
	readonly says: string;
	readonly input: I;
	readonly output: z.ZodObject;
}

/** The tool that does `run`. `more`: what it takes beside its own input. */
function toolOf<I extends z.ZodRawShape, M extends z.ZodRawShape>(
	name: string,
	{ title, says: description, input }: Words<I>,
	{ more, output, spending }: { more: M; output: z.ZodType; spending: boolean },
	run: (args: ArgumentsOf<I> & ArgumentsOf<M>, api: Api) => Promise<ApiAnswer>,
): Tool {
	const annotations = spending
		? { readOnlyHint: false, destructiveHint: false, openWorldHint: true }
		: { readOnlyHint: true, openWorldHint: false };
	const inputSchema = z.strictObject({ ...input, ...more });
	const about = { title, description, inputSchema, outputSchema: published(output), annotations };
	return (server, api) =>
		server.registerTool(name, about, async (args) => {
			const { data, error } = await run(args as ArgumentsOf<I> & ArgumentsOf<M>, api);
			const content = [{ type: 'text' as const, text: JSON.stringify(error ?? data) }];
			// Without data: clients check that against the tool's schema, also beside `isError`, and would lose the reason.
			if (error !== null) return { content, isError: true as const };
			return { content, structuredContent: { ...data } };
		});
}

const rows = z
	.enum(['compact', 'full'])
	.default('compact')
	.describe('How much each row says; full rows take about ten times the room');

interface Reading<I extends z.ZodRawShape> extends Words<I> {
	readonly path: (args: ArgumentsOf<I>) => string;
	/** Rows in short, unless the caller asks for full ones. */
	readonly compact?: { readonly row: z.ZodObject; readonly of: (row: Data) => Data };
}

/** A tool that asks the API for what is there. */
export function reads<I extends z.ZodRawShape>(name: string, words: Reading<I>): Tool {
	const { output, path, compact } = words;
	const more: { rows?: typeof rows } = compact === undefined ? {} : { rows };
	const kind = { more, output: withMeta(output), spending: false };
	return toolOf(name, words, kind, async ({ rows: form, ...asked }, api) => {
		const answer = await api.call(path(asked as unknown as ArgumentsOf<I>));
		if (compact === undefined || form === 'full' || answer.error !== null) return answer;
		const all = answer.data['results'] as readonly Data[];
		const results = all.map((row) => compact.row.parse(compact.of(row)));
		return { data: { ...answer.data, results }, error: null };
	});
}

const LIMITS = {
	dryRun: z
		.boolean()
		.default(false)
		.describe('Only say what it would cost at most: nothing is started or spent'),
	maxCredits: z
		.int()
		.min(0)
		.optional()
		.describe('Required unless dryRun: the most that this may cost, in credits; else nothing is started'),
	idempotencyKey: z
		.string()
		.regex(/^[ -~]{1,255}$/)
		.optional()
		.describe('Repeat a call with the same key to get its first answer instead of paying twice'),
};

/** The answer of a tool that spends to `dryRun`. */
const quote = z.looseObject({
	dryRun: z.literal(true),
	creditsRequired: z.int().describe('The most that it costs, in credits'),
	availableCredits: z.int().describe('What the account has for it, in credits'),
	isEnough: z.boolean(),
});

interface Spending<I extends z.ZodRawShape> extends Words<I> {
	readonly post: string;
	readonly body: (args: ArgumentsOf<I>) => object;
	/**
	 * The cost of the work if every answer is a definite one, and figures beside it. An error of the API: there is nothing to
	 * spend on.
	 */
	readonly price: (args: ArgumentsOf<I>, api: Api) => Price | Promise<Price | ApiAnswer>;
	/** The limit where the caller sets none; left out: it has to. */
	readonly usually?: number;
}

interface Price {
	readonly required: number;
	readonly beside?: Readonly<Record<string, number>>;
}

/** A tool that starts what spends credits, or says what it would cost. */
export function spends<I extends z.ZodRawShape>(name: string, words: Spending<I>): Tool {
	const { output, post, body, price, usually } = words;
	const usual = LIMITS.maxCredits.default(usually ?? 0).describe('The most that this may cost, in credits');
	const more = usually === undefined ? LIMITS : { ...LIMITS, maxCredits: usual };
	const kind = { more, output: z.union([quote, withMeta(output)]), spending: true };
	return toolOf(name, words, kind, async (args, api) => {
		const found = await price(args, api);
		if ('error' in found) return found;
		const { required: creditsRequired, beside } = found;
		const { dryRun, maxCredits, idempotencyKey } = args as ArgumentsOf<typeof LIMITS>;
		if (dryRun) {
			const credits = await api.call('/v1/credits');
			if (credits.error !== null) return credits;
			const availableCredits = Number(credits.data['availableCredits']);
			const isEnough = availableCredits >= creditsRequired;
			return { data: { dryRun, creditsRequired, availableCredits, isEnough, ...beside }, error: null };
		}
		const { requestId } = api;
		if (maxCredits === undefined) {
			const message =
				'maxCredits is missing: nothing was started. With dryRun: true you hear what it could cost';
			return { data: {}, error: { message, code: 'max_credits_missing', requestId } };
		}
		if (creditsRequired <= maxCredits) return api.call(post, body(args), idempotencyKey);
		const message = `It could cost ${inCredits(creditsRequired)}, and maxCredits is ${maxCredits}: nothing was started`;
		const error = { message, code: 'max_credits_exceeded', requestId, creditsRequired, ...beside };
		return { data: {}, error };
	});
}

function withMeta(output: z.ZodObject): z.ZodObject {
	return output.extend({ meta: z.looseObject({ requestId: z.string() }).describe('About the request') });
}

/**
 * A schema as it is published for answers: open, as the API is. A client that listed the tools before a field was added
 * goes on reading answers.
 */
function published(schema: z.ZodType): StandardSchemaWithJSON {
	const json = (): Record<string, unknown> => ({ ...z.toJSONSchema(schema, { io: 'input' }) });
	return { '~standard': { ...schema['~standard'], jsonSchema: { input: json, output: json } } };
}
