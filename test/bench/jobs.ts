import { setTimeout as pause } from 'node:timers/promises';
import { callApi } from '../../tools/api-client.ts';
import type { Service } from '../../tools/api-client.ts';

const POLL_MS = 100;

export interface FinishedJob {
	readonly status: string;
	readonly totalEmails: number;
	readonly processedEmails: number;
	readonly statusCounts: Readonly<Record<string, number>>;
	/** From the request to the first answer that says `completed`, or until we gave up. */
	readonly ms: number;
}

/** Has a list verified as a customer does, and gives up after a while. */
export async function runJob(
	service: Service,
	emails: readonly string[],
	patienceMs: number,
	onProgress: (processed: number) => void,
): Promise<FinishedJob> {
	const begun = performance.now();
	type Job = Omit<FinishedJob, 'ms'> & { readonly jobId: string };
	const { data: created } = await callApi<Job>(service, 'POST', '/v1/verify-batch', { emails });
	let job = created;
	while (job.status === 'processing' && performance.now() - begun < patienceMs) {
		await pause(POLL_MS);
		job = (await callApi<Job>(service, 'GET', `/v1/jobs/${created.jobId}`)).data;
		onProgress(job.processedEmails);
	}
	return { ...job, ms: performance.now() - begun };
}
