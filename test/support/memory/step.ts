import { domainFindings } from '../../../src/core/catchall/domain.ts';
import { judgement, sumOf } from '../../../src/core/catchall/breakdown.ts';
import type { Judgement } from '../../../src/core/catchall/breakdown.ts';
import { mailboxFinding } from '../../../src/core/catchall/mailbox/mailbox.ts';
import { finding } from '../../../src/core/catchall/table.ts';
import { makeFacts, registration } from '../unit/domain-facts.ts';
import { SILENT } from '../../../src/core/metrics/metrics.ts';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../../src/config.ts';
import { issueApiKey } from '../../../src/core/keys/api-key.ts';
import type { Address } from '../../../src/core/address/parse-address.ts';
import { decidedBy, listFacts } from '../../../src/core/verification/render.ts';
import type { SubStatus } from '../../../src/core/verification/sub-status.ts';
import { RESULT_COLUMNS } from '../../../src/core/csv/result-columns.ts';
import { NO_FILTER } from '../../../src/core/jobs/report/listed-row.ts';
import { createApp } from '../../../src/http/app.ts';
import type { Services } from '../../../src/services.ts';
import { completeJob } from '../../../src/operations/jobs/complete.ts';
import type { Conclusion } from '../../../src/engine/examine.ts';
import type { JobRecord, OpenJobRequest } from '../../../src/operations/jobs/port.ts';
import { downloadResults } from '../../../src/operations/jobs/download-results.ts';
import { findRows, readReport } from '../../../src/operations/jobs/read-job.ts';
import { verifyPart } from '../../../src/operations/jobs/verify-part.ts';
import { jobBlobsOf } from '../../../src/storage/jobs/blobs.ts';
import { PLAIN_JOB } from '../plain-job.ts';
import { fileBucket } from './file-bucket.ts';
import { mailAt } from '../unit/mail-at.ts';

// Runs one step of a job of 50,000 addresses or of the catch-all task over it, or a request that is refused, alone in a
// process with a limited heap: `step.ts FOLDER STEP [catch_all]`. The folder keeps the state between steps.

const [folder = '', step = '', outcomeOfAll = 'accepted_email'] = process.argv.slice(2);
const JOB_ID = 'job_memory';
const TASK_ID = 'cat_memory';
const ADDRESSES = 50_000;
const signing = { version: 1, secret: new Uint8Array(32) };
const { apiKey, route } = issueApiKey(signing, {
	account: new Uint8Array(10),
	key: new Uint8Array(6),
	secret: new Uint8Array(20),
});
/** What the account keeps of a job, with the number of addresses of each part. */
type Kept = JobRecord & { readonly partCounts: readonly number[] };
const pathOf = (jobId: string): string => join(folder, `${jobId}.json`);
const recordOf = (jobId: string): Kept | null =>
	existsSync(pathOf(jobId)) ? (JSON.parse(readFileSync(pathOf(jobId), 'utf8')) as Kept) : null;
const partCounts = (jobId: string): readonly number[] => recordOf(jobId)?.partCounts ?? [];
const jobBlobs = jobBlobsOf(fileBucket(folder));
const clock = { now: () => 1_000_000, sleep: () => new Promise<void>(() => {}) };
const balance = { balance: 60_000, availableCredits: 60_000, reservedCredits: 0 };
const window = { limit: 300, remaining: 299, resetSeconds: 900 };

