import type { CatchAllTask, CatchAllVerdict, Job } from '../clients/typescript/src/index.ts';
import { Mailsonar } from '../clients/typescript/src/index.ts';
import { Slots } from '../src/lib/slots.ts';
import { textTable } from '../src/lib/text.ts';
import type { SandboxRow } from '../test/sandbox/domains.ts';
import { shopAddresses } from '../test/sandbox/shops.ts';
import { ensureDemoAccount } from './demo-account.ts';
import { startTemporaryService } from './temporary-service.ts';

// `npm run demo`: verifies one address of each kind, then a list of a thousand and its catch-all rows, with a temporary
// service, and checks whether each answer is right.

const PARALLEL = 12;
const ADDRESSES = 1_000;
const CATCH_ALL_DOMAINS = ['google-catch-all.test', 'catch-all.test', 'gateway.test', 'parked.test'];
const CATCH_ALL_NAMES = ['jane.doe', 'john.smith', 'xkqzvwpt', 'info', 'test', 'maria.garcia'];
const SECTIONS = ['domain_triage', 'domain_age', 'mailbox', 'smtp', 'public_evidence', 'list'] as const;

console.log('Starting a service of its own with the sandbox mail world …');
const service = await startTemporaryService();
let wrong = 0;
try {
	const { apiKey } = await ensureDemoAccount(service, service.stateFolder);
	const client = new Mailsonar({ baseUrl: service.url, apiKey });
	// A first answer that is wrong is seen.
	await singles(new Mailsonar({ baseUrl: service.url, apiKey, retries: 0 }));
	await scores(client, await list(client));
} finally {
	await service.remove();
}
process.exit(wrong === 0 ? 0 : 1);

function expectRight(isRight: boolean, otherwise = 'WRONG', right = ''): string {
	if (!isRight) wrong += 1;
	return isRight ? right : otherwise;
}

/** One address of each behaviour of the sandbox, and the credits that they cost. */
async function singles(client: Mailsonar): Promise<void> {
	const rows = service.sandbox?.domains ?? [];
	console.log(
		`Verifying ${rows.length} addresses, one for each behaviour (the slow ones take up to 15 s) …\n`,
	);
	const slots = new Slots(PARALLEL);
	const found = await Promise.all(rows.map((row) => slots.run(() => verified(client, row))));
	const head = ['address', 'status', 'sub_status', 'catch-all', 'score', 'ms', ''];
	console.log(textTable([head, ...found]));
	const { totalConsumed, totalRefunded } = await client.credits();
	const unknown = found.filter(([, status]) => status === 'unknown').length;
	const definite = found.length - unknown;
	console.log(`\n${found.length - wrong} of ${found.length} answers are right.`);
	const isExact = totalConsumed === definite && totalRefunded === unknown;
	console.log(
		`${totalConsumed} credits charged for ${definite} definite answers, ${totalRefunded} refunded for ` +
			`${unknown} unknown ones: ${expectRight(isExact, 'IT DOES NOT ADD UP', 'it adds up')}.`,
	);
}

/** The service's answer about a sandbox address, as a row of the table: its last cell says what is wrong with it. */
async function verified(client: Mailsonar, { address, expect }: SandboxRow): Promise<string[]> {
	const begun = performance.now();
	const found = await client.verify(address).catch(() => null);
	const [status, subStatus] = [found?.status ?? 'none', found?.details.sub_status ?? 'none'];
	const catchAll = found?.details.attributes.catch_all;
	const isRight =
		status === expect.status &&
		subStatus === expect.sub_status &&
		(expect.catch_all === undefined || catchAll === expect.catch_all);
	const figures = [catchAll, found?.deliverability_score ?? null, Math.round(performance.now() - begun)];
	const verdict = expectRight(isRight, `WRONG, expected ${expect.status}/${expect.sub_status}`);
	return [address, status, subStatus, ...figures.map(String), verdict];
}

