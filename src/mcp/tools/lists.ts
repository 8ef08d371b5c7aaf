import { thousands } from '../../lib/text.ts';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PRICE } from '../../core/credits/price.ts';
import { cleanList } from '../../core/jobs/clean-list.ts';
import { job } from '../../http/schemas/job.ts';
import { batchRequest, EMAILS_MAX, resultFilter, resultsPage } from '../../http/schemas/job.ts';
import { verification } from '../../http/schemas/verification.ts';
import { answered, meta, published } from '../answers.ts';
import type { Api } from '../api.ts';
import { dryRun, idempotencyKey, jobId, limit, maxCredits, page, rows } from '../arguments.ts';
import { quoteOr, spending } from '../spending.ts';
import { READS, SPENDS, queryOf } from './tool.ts';

const { email, status, deliverability_score, action, catch_all_verdict } = verification.shape;
const { sub_status } = verification.shape.details.shape;
// The columns that an assistant needs to report a row, or to sort it.
const compactRow = z.object({ email, status, sub_status, deliverability_score, action, catch_all_verdict });
type Row = z.output<typeof verification>;

/** The tools for lists. */
export function addLists(server: McpServer, api: Api): void {
	server.registerTool(
		'start_list',
		{
			title: 'Verify a list',
			description: `Starts the verification of up to ${thousands(EMAILS_MAX)} addresses in a message of at most 1 MiB. Gives a jobId at once; the work goes on in the background.`,
			inputSchema: z.strictObject({
				emails: z.array(z.string().max(1_000)).min(1).max(EMAILS_MAX).describe('The addresses'),
				name: z.string().max(255).optional().describe('A name for people'),
				resolveCatchAll: z
					.boolean()
					.default(false)
					.describe('Also look into addresses of domains that accept everybody, for the same price'),
				dedupe: batchRequest.shape.dedupe,
				maxCredits,
				dryRun,
				idempotencyKey,
			}),
			outputSchema: published(quoteOr(job.extend({ meta }))),
			annotations: SPENDS,
		},
		async ({ emails, name, resolveCatchAll, dedupe, idempotencyKey: key, ...limits }) => {
			const count = () => {
				const { accepted, duplicates, invalid } = cleanList(emails, undefined, dedupe);
				return {
					required: accepted.length * PRICE.verification,
					beside: { acceptedEmails: accepted.length, duplicateEmails: duplicates, invalidEmails: invalid },
				};
			};
			const atMost = emails.length * PRICE.verification;
			const list = {
				emails,
				...(name === undefined ? {} : { name }),
				...(dedupe === undefined ? {} : { dedupe }),
				...(resolveCatchAll ? { validationFlags: { auto_catchall_rescue: true } } : {}),
			};
			return spending(api, { atMost, count, ...limits }, async () => api.post('/v1/verify-batch', list, key));
		},
	);
	server.registerTool(
		'job_status',
		{
			title: 'State of a list',
			description: 'How far a list is, its counts so far, and when it will be done.',
			inputSchema: z.strictObject({ jobId }),
			outputSchema: published(job.extend({ meta })),
			annotations: READS,
		},
		async ({ jobId: id }) => answered(await api.get(`/v1/jobs/${id}`)),
	);
	server.registerTool(
		'job_results',
		{
			title: 'Results of a list',
			description: 'The rows of a completed list, page by page, all or those of one status.',
			inputSchema: z.strictObject({ jobId, page, limit, rows, status: resultFilter.optional() }),
			outputSchema: published(
				resultsPage.extend({ results: z.array(z.union([verification, compactRow])), meta }),
			),
			annotations: READS,
		},
		async ({ jobId: id, rows: form, ...query }) =>
			answered(await api.get(`/v1/jobs/${id}/results?${queryOf(query)}`), (data) => {
				if (form === 'full') return data;
				const results = data['results'] as readonly Row[];
				return { ...data, results: results.map((row) => compactRow.parse({ ...row, ...row.details })) };
			}),
	);
}
