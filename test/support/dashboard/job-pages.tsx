import { DownloadPage } from '../../../src/dashboard/pages/jobs/job-download.tsx';
import { LeftOutPage } from '../../../src/dashboard/pages/jobs/job-left-out.tsx';
import { CostPage } from '../../../src/dashboard/pages/jobs/job-facts.tsx';
import { ResultsPage } from '../../../src/dashboard/pages/jobs/job-results.tsx';
import type { ShownResults } from '../../../src/dashboard/pages/jobs/job-results.tsx';
import { RowPage } from '../../../src/dashboard/pages/jobs/job-row.tsx';
import { ALL_ROWS } from '../../../src/dashboard/pages/jobs/job-download.tsx';
import { JobPage } from '../../../src/dashboard/pages/jobs/job.tsx';
import type { JobProps } from '../../../src/dashboard/pages/jobs/job.tsx';
import type { JobRecord } from '../../../src/operations/jobs/port.ts';
import { queryOf, report, reportAfterCheck } from './report-samples.ts';
import * as sample from './samples.ts';

// The page of a list, and the pages beside it, in every state.

const { view } = sample;

const pagination = (total: number, page = 1, limit = 25) => ({
	total,
	page,
	limit,
	pages: Math.ceil(total / limit),
	hasNextPage: page < Math.ceil(total / limit),
});

const shown: ShownResults = {
	results: sample.results.map((result, index) => ({ ...result, index: 50 + index })),
	pagination: pagination(20_000, 3),
	query: queryOf(),
	report,
	fileRows: 20_430,
};

const results = { view, job: sample.job, shown };

const job: JobProps = {
	view,
	job: sample.job,
	newest: [],
	slowed: null,
	report,
	fileRows: 20_430,
	available: 35_817,
	tasks: [],
	again: null,
	source: null,
	error: null,
};

const catchAllResult = sample.result('grace@navy.example', 'catch_all_valid', {
	catchAll: true,
	catchAllScore: { score: 91, verdict: 'valid' },
});

/** A later check of the list's addresses that is completed. */
function checkOf(
	jobId: string,
	kind: JobRecord['kind'],
	accepted: number,
	counts: Pick<JobRecord['counts'], 'deliverable' | 'undeliverable' | 'unknown'>,
): JobRecord {
	return {
		...sample.job,
		jobId,
		kind,
		accepted,
		processed: accepted,
		counts: { ...counts, risky: 0, catchAll: 0 },
		creditsUsed: accepted - counts.unknown,
		creditsRefunded: counts.unknown,
	};
}

const checks = {
	tasks: [checkOf('cat_5e0d', 'catchall', 1_288, { deliverable: 742, undeliverable: 278, unknown: 268 })],
	again: {
		...checkOf('job_a9', 'verification', 125, { deliverable: 0, undeliverable: 0, unknown: 0 }),
		status: 'processing',
		processed: 31,
	} as const,
	report: reportAfterCheck,
};

export const JOB_PAGES = {
	job: <JobPage {...job} />,
	'job-working': (
		<JobPage
			{...job}
			job={sample.workingJob}
			report={null}
			newest={sample.results.map(({ email, details }) => ({ email, reason: details.sub_status }))}
		/>
	),
	'job-slowed': (
		<JobPage
			{...job}
			job={{ ...sample.workingJob, waiting: 750, estimatedCompletionAt: sample.NOW + 60_000 }}
			report={null}
			slowed={{ domain: 'acme.example', asked: 301, unknown: 299, perMinute: 12, open: 738 }}
		/>
	),
	'job-failed': <JobPage {...job} job={sample.failedJob} report={null} />,
	'job-expired': <JobPage {...job} job={sample.expiredJob} report={null} />,
	'job-checked': <JobPage {...job} {...checks} />,
	'job-again': (
		<JobPage {...job} job={{ ...sample.job, name: 'July newsletter, asked again' }} source={sample.job} />
	),
	'job-results': <ResultsPage {...results} />,
	'job-search': (
		<ResultsPage
			{...results}
			shown={{ ...shown, results: [], pagination: pagination(0), query: queryOf({ text: '<b>"acme' }) }}
		/>
	),
	'job-search-filtered': (
		<ResultsPage
			{...results}
			shown={{
				...shown,
				results: [],
				pagination: pagination(0),
				query: queryOf({ status: 'risky', text: 'acme' }),
			}}
		/>
	),
	'job-filtered': (
		<ResultsPage
			{...results}
			shown={{
				...shown,
				results: shown.results.slice(2, 4),
				pagination: pagination(1_402),
				query: queryOf({ status: 'risky', role: 'without' }),
			}}
		/>
	),
	'job-results-checked': (
		<ResultsPage
			{...results}
			shown={{
				...shown,
				results: [{ ...catchAllResult, index: 3, listEffect: -6 }, ...shown.results],
				report: reportAfterCheck,
			}}
		/>
	),
	'job-500-rows': (
		<ResultsPage
			{...results}
			shown={{
				...shown,
				results: Array.from({ length: 100 }, (_, index) => ({ ...sample.results[index % 6]!, index })),
				pagination: pagination(50_000, 1, 100),
			}}
		/>
	),
	'job-row': (
		<RowPage
			view={view}
			job={sample.job}
			query={queryOf({ status: 'undeliverable' })}
			row={{
				...sample.results[1]!,
				index: 51,
				listEffect: -6,
				evidence: [
					{ step: 'rcpt', at_ms: 0, code: 550, enhanced: '5.1.1' },
					{ step: 'rule', at_ms: 0, rule: 'rejected_email' },
				],
			}}
		/>
	),
	'job-cost': <CostPage view={view} job={sample.job} {...checks} />,
	'job-download': <DownloadPage view={view} job={sample.job} rows={ALL_ROWS} fileRows={20_430} />,
	'job-left-out': (
		<LeftOutPage
			view={view}
			job={sample.job}
			reason={null}
			rows={[
				{ index: 76, value: 'ada@@lovelace', reason: 'malformed', duplicateOf: null },
				{ index: 80, value: 'Ada@lovelace.example', reason: 'duplicate', duplicateOf: 4 },
				{ index: 901, value: `${'long '.repeat(40)}<b>`, reason: 'malformed', duplicateOf: null },
			]}
			pagination={pagination(412)}
		/>
	),
};
