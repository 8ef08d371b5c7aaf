import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { cleanList } from '../core/jobs/clean-list.ts';
import { PRICE, inCredits } from '../core/credits/price.ts';
import { STATUSES } from '../core/verification/sub-status.ts';
import { CATCH_ALL_VERDICTS } from '../core/verification/result.ts';
import type { Api, ApiAnswer } from './api.ts';

/** What a tool gives back: text for the model, and the same as data. */
type ToolResult = ReturnType<typeof told>;

const EMAILS_MAX = 50_000;
const INSTRUCTIONS = `Verifies email addresses. A definite answer costs ${inCredits(PRICE.single)}; "unknown" is refunded.
Start with verify_email for one address, and start_list for many. Before spending on many, call the tool with dryRun: true:
it says what the work would cost at most, and spends nothing. A list works in the background: ask job_status until its status
is "completed", no more often than every few seconds, then read job_results page by page. Rows with sub_status "catch_all"
can be looked into with start_catchall. "risky" and "unknown" are not "undeliverable": say so when you report them.`;

const READS = { readOnlyHint: true, openWorldHint: false } as const;
const SPENDS = { readOnlyHint: false, destructiveHint: false, openWorldHint: true } as const;

const email = z.string().min(1).max(320).describe('The address');
const jobId = z.string().min(1).max(100).describe('The id of the list, as start_list gave it');
const taskId = z.string().min(1).max(100).describe('The id of the task, as start_catchall gave it');
const dryRun = z
	.boolean()
	.default(false)
	.describe('Only say what it would cost at most: nothing is started or spent');
const maxCredits = z
	.int()
	.min(0)
	.describe('The most credits that this may cost; if it could cost more, nothing is started');
const page = z.int().min(1).default(1).describe('The page, from 1');
const limit = z.int().min(1).max(500).default(100).describe('Rows on a page, 1-500');
const idempotencyKey = z
	.string()
	.regex(/^[ -~]{1,255}$/)
	.optional()
	.describe('Repeat a call with the same key to get its first answer instead of paying twice');

/** The tools of an account, on its own API. */
export function makeServer(api: Api, version: string): McpServer {
	const server = new McpServer(
		{ name: 'mailsonar', title: 'Mailsonar', version },
		{ instructions: INSTRUCTIONS },
	);
	addVerify(server, api);
	addLists(server, api);
	addCatchAll(server, api);
	server.registerTool(
		'credits',
		{
			title: 'Credits',
			description: 'How many credits are available, reserved and spent.',
			annotations: READS,
		},
		async () => answered(await api.get('/v1/credits')),
	);
	return server;
}

function addVerify(server: McpServer, api: Api): void {
	server.registerTool(
		'verify_email',
		{
			title: 'Verify an address',
			description: `Says whether an address takes mail: status (${STATUSES.join(', ')}), the reason, a score. Costs ${inCredits(PRICE.single)}, nothing if unknown.`,
			inputSchema: z.object({ email, dryRun, maxCredits: maxCredits.default(PRICE.single) }),
			annotations: SPENDS,
		},
		async ({ email: address, dryRun: isQuote, maxCredits: most }) =>
			spending(api, { required: PRICE.single, most, isQuote, beside: {} }, async () =>
				api.post('/v1/verify', { email: address }),
			),
	);
}

function addLists(server: McpServer, api: Api): void {
	server.registerTool(
		'start_list',
		{
			title: 'Verify a list',
			description:
				'Starts the verification of up to 50,000 addresses. Gives a jobId at once; the work goes on in the background.',
			inputSchema: z.object({
				emails: z.array(z.string().max(1_000)).min(1).max(EMAILS_MAX).describe('The addresses'),
				name: z.string().max(255).optional().describe('A name for people'),
				resolveCatchAll: z
					.boolean()
					.default(false)
					.describe('Also look into addresses of domains that accept everybody, for the same price'),
				maxCredits,
				dryRun,
				idempotencyKey,
			}),
			annotations: SPENDS,
		},
		async ({ emails, name, resolveCatchAll, maxCredits: most, dryRun: isQuote, idempotencyKey: key }) => {
			const { accepted, duplicates, invalid } = cleanList(emails);
			const beside = { acceptedEmails: accepted.length, duplicateEmails: duplicates, invalidEmails: invalid };
			const required = accepted.length * PRICE.verification;
			return spending(api, { required, most, isQuote, beside }, async () =>
				api.post(
					'/v1/verify-batch',
					{
						emails,
						...(name === undefined ? {} : { name }),
						...(resolveCatchAll ? { validationFlags: { auto_catchall_rescue: true } } : {}),
					},
					withKey(key),
				),
			);
		},
	);
	server.registerTool(
		'job_status',
		{
			title: 'State of a list',
			description: 'How far a list is, its counts so far, and when it will be done.',
			inputSchema: z.object({ jobId }),
			annotations: READS,
		},
		async ({ jobId: id }) => answered(await api.get(`/v1/jobs/${encodeURIComponent(id)}`)),
	);
	server.registerTool(
		'job_results',
		{
			title: 'Results of a list',
			description: 'The rows of a completed list, page by page, all or those of one status.',
			inputSchema: z.object({
				jobId,
				page,
				limit,
				status: z
					.enum([...STATUSES, 'catch_all'])
					.optional()
					.describe('Only rows with this status, or of catch-all domains'),
			}),
			annotations: READS,
		},
		async ({ jobId: id, status, ...paging }) =>
			answered(await api.get(`/v1/jobs/${encodeURIComponent(id)}/results?${queryOf({ ...paging, status })}`)),
	);
}

