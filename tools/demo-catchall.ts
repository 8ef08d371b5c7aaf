import { setTimeout as pause } from 'node:timers/promises';
import { callApi } from './api-client.ts';
import type { Service } from './api-client.ts';
import { showProgress } from './progress-bar.ts';

// The catch-all part of `npm run demo`: scores the catch-all rows of the list, and shows the breakdown of one score.

const POLL_MS = 250;
const SECTIONS = ['domain_triage', 'domain_age', 'mailbox', 'smtp', 'public_evidence', 'list'] as const;
const CELLS_PER_POINT = 0.5;
const AXIS = 30;

interface Task {
	readonly taskId: string;
	readonly status: string;
	readonly totalEmails: number;
	readonly processedEmails: number;
	readonly progress: { readonly percentage: number };
	readonly verdictCounts: Readonly<Record<'valid' | 'invalid' | 'unknown', number>>;
	readonly creditsRequired: number;
	readonly creditsUsed: number;
	readonly creditsRefunded: number;
}

type Breakdown = Readonly<Record<(typeof SECTIONS)[number], { readonly score: number }>> & {
	readonly base: number;
	readonly coverage: number;
	readonly explanations: readonly {
		readonly signal: string;
		readonly effect: number;
		readonly text: string;
	}[];
};

interface Row {
	readonly email: string;
	readonly score: number;
	readonly verdict: string;
	readonly breakdown: Breakdown;
}

/** Runs a catch-all task over a job and prints its results; returns how many scores did not add up. */
export async function demoCatchAll(service: Service, jobId: string): Promise<number> {
	const { data } = await callApi<Task>(service, 'POST', '/v1/catchall', { jobId, name: 'Demo list' });
	console.log(
		`\nA catch-all task: ${data.totalEmails} addresses on catch-all domains, ${data.creditsRequired} credits.`,
	);
	let task = data;
	while (task.status === 'processing') {
		await pause(POLL_MS);
		task = (await callApi<Task>(service, 'GET', `/v1/catchall/${data.taskId}`)).data;
		showProgress(task.progress.percentage, `${task.processedEmails} of ${task.totalEmails}`);
	}
	const { valid, invalid, unknown } = task.verdictCounts;
	console.log(
		`${task.status}: ${valid} valid, ${invalid} invalid, ${unknown} unknown; ${task.creditsUsed} credits charged, ` +
			`${task.creditsRefunded} refunded.\n`,
	);
	const { results } = (
		await callApi<{ results: readonly Row[] }>(
			service,
			'GET',
			`/v1/catchall/${data.taskId}/results?limit=500`,
		)
	).data;
	for (const { email, score, verdict } of results)
		console.log(`${email.padEnd(36)} ${String(score).padStart(3)}  ${verdict}`);
	const best = results.toSorted((a, b) => b.score - a.score)[0];
	const worst = results.toSorted((a, b) => a.score - b.score)[0];
	for (const row of [best, worst]) if (row !== undefined) draw(row);
	await showCsv(service, data.taskId);
	return results.filter((row) => !addsUp(row)).length + (results.length === task.totalEmails ? 0 : 1);
}

function addsUp({ score, breakdown }: Row): boolean {
	const sections = SECTIONS.reduce((sum, section) => sum + breakdown[section].score, breakdown.base);
	const effects = breakdown.explanations.reduce((sum, { effect }) => sum + effect, breakdown.base);
	return sections === score && effects === score;
}

/** Draws a bar for each section: to the left of the axis for a negative score, to the right for a positive one. */
function draw(row: Row): void {
	const { email, score, verdict, breakdown } = row;
	console.log(
		`\n${email}: ${score}, ${verdict}, from ${Math.round(breakdown.coverage * 100)} % of the evidence`,
	);
	console.log(`  ${'base'.padEnd(16)} ${String(breakdown.base).padStart(4)}`);
	for (const section of SECTIONS) {
		const points = breakdown[section].score;
		const bar = '█'.repeat(Math.ceil(Math.abs(points) * CELLS_PER_POINT));
		const drawn = points < 0 ? `${bar.padStart(AXIS)}│` : `${' '.repeat(AXIS)}│${bar}`;
		console.log(`  ${section.padEnd(16)} ${signed(points).padStart(4)} ${drawn}`);
	}
	console.log(`  ${'score'.padEnd(16)} ${String(score).padStart(4)} ${addsUp(row) ? '' : 'DOES NOT ADD UP'}`);
	for (const { signal, effect, text } of breakdown.explanations)
		console.log(`  ${signed(effect).padStart(4)}  ${signal}: ${text}`);
}

function signed(points: number): string {
	return points > 0 ? `+${points}` : String(points);
}

async function showCsv({ url, apiKey }: Service, taskId: string): Promise<void> {
	const response = await fetch(new URL(`/v1/catchall/${taskId}/download?verdict=valid`, url), {
		headers: { authorization: `Bearer ${apiKey}` },
	});
	const lines = (await response.text()).split('\r\n');
	console.log(`\nThe valid ones as CSV (${response.headers.get('content-type')}):`);
	for (const line of lines.slice(0, 4)) console.log(`  ${line}`);
}
