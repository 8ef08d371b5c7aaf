import type { Job } from '../types.ts';
import { textOption } from './context.ts';
import type { Context } from './context.ts';
import { EXIT, UsageError } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { count } from './progress.ts';
import { coloured, STATUS_COLOURS } from './terminal.ts';
import { json, visible } from './visible.ts';

const USUAL = 20;
const LIMIT_MAX = 100_000;
const STATUSES = ['processing', 'completed', 'failed'] as const;

/** `mailsonar jobs` */
export async function jobs(context: Context): Promise<ExitCode> {
	const { words, options, signal } = context;
	const { client } = context.connect();
	const [jobId, ...more] = words;
	if (more.length > 0) throw new UsageError('One job at a time: mailsonar jobs JOB');
	if (jobId !== undefined) {
		const { meta: _, ...job } = await client.jobs.get(jobId, { signal });
		await show(context, job, detailsOf);
		return EXIT.done;
	}
	const wanted = limitOf(textOption(options, 'limit'));
	const limit = Math.min(500, wanted);
	let shown = 0;
	for await (const job of client.jobs.list({
		signal,
		limit,
		status: statusOf(textOption(options, 'status')),
	})) {
		await show(context, job, (one) => lineOf(context, one));
		shown += 1;
		if (shown >= wanted) break;
	}
	return EXIT.done;
}

async function show({ terminal, options }: Context, job: Job, text: (job: Job) => string): Promise<void> {
	await terminal.write(`${options['json'] === true ? json(job) : text(job)}\n`);
}

function lineOf({ terminal }: Context, job: Job): string {
	const status = coloured(terminal, STATUS_COLOURS[job.status] ?? 'dim', visible(job.status).padEnd(10));
	const done = `${count(job.processedEmails)} of ${count(job.totalEmails)}`;
	return `${visible(job.jobId)}  ${status}  ${done.padStart(16)}  ${visible(job.createdAt)}  ${visible(job.name ?? '')}`.trimEnd();
}

function detailsOf(job: Job): string {
	const { deliverable, undeliverable, risky, unknown, catchAll } = job.statusCounts;
	const { send, hold, retry, drop } = job.actionCounts;
	const rows: (readonly [string, string | number | null])[] = [
		['job', job.jobId],
		['name', job.name],
		['status', job.status],
		['error', job.error],
		['processed', `${count(job.processedEmails)} of ${count(job.totalEmails)}`],
		['rejected', job.rejectedEmails],
		['deliverable', deliverable],
		['undeliverable', undeliverable],
		['risky', risky],
		['unknown', unknown],
		['catch-all', catchAll],
		['to send', send],
		['to hold', hold],
		['to retry', retry],
		['to drop', drop],
		['credits used', job.creditsUsed],
		['created', job.createdAt],
		['expected', job.estimatedCompletionAt],
		['completed', job.completedAt],
		['kept until', job.resultsExpired ? 'expired' : job.resultsExpiresAt],
	];
	return rows
		.filter(([, value]) => value !== null)
		.map(
			([name, value]) =>
				`${name.padEnd(13)}  ${typeof value === 'number' ? count(value) : visible(value ?? '')}`,
		)
		.join('\n');
}

function limitOf(text: string | undefined): number {
	if (text === undefined) return USUAL;
	const limit = /^\d{1,6}$/.test(text) ? Number(text) : 0;
	if (limit < 1 || limit > LIMIT_MAX)
		throw new UsageError(`--limit is a number from 1 to ${count(LIMIT_MAX)}.`);
	return limit;
}

function statusOf(text: string | undefined): (typeof STATUSES)[number] | undefined {
	const status = STATUSES.find((each) => each === text);
	if (text !== undefined && status === undefined)
		throw new UsageError(`--status is one of ${STATUSES.join(', ')}.`);
	return status;
}