const account = {
	admit: async ({ jobId }: { jobId?: string }) => {
		const job = jobId === undefined ? null : recordOf(jobId);
		return { kind: 'admitted', window, balance, job };
	},
	openJob: async (request: OpenJobRequest) => {
		const accepted = request.parts.reduce((sum, count) => sum + count, 0);
		const none = { deliverable: 0, undeliverable: 0, risky: 0, unknown: 0, catchAll: 0 };
		const isCatchAll = request.kind === 'verification' && outcomeOfAll === 'catch_all';
		const all = isCatchAll ? { risky: accepted, catchAll: accepted } : { deliverable: accepted };
		const counts = { ...none, ...all };
		const job = {
			...PLAIN_JOB,
			...request,
			accepted,
			counts,
			processed: accepted,
			parts: request.parts.length,
			partCounts: request.parts,
			createdAt: request.now,
			updatedAt: request.now,
		};
		writeFileSync(pathOf(request.jobId), JSON.stringify(job));
		return { kind: 'opened', job, response: '', sent: [] };
	},
	findAnswer: async () => null,
	findJob: async (jobId: string) => recordOf(jobId),
	claimPart: async ({ jobId, part }: { jobId: string; part: number }) => ({
		kind: 'claimed',
		jobKind: recordOf(jobId)?.kind,
		attempt: 1,
		abandoned: false,
		count: partCounts(jobId)[part],
		retryDelaysMs: [],
		silentSince: 0,
		horizon: Infinity,
		rescuesCatchAll: false,
		freeAnswersLeft: Infinity,
	}),
	attemptsOf: async ({ jobId }: { jobId: string }) => partCounts(jobId).map(() => 1),
	findOutcomes: async ({ addresses }: { addresses: readonly unknown[] }) => addresses.map(() => null),
	noteScores: async () => {},
	settlePart: async () => ({ job: null, ready: false, held: false }),
	completeJob: async ({ jobId, now }: { jobId: string; now: number }) => {
		const ended = { status: 'completed', completedAt: now, resultsExpiresAt: now + 1_000 };
		writeFileSync(pathOf(jobId), JSON.stringify({ ...recordOf(jobId), ...ended }));
		return null;
	},
};
const ROUTE = [
	finding('route:validating', 'The mail server (Google)', 'provider:google'),
	finding('randoms:accepted', '3'),
	finding('reply:same'),
	finding('domain_pattern:neutral', '3 of 7 other addresses of this domain are written as flast too'),
];

/** A judgement of the usual length: everything about the domain was measured and is explained. */
function longJudgement({ localPart, domain }: Address): Judgement {
	const facts = makeFacts({
		domain,
		website: 'own',
		registration: registration({ age: 5_000 }),
		spf: 'ok',
		dmarc: 'reject',
		parking: { kind: 'none' },
	});
	const findings = [...domainFindings(facts, localPart), mailboxFinding(localPart), ...ROUTE];
	const known = { subStatus: 'catch_all_valid', coverage: 1, isCatchAll: true, rule: null } as const;
	return judgement(findings, { score: sumOf(findings), ...known });
}

const services: Services = {
	forAccount: () => services,
	config: readConfig({ KEY_SIGNING_SECRET: `1:${'00'.repeat(32)}` }),
	clock,
	newId: (prefix: string) => `${prefix}_memory`,
	accounts: () => account,
	digestsOf: () => [],
	metrics: SILENT,
	jobBlobs,
	jobTiming: { retryDelaysMs: [1000], redriveAfterMs: 1000, resultsTtlMs: 1000 },
	sendParts: () => Promise.resolve(),
	listJob: () => {},
	requireProber: () => {},
	lookUpMail: ({ domain }: { domain: string }) => Promise.resolve(mailAt(`mx1.${domain}`)),
	examineAddresses: (addresses: readonly Address[], { deep }: Parameters<Services['examineAddresses']>[1]) =>
		Promise.resolve(addresses.map((address) => findingsOf(address, deep === 'always'))),
} as unknown as Services;

function findingsOf(address: Address, isDeep: boolean): Conclusion {
	const judged = isDeep ? longJudgement(address) : null;
	const subStatus = judged?.subStatus ?? (outcomeOfAll as SubStatus);
	const server = { mxRecord: `mx1.${address.domain}`, smtpProvider: 'google' };
	const catchAll = outcomeOfAll === 'catch_all';
	const outcome = { ...decidedBy('smtp', subStatus), ...server, catchAll };
	return { lists: listFacts(address), outcome, judgement: judged };
}

