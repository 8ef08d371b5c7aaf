import { setTimeout as pause } from 'node:timers/promises';
import { shopAddresses } from '../test/sandbox/shops.ts';
import { callApi } from './api-client.ts';
import type { Service } from './api-client.ts';
import { showProgress } from './progress-bar.ts';

// The bulk part of `npm run demo`: a realistic list, with duplicates, typing errors and catch-all domains.

const ADDRESSES = 1_000;
const CATCH_ALL_DOMAINS = ['google-catch-all.test', 'catch-all.test', 'gateway.test', 'parked.test'];
const CATCH_ALL_NAMES = ['jane.doe', 'john.smith', 'xkqzvwpt', 'info', 'test', 'maria.garcia'];
const POLL_MS = 250;
const PAGE = 500;

interface Job {
	readonly jobId: string;
	readonly status: string;
	readonly totalEmails: number;
	readonly processedEmails: number;
	readonly progress: { readonly percentage: number };
	readonly statusCounts: Readonly<Record<string, number>>;
	readonly waitingEmails: number;
	readonly creditsUsed: number;
	readonly creditsRefunded: number;
	readonly creditsReserved: number;
}

interface Page {
	readonly results: readonly { readonly email: string; readonly status: string }[];
	readonly pagination: { readonly pages: number };
}

/** Runs a job of 1,000 addresses and prints its results; returns its id and the number of wrong answers. */
export async function demoBulk(service: Service): Promise<{ jobId: string; wrong: number }> {
	const catchAll = CATCH_ALL_DOMAINS.flatMap((domain) => CATCH_ALL_NAMES.map((name) => `${name}@${domain}`));
	const sample = shopAddresses(ADDRESSES - catchAll.length);
	const wanted = [...sample.map(({ address }) => address), ...catchAll];
	const emails = [...wanted, ...wanted.slice(0, 20).map((email) => email.toUpperCase()), 'not an address'];
	const begun = performance.now();
	const { data, meta } = await callApi<Job, { duplicateEmails: number; invalidEmails: number }>(
		service,
		'POST',
		'/v1/verify-batch',
		{ emails, name: 'Demo list' },
	);
	console.log(
		`\nA list of ${emails.length}: ${data.totalEmails} accepted, ${meta.duplicateEmails} duplicates, ` +
			`${meta.invalidEmails} malformed. ${data.creditsReserved} credits set aside.`,
	);
	let job = data;
	while (job.status === 'processing') {
		await pause(POLL_MS);
		job = (await callApi<Job>(service, 'GET', `/v1/jobs/${data.jobId}`)).data;
		showProgress(job.progress.percentage, `${job.processedEmails} of ${job.totalEmails}`);
	}
	const seconds = ((performance.now() - begun) / 1000).toFixed(1);
	const found = await readAll(service, job.jobId);
	const expected = new Map(sample.map(({ address, expect }) => [address, expect.status]));
	const wrong = [...found].filter(
		([email, status]) => expected.has(email) && expected.get(email) !== status,
	).length;
	const missing = wanted.filter((email) => !found.has(email)).length;
	const {
		deliverable = 0,
		undeliverable = 0,
		risky = 0,
		unknown = 0,
		catchAll: onCatchAll = 0,
	} = job.statusCounts;
	console.log(
		`${job.status} in ${seconds} s: ${deliverable} deliverable, ${undeliverable} undeliverable, ${risky} risky ` +
			`(${onCatchAll} on catch-all domains), ${unknown} unknown.`,
	);
	console.log(
		`${job.creditsUsed} credits charged, ${job.creditsRefunded} refunded, ${job.creditsReserved} still set aside. ` +
			`${found.size} of ${wanted.length} addresses found in the results, ${wrong} with a wrong answer.`,
	);
	const adds = job.creditsUsed === wanted.length - unknown && job.creditsRefunded === unknown;
	return { jobId: job.jobId, wrong: wrong + missing + (adds ? 0 : 1) };
}

async function readAll(service: Service, jobId: string): Promise<ReadonlyMap<string, string>> {
	const found = new Map<string, string>();
	for (let page = 1, pages = 1; page <= pages; page += 1) {
		const { data } = await callApi<Page>(
			service,
			'GET',
			`/v1/jobs/${jobId}/results?limit=${PAGE}&page=${page}`,
		);
		for (const { email, status } of data.results) found.set(email, status);
		({ pages } = data.pagination);
	}
	return found;
}
