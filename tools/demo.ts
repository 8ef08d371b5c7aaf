import { ensureDemoAccount } from './demo-account.ts';
import { demoCatchAll } from './demo-catchall.ts';
import { demoBulk } from './demo-bulk.ts';
import { inParallel, verifyRow } from './sandbox-report.ts';
import type { Verdict } from './sandbox-report.ts';
import { startTemporaryService } from './temporary-service.ts';

// `npm run demo`: verifies one address of each kind, then a list of a thousand and its catch-all rows, with a temporary
// service, and checks whether each answer is right.

const PARALLEL = 12;
const WIDTHS = [32, 14, 22, 10, 6, 8];

console.log('Starting a service of its own with the sandbox mail world …');
const service = await startTemporaryService();
let wrong = 0;
try {
	const account = await ensureDemoAccount(service, service.stateFolder);
	const rows = service.sandbox?.domains ?? [];
	console.log(
		`Verifying ${rows.length} addresses, one for each behaviour (the slow ones take up to 15 s) …\n`,
	);
	const verdicts = await inParallel(rows, PARALLEL, (row) => verifyRow(service.url, account.apiKey, row));
	printTable(verdicts);
	wrong = verdicts.filter(({ right }) => !right).length;
	await printCredits(service.url, account.apiKey, verdicts);
	const caller = { url: service.url, apiKey: account.apiKey };
	const bulk = await demoBulk(caller);
	wrong += bulk.wrong + (await demoCatchAll(caller, bulk.jobId));
} finally {
	await service.remove();
}
process.exit(wrong === 0 ? 0 : 1);

function line(cells: readonly string[]): string {
	return cells.map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0)).join(' ');
}

function printTable(verdicts: readonly Verdict[]): void {
	console.log(line(['address', 'status', 'sub_status', 'catch-all', 'score', 'ms', '']));
	for (const { row, status, subStatus, catchAll, score, ms, right } of verdicts) {
		const verdict = right ? '' : `WRONG, expected ${row.expect.status}/${row.expect.sub_status}`;
		console.log(line([row.address, status, subStatus, String(catchAll), String(score), String(ms), verdict]));
	}
}

async function printCredits(url: string, apiKey: string, verdicts: readonly Verdict[]): Promise<void> {
	const response = await fetch(new URL('/v1/credits', url), { headers: { 'x-api-key': apiKey } });
	const { data } = (await response.json()) as { data: { totalConsumed: number; totalRefunded: number } };
	const definite = verdicts.filter(({ status }) => status !== 'unknown').length;
	const adds = data.totalConsumed === definite && data.totalRefunded === verdicts.length - definite;
	if (!adds) wrong += 1;
	const right = verdicts.filter((verdict) => verdict.right).length;
	console.log(`\n${right} of ${verdicts.length} answers are right.`);
	console.log(
		`${data.totalConsumed} credits charged for ${definite} definite answers, ${data.totalRefunded} refunded for ` +
			`${verdicts.length - definite} unknown ones: ${adds ? 'it adds up' : 'IT DOES NOT ADD UP'}.`,
	);
}