/** Sends a request to the service; throws unless it answers with this status. */
async function ask(method: string, path: string, status: number, body?: BodyInit): Promise<Response> {
	const app = createApp(
		() => services,
		() => Promise.reject(new Error('no page is asked for')),
		() => Promise.reject(new Error('no tool is asked for')),
	);
	const request = new Request(`http://localhost${path}`, {
		method,
		headers: {
			authorization: `Bearer ${apiKey}`,
			'content-type': 'application/json',
			'idempotency-key': 'once',
		},
		...(body === undefined ? {} : { body }),
	});
	const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} };
	const response = await app.fetch(request, {}, context);
	if (response.status !== status) throw new Error(`${response.status} ${await response.text()}`);
	return response;
}

async function workOnParts(jobId: string): Promise<void> {
	const parts = partCounts(jobId).length;
	// Ten in parallel, like a local batch; in production an invocation has one.
	for (let first = 0; first < parts; first += 10) {
		const batch = Array.from({ length: Math.min(10, parts - first) }, (_, n) => first + n);
		await Promise.all(batch.map((part) => verifyPart(services, route, { jobId, part })));
	}
}

/** Reads and discards the pieces as they come, as a network connection would. */
async function readCsv(): Promise<void> {
	const response = await ask('GET', `/v1/catchall/${TASK_ID}/download`, 200);
	let lines = 0;
	const decoder = new TextDecoder();
	for await (const piece of response.body ?? [])
		lines += decoder.decode(piece, { stream: true }).split('\r\n').length - 1;
	if (lines !== ADDRESSES + 1) throw new Error(`the file has ${lines} lines`);
}

async function readLongestPage(): Promise<void> {
	// A page that spans two stored pages.
	const path = `/v1/catchall/${TASK_ID}/results?limit=499&page=51`;
	const { data } = await (await ask('GET', path, 200)).json<{ data: { results: object[] } }>();
	const octets = JSON.stringify(data.results).length / data.results.length;
	if (data.results.length !== 499) throw new Error(`the page has ${data.results.length} rows`);
	if (octets < 1_000) throw new Error(`rows of ${octets} octets are shorter than real ones`);
}

/** The list as its owner reads it once the task is done, with its verdicts in the rows. */
function checkedJob(): JobRecord {
	const job = recordOf(JOB_ID);
	if (job === null) throw new Error('there is no job');
	return { ...job, verdictsTaskId: TASK_ID };
}

/** The last page of a search that finds all rows. */
async function readFilteredPage(): Promise<void> {
	const filter = { ...NO_FILTER, text: '@' };
	const request = { job: checkedJob(), filter, page: ADDRESSES / 25, limit: 25 };
	const { rows, pagination } = await findRows(services, request);
	if (rows.length !== 25 || pagination.total !== ADDRESSES) throw new Error('rows are missing');
}

async function readReportOfAll(): Promise<void> {
	const { total } = await readReport(services, { job: checkedJob() });
	if (total !== ADDRESSES) throw new Error('the report is of other rows');
}

async function readWorkbook(): Promise<void> {
	const { body } = await downloadResults(
		{ ...services, uploadBlobs: { findOriginal: () => Promise.resolve(null) } as never },
		{ job: checkedJob(), filter: NO_FILTER, repeats: 'kept', columns: RESULT_COLUMNS, format: 'xlsx' },
	);
	let octets = 0;
	for await (const piece of body) octets += piece.length;
	if (octets < 1_000_000) throw new Error(`a workbook of ${octets} octets does not hold all rows`);
}

const body = (): Buffer => readFileSync(join(folder, 'body.json'));
const complete = (jobId: string) => completeJob(services, route, { jobId });
const STEPS: Readonly<Record<string, () => Promise<unknown>>> = {
	request: () => ask('POST', '/v1/verify-batch', 202, body()),
	refused_request: () => ask('POST', '/v1/verify-batch', 400, body()),
	parts: () => workOnParts(JOB_ID),
	completion: () => complete(JOB_ID),
	task_request: () => ask('POST', '/v1/catchall', 202, JSON.stringify({ jobId: JOB_ID })),
	task_parts: () => workOnParts(TASK_ID),
	task_completion: () => complete(TASK_ID),
	results_page: readLongestPage,
	download: readCsv,
	report: readReportOfAll,
	filtered_page: readFilteredPage,
	workbook: readWorkbook,
};
const work = STEPS[step];
if (work === undefined) throw new Error(`there is no step ${step}`);
await work();
