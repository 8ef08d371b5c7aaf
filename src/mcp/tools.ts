import * as z from 'zod';
import { inCredits, PRICE, priceOfDomains, PRICE_OF_DOMAINS } from '../core/credits/price.ts';
import { cleanList } from '../core/jobs/clean-list.ts';
import { JOB_KINDS } from '../core/jobs/kinds.ts';
import { STATUSES } from '../core/verification/sub-status.ts';
import { credits } from '../http/schemas/credits.ts';
import { domainReports, domainsRequest } from '../http/schemas/domain.ts';
import { batchRequest, EMAILS_MAX } from '../http/schemas/batch.ts';
import { job, resultFilter, resultsPage } from '../http/schemas/job.ts';
import { task, verdict, verdictFilter, verdictsPage } from '../http/schemas/task.ts';
import { verification } from '../http/schemas/verification.ts';
import { thousands } from '../lib/text.ts';
import { reads, spends } from './tool.ts';
import type { Tool } from './tool.ts';

/** As `newId` makes it, so that an id never leaves its place in a path. */
const idOf = (prefix: string) => z.string().regex(new RegExp(`^${prefix}_[0-9a-f]{24}$`));
const jobId = idOf(JOB_KINDS.verification.idPrefix).describe('The id of the list, as start_list gave it');
const taskId = idOf(JOB_KINDS.catchall.idPrefix).describe('The id of the task, as start_catchall gave it');
const page = z.int().min(1).default(1).describe('The page, from 1');
const limit = z.int().min(1).max(500).default(100).describe('Rows on a page, 1-500');

// The columns that an assistant needs to report a row, or to sort it.
const { email, status, deliverability_score, action, catch_all_verdict, details } = verification.shape;
const { sub_status } = details.shape;
const shortRow = z.object({ email, status, sub_status, deliverability_score, action, catch_all_verdict });
const shortVerdict = verdict.omit({ is_actually_catchall: true, breakdown: true });

/** The tools of an account. */
export const TOOLS: readonly Tool[] = [
	spends('verify_email', {
		title: 'Verify an address',
		says: `Says whether an address takes mail: status (${STATUSES.join(', ')}), the reason, a score. Costs ${inCredits(PRICE.single)}, nothing if unknown.`,
		input: {
			email: z.string().min(1).max(320).describe('The address'),
			quick: z
				.boolean()
				.default(false)
				.describe('True: ask no mail server. Lists and DNS answer, and what they leave open is free'),
			explain: z.boolean().default(false).describe('True: the answer holds the steps that led to it'),
		},
		output: verification,
		usually: PRICE.single,
		price: () => ({ required: PRICE.single }),
		post: '/v1/verify',
		body: ({ email: address, quick, explain }) => ({
			email: address,
			...(quick ? { mode: 'quick' } : {}),
			explain,
		}),
	}),
	reads('credits', {
		title: 'Credits',
		says: 'How many credits are available, reserved and spent.',
		input: {},
		output: credits,
		path: () => '/v1/credits',
	}),
	spends('start_list', {
		title: 'Verify a list',
		says: `Starts the verification of up to ${thousands(EMAILS_MAX)} addresses in a message of at most 1 MiB. Gives a jobId at once; the work goes on in the background.`,
		input: {
			emails: z.array(z.string().max(1_000)).min(1).max(EMAILS_MAX).describe('The addresses'),
			name: z.string().max(255).optional().describe('A name for people'),
			resolveCatchAll: z
				.boolean()
				.default(false)
				.describe('Also look into addresses of domains that accept everybody, for the same price'),
			dedupe: batchRequest.shape.dedupe,
		},
		output: job,
		price: ({ emails, dedupe }) => {
			const { accepted, duplicates, invalid } = cleanList(emails, dedupe);
			const counts = { acceptedEmails: accepted.length, duplicateEmails: duplicates, invalidEmails: invalid };
			return { required: accepted.length * PRICE.verification, beside: counts };
		},
		post: '/v1/verify-batch',
		body: ({ emails, name, dedupe, resolveCatchAll }) => ({
			emails,
			name,
			dedupe,
			...(resolveCatchAll ? { validationFlags: { auto_catchall_rescue: true } } : {}),
		}),
	}),
	reads('job_status', {
		title: 'State of a list',
		says: 'How far a list is, its counts so far, and when it will be done.',
		input: { jobId },
		output: job,
		path: (args) => `/v1/jobs/${args.jobId}`,
	}),
	reads('job_results', {
		title: 'Results of a list',
		says: 'The rows of a completed list, page by page, all or those of one status.',
		input: { jobId, page, limit, status: resultFilter.optional() },
		output: resultsPage.extend({ results: z.array(z.union([verification, shortRow])) }),
		compact: { row: shortRow, of: (row) => ({ ...row, ...(row['details'] as object) }) },
		path: ({ jobId: id, ...query }) => `/v1/jobs/${id}/results?${queryOf(query)}`,
	}),
	spends('start_catchall', {
		title: 'Look into catch-all addresses',
		says: `Scores the addresses of a completed list whose domains accept everybody: valid, invalid or unknown. ${inCredits(PRICE.catchall)} each, nothing if unknown.`,
		input: { jobId },
		output: task,
		price: async ({ jobId: id }, api) => {
			const found = await api.call(`/v1/jobs/${id}`);
			if (found.error !== null) return found;
			const { catchAll = 0 } = found.data['statusCounts'] as { catchAll?: number };
			return { required: catchAll * PRICE.catchall, beside: { catchAllEmails: catchAll } };
		},
		post: '/v1/catchall',
		body: (args) => ({ jobId: args.jobId }),
	}),
	reads('catchall_status', {
		title: 'State of a catch-all task',
		says: 'How far a task is, and its verdicts so far.',
		input: { taskId },
		output: task,
		path: (args) => `/v1/catchall/${args.taskId}`,
	}),
	reads('catchall_results', {
		title: 'Results of a catch-all task',
		says: 'The verdicts of a completed task with their scores, page by page.',
		input: { taskId, page, limit, verdict: verdictFilter.optional() },
		output: verdictsPage.extend({ results: z.array(z.union([verdict, shortVerdict])) }),
		compact: { row: shortVerdict, of: (row) => row },
		path: ({ taskId: id, ...query }) => `/v1/catchall/${id}/results?${queryOf(query)}`,
	}),
	spends('look_up_domains', {
		title: 'Look up domains',
		says: `Says of up to 1,000 domains whether they take mail, who runs it, and what can be told. No mail server is asked. ${PRICE_OF_DOMAINS}.`,
		input: { domains: domainsRequest.shape.domains },
		output: domainReports,
		price: ({ domains }) => ({
			required: priceOfDomains(domains.length),
			beside: { domains: domains.length },
		}),
		post: '/v1/domains',
		body: ({ domains }) => ({ domains }),
	}),
];

/** The query of a page, without what is not given. */
function queryOf(fields: Readonly<Record<string, string | number | undefined>>): string {
	const given = Object.entries(fields).filter(([, value]) => value !== undefined);
	return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}
