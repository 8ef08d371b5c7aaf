import type { McpServer, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { inCredits } from '../core/credits/price.ts';

// The two kinds of tools: one reads, one spends credits. A tool refuses every argument that it does not know: an
// assistant that misspells `idempotencyKey` would pay twice.

type Data = Readonly<Record<string, unknown>>;

/** An answer of our own API. */
export interface ApiAnswer {
	readonly data: Data;
	readonly meta: Data;
	/** `message`, `code`, `requestId`, and what else the API says of it. Null for a success. */
	readonly error: Data | null;
}

/** The API under /v1 in this very process, with the caller's key: same windows, same credits, same errors as over HTTP. */
export interface Api {
	/** The MCP request that the calls are made for. */
	readonly requestId: string;
	get(path: string): Promise<ApiAnswer>;
	/** With the caller's Idempotency-Key, if there is one. */
	post(path: string, body: object, key: string | undefined): Promise<ApiAnswer>;
}

/** Adds a tool to a server, on the API with the caller's key. */
export type Tool = (server: McpServer, api: Api) => unknown;

type Result = ReturnType<typeof told> | ReturnType<typeof refused>;

interface Words<I extends z.ZodRawShape> {
	readonly title: string;
	readonly says: string;
	readonly input: I;
	readonly output: z.ZodObject;
}

interface Reading<I extends z.ZodRawShape> extends Words<I> {
	readonly path: (args: z.output<z.ZodObject<I>>) => string;
	/** Rows in short, unless the caller asks for full ones. */
	readonly compact?: { readonly row: z.ZodObject; readonly of: (row: Data) => Data };
}

const rows = z
	.enum(['compact', 'full'])
	.default('compact')
	.describe('How much each row says; full rows take about ten times the room');

/** A tool that asks the API for what is there. */
export function reads<I extends z.ZodRawShape>(name: string, words: Reading<I>): Tool {
	const { input, output, path, compact } = words;
	const about = {
		...aboutOf(words, { ...input, ...(compact === undefined ? {} : { rows }) }, withMeta(output)),
		annotations: { readOnlyHint: true, openWorldHint: false },
	};
	return (server, api) =>
		server.registerTool(name, about, async (args) => {
			const { rows: form, ...asked } = args as { rows?: 'compact' | 'full' } & z.output<z.ZodObject<I>>;
			const answer = await api.get(path(asked as z.output<z.ZodObject<I>>));
			if (compact === undefined || form === 'full' || answer.error !== null) return answered(answer);
			const all = answer.data['results'] as readonly Data[];
			const results = all.map((row) => compact.row.parse(compact.of(row)));
			return answered({ ...answer, data: { ...answer.data, results } });
		});
}

/** The cost of the work if every answer is a definite one, and figures beside it. */
interface Price {
	readonly required: number;
	readonly beside?: Readonly<Record<string, number>>;
}

interface Spending<I extends z.ZodRawShape> extends Words<I> {
	readonly post: string;
	readonly body: (args: z.output<z.ZodObject<I>>) => object;
	/** An error of the API: there is nothing to spend on. */
	readonly price: (args: z.output<z.ZodObject<I>>, api: Api) => Price | Promise<Price | ApiAnswer>;
	/** The limit where the caller sets none; left out: it has to. */
	readonly usually?: number;
}

const dryRun = z
	.boolean()
	.default(false)
	.describe('Only say what it would cost at most: nothing is started or spent');
const maxCredits = z
	.int()
	.min(0)
	.optional()
	.describe('Required unless dryRun: the most that this may cost, in credits; else nothing is started');
const idempotencyKey = z
	.string()
	.regex(/^[ -~]{1,255}$/)
	.optional()
	.describe('Repeat a call with the same key to get its first answer instead of paying twice');

/** The answer of a tool that spends to `dryRun`. */
const quote = z.looseObject({
	dryRun: z.literal(true),
	creditsRequired: z.int().describe('The most that it costs, in credits'),
	availableCredits: z.int().describe('What the account has for it, in credits'),
	isEnough: z.boolean(),
});

/** A tool that starts what spends credits, or says what it would cost. */
export function spends<I extends z.ZodRawShape>(name: string, words: Spending<I>): Tool {
	const { input, output, post, body, price, usually } = words;
	const most =
		usually === undefined
			? maxCredits
			: maxCredits.default(usually).describe('The most that this may cost, in credits');
	const limits = z.object({ dryRun, maxCredits: most, idempotencyKey });
	const about = {
		...aboutOf(words, { ...input, ...limits.shape }, z.union([quote, withMeta(output)])),
		annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
	};
	return (server, api) =>
		server.registerTool(name, about, async (args) => {
			const parameters = args as z.output<z.ZodObject<I>>;
			const found = await price(parameters, api);
			if ('error' in found) return answered(found);
			return spend(api, found, limits.parse(args), async (key) => api.post(post, body(parameters), key));
		});
}

function aboutOf({ title, says }: Words<z.ZodRawShape>, input: z.ZodRawShape, output: z.ZodType) {
	const inputSchema = z.strictObject(input);
	return { title, description: says, inputSchema, outputSchema: published(output) };
}

async function spend(
	api: Api,
	{ required, beside }: Price,
	limits: { dryRun: boolean; maxCredits?: number | undefined; idempotencyKey?: string | undefined },
	start: (key: string | undefined) => Promise<ApiAnswer>,
): Promise<Result> {
	if (limits.dryRun) {
		const credits = await api.get('/v1/credits');
		if (credits.error !== null) return answered(credits);
		const available = Number(credits.data['availableCredits']);
		const isEnough = available >= required;
		return told({
			dryRun: true,
			creditsRequired: required,
			availableCredits: available,
			isEnough,
			...beside,
		});
	}
	if (limits.maxCredits === undefined) {
		const message =
			'maxCredits is missing: nothing was started. With dryRun: true you hear what it could cost';
		return refused({ message, code: 'max_credits_missing', requestId: api.requestId });
	}
	if (required <= limits.maxCredits) return answered(await start(limits.idempotencyKey));
	return refused({
		message: `It could cost ${inCredits(required)}, and maxCredits is ${limits.maxCredits}: nothing was started`,
		code: 'max_credits_exceeded',
		requestId: api.requestId,
		creditsRequired: required,
		...beside,
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

/** An answer of the API as the result of a tool: text for the model, and of a success the same as data. */
function answered({ data, meta, error }: ApiAnswer): Result {
	return error === null ? told({ ...data, meta }) : refused(error);
}

function told(data: Data) {
	return { content: [{ type: 'text' as const, text: JSON.stringify(data) }], structuredContent: { ...data } };
}

/** Without data: clients check that against the tool's schema, also beside `isError`, and would lose the reason. */
function refused(why: Data) {
	return { content: told(why).content, isError: true as const };
}