function addCatchAll(server: McpServer, api: Api): void {
	server.registerTool(
		'start_catchall',
		{
			title: 'Look into catch-all addresses',
			description: `Scores the addresses of a completed list whose domains accept everybody: valid, invalid or unknown. ${inCredits(PRICE.catchall)} each, nothing if unknown.`,
			inputSchema: z.object({ jobId, maxCredits, dryRun, idempotencyKey }),
			annotations: SPENDS,
		},
		async ({ jobId: id, maxCredits: most, dryRun: isQuote, idempotencyKey: key }) => {
			const job = await api.get(`/v1/jobs/${encodeURIComponent(id)}`);
			if (job.error !== null) return answered(job);
			const { catchAll = 0 } = job.data['statusCounts'] as { catchAll?: number };
			const required = catchAll * PRICE.catchall;
			return spending(api, { required, most, isQuote, beside: { catchAllEmails: catchAll } }, async () =>
				api.post('/v1/catchall', { jobId: id }, withKey(key)),
			);
		},
	);
	server.registerTool(
		'catchall_status',
		{
			title: 'State of a catch-all task',
			description: 'How far a task is, and its verdicts so far.',
			inputSchema: z.object({ taskId }),
			annotations: READS,
		},
		async ({ taskId: id }) => answered(await api.get(`/v1/catchall/${encodeURIComponent(id)}`)),
	);
	server.registerTool(
		'catchall_results',
		{
			title: 'Results of a catch-all task',
			description: 'The verdicts of a completed task with their scores, page by page.',
			inputSchema: z.object({
				taskId,
				page,
				limit,
				verdict: z.enum(CATCH_ALL_VERDICTS).optional().describe('Only rows with this verdict'),
			}),
			annotations: READS,
		},
		async ({ taskId: id, verdict, ...paging }) =>
			answered(
				await api.get(`/v1/catchall/${encodeURIComponent(id)}/results?${queryOf({ ...paging, verdict })}`),
			),
	);
}

interface Spending {
	/** Credits, if every answer is a definite one. */
	readonly required: number;
	readonly most: number;
	readonly isQuote: boolean;
	readonly beside: Readonly<Record<string, number>>;
}

/** Starts what spends credits, or says what it would cost. */
async function spending(
	api: Api,
	{ required, most, isQuote, beside }: Spending,
	start: () => Promise<ApiAnswer>,
): Promise<ToolResult> {
	if (isQuote) {
		const credits = await api.get('/v1/credits');
		if (credits.error !== null) return answered(credits);
		const available = Number(credits.data['availableCredits']);
		return told({
			dryRun: true,
			creditsRequired: required,
			availableCredits: available,
			isEnough: available >= required,
			...beside,
		});
	}
	if (required > most)
		return refused({
			message: `It could cost ${required} credits, and maxCredits is ${most}: nothing was started`,
			code: 'max_credits_exceeded',
			creditsRequired: required,
			...beside,
		});
	return answered(await start());
}

function answered({ data, meta, error }: ApiAnswer): ToolResult {
	if (error === null) return told({ ...data, meta });
	const { retryAfter, ...rest } = error;
	return refused({ ...rest, ...(retryAfter === null ? {} : { retryAfterSeconds: Number(retryAfter) }) });
}

function told(data: Readonly<Record<string, unknown>>) {
	const structuredContent = { ...data };
	return { content: [{ type: 'text' as const, text: JSON.stringify(data) }], structuredContent };
}

function refused(why: Readonly<Record<string, unknown>>): ToolResult & { readonly isError: true } {
	return { ...told(why), isError: true };
}

function withKey(key: string | undefined): Readonly<Record<string, string>> {
	return key === undefined ? {} : { 'idempotency-key': key };
}

function queryOf(fields: Readonly<Record<string, string | number | undefined>>): string {
	const given = Object.entries(fields).filter(([, value]) => value !== undefined);
	return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}
