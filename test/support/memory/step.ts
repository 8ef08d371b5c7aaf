import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../../src/config.ts';
import { issueApiKey } from '../../../src/core/keys/api-key.ts';
import { decidedBy } from '../../../src/core/verification/render.ts';
import { createApp } from '../../../src/http/app.ts';
import type { Services } from '../../../src/http/context.ts';
import { completeJob } from '../../../src/operations/complete-job.ts';
import { listFacts } from '../../../src/operations/examine-address.ts';
import type { JobRecord, OpenJobRequest } from '../../../src/operations/jobs-port.ts';
import { verifyPart } from '../../../src/operations/verify-part.ts';
import { jobBlobsOf } from '../../../src/storage/job-blobs.ts';
import { fileBucket } from './file-bucket.ts';

// One step of a job of 50,000 addresses, alone in a process whose heap has a limit: `step.ts FOLDER STEP`. What the
// step leaves in the folder is what the next one finds.

const [folder = '', step = ''] = process.argv.slice(2);
const signing = { version: 1, secret: new Uint8Array(32) };
const { apiKey, route } = issueApiKey(signing, {
	account: new Uint8Array(10),
	key: new Uint8Array(6),
	secret: new Uint8Array(20),
});
const recordPath = join(folder, 'record.json');
const partsPath = join(folder, 'parts.json');
const jobBlobs = jobBlobsOf(fileBucket(folder));
const clock = { now: () => 1_000_000, sleep: () => new Promise<void>(() => {}) };
const balance = { balance: 60_000, availableCredits: 60_000, reservedCredits: 0 };
const window = { limit: 300, remaining: 299, resetSeconds: 900 };

const account = {
	admit: () => Promise.resolve({ kind: 'admitted', window, balance }),
	openJob: (request: OpenJobRequest) => {
		const accepted = request.parts.reduce((sum, count) => sum + count, 0);
		const counts = { deliverable: accepted, undeliverable: 0, risky: 0, unknown: 0, catchAll: 0 };
		const job = {
			...request,
			accepted,
			counts,
			processed: accepted,
			parts: request.parts.length,
			status: 'processing',
		};
		writeFileSync(recordPath, JSON.stringify(job));
		writeFileSync(partsPath, JSON.stringify(request.parts));
		return Promise.resolve({ kind: 'opened', job });
	},
	findJob: () =>
		Promise.resolve(
			existsSync(recordPath) ? (JSON.parse(readFileSync(recordPath, 'utf8')) as JobRecord) : null,
		),
	claimPart: ({ part }: { part: number }) => {
		const counts = JSON.parse(readFileSync(partsPath, 'utf8')) as number[];
		return Promise.resolve({ kind: 'claimed', token: 't', attempt: 1, count: counts[part], last: true });
	},
	settlePart: () => Promise.resolve({ job: null, ready: false }),
	completeJob: () => Promise.resolve(null),
};
const services = {
	config: readConfig({ KEY_SIGNING_SECRET: `1:${'00'.repeat(32)}` }),
	clock,
	newId: (prefix: string) => `${prefix}_memory`,
	accounts: () => account,
	jobBlobs,
	jobTiming: { retryDelaysMs: [1000], redriveAfterMs: 1000, resultsTtlMs: 1000 },
	sendParts: () => Promise.resolve(),
	listJob: () => Promise.resolve(),
	requireEgress: () => {},
	findRoute: (domain: string) =>
		Promise.resolve({ kind: 'hosts', hosts: [`mx1.${domain}`], implicit: false }),
	investigate: (addresses: Parameters<Services['investigate']>[0]) =>
		Promise.resolve(
			addresses.map((address) => ({
				lists: listFacts(address),
				outcome: {
					...decidedBy('smtp', 'accepted_email'),
					mxRecord: `mx1.${address.domain}`,
					smtpProvider: 'google',
				},
				randoms: null,
				judgement: null,
			})),
		),
} as unknown as Services;

switch (step) {
	case 'request': {
		const app = createApp(() => services);
		const request = new Request('http://localhost/v1/verify-batch', {
			method: 'POST',
			headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
			body: readFileSync(join(folder, 'body.json')),
		});
		const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} };
		const response = await app.fetch(request, {}, context);
		const text = await response.text();
		if (response.status !== 202) throw new Error(`${response.status} ${text}`);
		break;
	}
	case 'parts': {
		const parts = (JSON.parse(readFileSync(partsPath, 'utf8')) as number[]).length;
		// Ten side by side, as a local batch is; production has one an invocation.
		for (let first = 0; first < parts; first += 10) {
			const batch = Array.from({ length: Math.min(10, parts - first) }, (_, n) => first + n);
			await Promise.all(
				batch.map((part) =>
					verifyPart(services, services.accounts(''), {
						accountId: route.accountId,
						jobId: 'job_memory',
						part,
					}),
				),
			);
		}
		break;
	}
	case 'completion':
		await completeJob(services, services.accounts(''), route.accountId, 'job_memory');
		break;
	default:
		throw new Error(`there is no step ${step}`);
}
