import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PRICE, inCredits } from '../../core/credits/price.ts';
import { task, verdict, verdictFilter, verdictsPage } from '../../http/schemas/task.ts';
import { answered, meta, published } from '../answers.ts';
import type { Api } from '../api.ts';
import { dryRun, idempotencyKey, jobId, limit, maxCredits, page, rows, taskId } from '../arguments.ts';
import { quoteOr, spending } from '../spending.ts';
import { READS, SPENDS, queryOf } from './tool.ts';

const compactRow = verdict.omit({ is_actually_catchall: true, breakdown: true });

/** The tools for the catch-all addresses of a list. */
export function addCatchAll(server: McpServer, api: Api): void {
	server.registerTool(
		'start_catchall',
		{
			title: 'Look into catch-all addresses',
			description: `Scores the addresses of a completed list whose domains accept everybody: valid, invalid or unknown. ${inCredits(PRICE.catchall)} each, nothing if unknown.`,
			inputSchema: z.strictObject({ jobId, maxCredits, dryRun, idempotencyKey }),
			outputSchema: published(quoteOr(task.extend({ meta }))),
			annotations: SPENDS,
		},
		async ({ jobId: id, idempotencyKey: key, ...limits }) => {
			const job = await api.get(`/v1/jobs/${id}`);
			if (job.error !== null) return answered(job);
			const { catchAll = 0 } = job.data['statusCounts'] as { catchAll?: number };
			const required = catchAll * PRICE.catchall;
			const count = () => ({ required, beside: { catchAllEmails: catchAll } });
			return spending(api, { atMost: required, count, ...limits }, async () =>
				api.post('/v1/catchall', { jobId: id }, key),
			);
		},
	);
	server.registerTool(
		'catchall_status',
		{
			title: 'State of a catch-all task',
			description: 'How far a task is, and its verdicts so far.',
			inputSchema: z.strictObject({ taskId }),
			outputSchema: published(task.extend({ meta })),
			annotations: READS,
		},
		async ({ taskId: id }) => answered(await api.get(`/v1/catchall/${id}`)),
	);
	server.registerTool(
		'catchall_results',
		{
			title: 'Results of a catch-all task',
			description: 'The verdicts of a completed task with their scores, page by page.',
			inputSchema: z.strictObject({ taskId, page, limit, rows, verdict: verdictFilter.optional() }),
			outputSchema: published(
				verdictsPage.extend({ results: z.array(z.union([verdict, compactRow])), meta }),
			),
			annotations: READS,
		},
		async ({ taskId: id, rows: form, ...query }) =>
			answered(await api.get(`/v1/catchall/${id}/results?${queryOf(query)}`), (data) =>
				form === 'full' ? data : { ...data, results: z.array(compactRow).parse(data['results']) },
			),
	);
}
