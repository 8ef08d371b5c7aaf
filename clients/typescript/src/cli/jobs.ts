import { thousands } from '../../../../src/lib/text.ts';
import type { Job } from '../types.ts';
import { text, textOption, UsageError, wordOption } from './command.ts';
import type { Command, Context } from './command.ts';
import { STATUS_COLOURS, visible } from './terminal.ts';
import type { Terminal } from './terminal.ts';

const USUAL = 20;
const LIMIT_MAX = 100_000;
const STATUSES = ['processing', 'completed', 'failed'] as const;

export const jobs: Command = {
	usage: '[JOB]',
	says: 'Show the jobs of the account, newest first, or one of them.',
	options: {
		status: text('STATUS', `only these: ${STATUSES.join(', ')}`),
		limit: text('NUMBER', 'how many; by default 20'),
	},
	run: showJobs,
};

async function showJobs({ words, options, terminal, signal, connect }: Context): Promise<void> {
	const { client } = connect();
	const [jobId, ...more] = words;
	if (more.length > 0) throw new UsageError('One job at a time: mailsonar jobs JOB');
	if (jobId !== undefined) {
		const { meta: _, ...job } = await client.jobs.get(jobId, { signal });
		return terminal.answer(job, detailsOf(job));
	}
	const wanted = limitOf(textOption(options, 'limit'));
	const status = wordOption(options, 'status', STATUSES);
	let shown = 0;
	for await (const job of client.jobs.list({ signal, limit: Math.min(500, wanted), status })) {
		await terminal.answer(job, lineOf(terminal, job));
		shown += 1;
		if (shown >= wanted) break;
	}
}

function lineOf(terminal: Terminal, job: Job): string {
	const status = terminal.coloured(STATUS_COLOURS[job.status] ?? 'dim', visible(job.status).padEnd(10));
	const done = `${thousands(job.processedEmails)} of ${thousands(job.totalEmails)}`;
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
		['processed', `${thousands(job.processedEmails)} of ${thousands(job.totalEmails)}`],
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
		.flatMap(([name, value]) => {
			if (value === null) return [];
			return [`${name.padEnd(13)}  ${typeof value === 'number' ? thousands(value) : visible(value)}`];
		})
		.join('\n');
}

function limitOf(given: string | undefined): number {
	if (given === undefined) return USUAL;
	const limit = /^\d{1,6}$/.test(given) ? Number(given) : 0;
	if (limit < 1 || limit > LIMIT_MAX)
		throw new UsageError(`--limit is a number from 1 to ${thousands(LIMIT_MAX)}.`);
	return limit;
}

export const credits: Command = { usage: '', says: 'Show the balance.', options: {}, run: showCredits };

async function showCredits({ terminal, signal, connect }: Context): Promise<void> {
	const { meta: _, ...balance } = await connect().client.credits({ signal });
	const rows = [
		['available', balance.availableCredits],
		['reserved', balance.reservedCredits],
		['balance', balance.balance],
		['consumed', balance.totalConsumed],
		['refunded', balance.totalRefunded],
	] as const;
	const width = Math.max(...rows.map(([, figure]) => thousands(figure).length));
	const lines = rows.map(([name, figure]) => `${name.padEnd(9)}  ${thousands(figure).padStart(width)}`);
	await terminal.answer(balance, lines.join('\n'));
}
