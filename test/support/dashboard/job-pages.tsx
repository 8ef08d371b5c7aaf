import { DownloadPage } from '../../../src/dashboard/pages/jobs/job-download.tsx';
import { LeftOutPage } from '../../../src/dashboard/pages/jobs/job-left-out.tsx';
import type { ShownResults } from '../../../src/dashboard/pages/jobs/job-results.tsx';
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
	results: sample.results,
	pagination: pagination(20_000, 3),
	query: queryOf(),
	report,
	fromFile: true,
};

const job: JobProps = {
	view,
	job: sample.job,
	shown,
	thresholds: { validFrom: 88, invalidBelow: 45 },
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

export const JOB_PAGES = {
	job: <JobPage {...job} />,
	'job-working': <JobPage {...job} job={sample.workingJob} shown={null} />,
	'job-failed': <JobPage {...job} job={sample.failedJob} shown={null} />,
	'job-expired': <JobPage {...job} job={sample.expiredJob} shown={null} />,
	'job-search': (
		<JobPage
			{...job}
			shown={{ ...shown, results: [], pagination: pagination(0), query: queryOf({ text: '<b>"acme' }) }}
		/>
	),
	'job-search-filtered': (
		<JobPage
			{...job}
			shown={{
				...shown,
				results: [],
				pagination: pagination(0),
				query: queryOf({ status: 'risky', text: 'acme' }),
			}}
		/>
	),
	'job-filtered': (
		<JobPage
			{...job}
			shown={{
				...shown,
				results: sample.results.slice(2, 4),
				pagination: pagination(1_402),
				query: queryOf({ status: 'risky', role: 'without' }),
			}}
		/>
	),
	'job-checked': (
		<JobPage
			{...job}
			tasks={[checkOf('cat_5e0d', 'catchall', 1_288, { deliverable: 742, undeliverable: 278, unknown: 268 })]}
			again={{
				...checkOf('job_a9', 'verification', 125, { deliverable: 0, undeliverable: 0, unknown: 0 }),
				status: 'processing',
				processed: 31,
			}}
			shown={{
				...shown,
				results: [{ ...catchAllResult, listEffect: -6 }, ...sample.results],
				report: reportAfterCheck,
			}}
		/>
	),
	'job-again': (
		<JobPage {...job} job={{ ...sample.job, name: 'July newsletter, asked again' }} source={sample.job} />
	),
	'job-download': <DownloadPage view={view} job={sample.job} shown={shown} />,
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
	'job-500-rows': (
		<JobPage
			{...job}
			shown={{
				...shown,
				results: Array.from({ length: 100 }, (_, index) => sample.results[index % 6]!),
				pagination: pagination(50_000, 1, 100),
			}}
		/>
	),
};