/** A realistic list, with duplicates, typing errors and catch-all domains. Returns the id of its job. */
async function list(client: Mailsonar): Promise<string> {
	const catchAll = CATCH_ALL_DOMAINS.flatMap((domain) => CATCH_ALL_NAMES.map((name) => `${name}@${domain}`));
	const sample = shopAddresses(ADDRESSES - catchAll.length);
	const wanted = [...sample.map(({ address }) => address), ...catchAll];
	const emails = [...wanted, ...wanted.slice(0, 20).map((email) => email.toUpperCase()), 'not an address'];
	const begun = performance.now();
	const { jobId, totalEmails, creditsReserved, meta } = await client.verifyBatch(emails, {
		name: 'Demo list',
	});
	console.log(
		`\nA list of ${emails.length}: ${totalEmails} accepted, ${meta.duplicateEmails} duplicates, ` +
			`${meta.invalidEmails} malformed. ${creditsReserved} credits set aside.`,
	);
	const job = await client.jobs.wait(jobId, { onProgress: showProgress });
	const seconds = ((performance.now() - begun) / 1000).toFixed(1);
	const rows = await client.jobs.results(jobId).toArray();
	const found = new Map(rows.map(({ email, status }) => [email, status]));
	const mistaken = sample.filter(
		({ address, expect }) => (found.get(address) ?? 'missing') !== expect.status,
	);
	const { deliverable, undeliverable, risky, unknown, catchAll: onCatchAll } = job.statusCounts;
	console.log(
		`${job.status} in ${seconds} s: ${deliverable} deliverable, ${undeliverable} undeliverable, ${risky} risky ` +
			`(${onCatchAll} on catch-all domains), ${unknown} unknown.`,
	);
	console.log(
		`${job.creditsUsed} credits charged, ${job.creditsRefunded} refunded, ${job.creditsReserved} still set aside. ` +
			`${found.size} of ${wanted.length} addresses found in the results, ${mistaken.length} with a wrong answer.`,
	);
	expectRight(mistaken.length === 0 && wanted.every((email) => found.has(email)));
	expectRight(job.creditsUsed === wanted.length - unknown && job.creditsRefunded === unknown);
	return jobId;
}

/** Scores the catch-all rows of the list, and shows the breakdowns of the best and of the worst. */
async function scores(client: Mailsonar, jobId: string): Promise<void> {
	const { taskId, totalEmails, creditsRequired } = await client.catchall.start(jobId, { name: 'Demo list' });
	console.log(
		`\nA catch-all task: ${totalEmails} addresses on catch-all domains, ${creditsRequired} credits.`,
	);
	const task = await client.catchall.wait(taskId, { onProgress: showProgress });
	const { valid, invalid, unknown } = task.verdictCounts;
	console.log(
		`${task.status}: ${valid} valid, ${invalid} invalid, ${unknown} unknown; ${task.creditsUsed} credits charged, ` +
			`${task.creditsRefunded} refunded.\n`,
	);
	const results = await client.catchall.results(taskId).toArray();
	for (const { email, score, verdict } of results)
		console.log(`${email.padEnd(36)} ${String(score).padStart(3)}  ${verdict}`);
	const ordered = results.toSorted((a, b) => b.score - a.score);
	for (const row of new Set([...ordered.slice(0, 1), ...ordered.slice(-1)])) explain(row);
	const csv = await new Response(await client.catchall.download(taskId, { verdict: 'valid' })).text();
	console.log('\nThe valid ones as CSV:');
	for (const row of csv.split('\r\n').slice(0, 4)) console.log(`  ${row}`);
	expectRight(results.length === task.totalEmails && results.every(addsUp));
}

function addsUp({ score, breakdown }: CatchAllVerdict): boolean {
	const sections = SECTIONS.reduce((sum, section) => sum + breakdown[section].score, breakdown.base);
	const effects = breakdown.explanations.reduce((sum, { effect }) => sum + effect, breakdown.base);
	return sections === score && effects === score;
}

/** Prints a breakdown, whose lines add up to the score. */
function explain(row: CatchAllVerdict): void {
	const { email, score, verdict, breakdown } = row;
	const signed = (points: number): string => (points > 0 ? `+${points}` : String(points));
	console.log(
		`\n${email}: ${score}, ${verdict}, from ${Math.round(breakdown.coverage * 100)} % of the evidence`,
	);
	const sections = SECTIONS.map((section) => `${section} ${signed(breakdown[section].score)}`).join(', ');
	console.log(`  base ${breakdown.base}, ${sections}: ${addsUp(row) ? score : 'DOES NOT ADD UP'}`);
	for (const { signal, effect, text } of breakdown.explanations)
		console.log(`  ${signed(effect).padStart(4)}  ${signal}: ${text}`);
}

/** One line; when the output is not a terminal, one for each state that was read. */
function showProgress({ progress, processedEmails, totalEmails }: Job | CatchAllTask): void {
	const bar = '█'.repeat(Math.round(progress.percentage / 2.5)).padEnd(40, '░');
	const words = `${bar} ${String(progress.percentage).padStart(3)} %  ${processedEmails} of ${totalEmails}`;
	process.stdout.write(process.stdout.isTTY && processedEmails < totalEmails ? `\r${words}` : `\r${words}\n`);
}
