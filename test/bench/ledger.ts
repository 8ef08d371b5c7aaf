import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCOPES } from '../../src/core/keys/scopes.ts';
import { admitRequest } from '../../src/durable-objects/account/credits/admission.ts';
import { listLedger, deleteOldLines } from '../../src/durable-objects/account/credits/ledger.ts';
import { settleReservation } from '../../src/durable-objects/account/credits/reservations.ts';
import { wakeJobs } from '../../src/durable-objects/account/jobs/wake.ts';
import { openAccount } from '../../src/durable-objects/account/lifetime.ts';
import type { LedgerPlace } from '../../src/core/credits/ledger.ts';
import { openAccountFile } from './account-file.ts';
import type { AccountFile } from './account-file.ts';
import type { Bench } from './section.ts';
import { median } from './statistics.ts';
import { goal, table } from './table.ts';

// What an account's ledger costs as it grows: the account's own code and SQL, on the SQLite of Node.

const SIZES = [1_000, 1_000_000, 10_000_000] as const;
const SIZES_QUICK = [1_000, 100_000] as const;
const FINISHED_JOBS = 10_000;
const RUNS = 31;
const PAGE_SIZE = 50;
const DAY_MS = 86_400_000;
const MONTH_MS = 30 * DAY_MS;
// So that all lines are older than what is kept.
const START = Date.UTC(2026, 9, 1);
const NOW = START + 40 * DAY_MS;
const KEY = {
	id: 'key_bench',
	secretHash: 'f'.repeat(64),
	version: 1,
	label: 'Bench',
	ending: 'x7Kq',
	scopes: SCOPES,
	expiresAt: null,
};
const GOAL_FACTOR = 2;

/** What is measured, in ms, by its name. */
type Measured = Readonly<Record<string, number>>;

/** The account's calls with a thousand, a million and ten million lines, on the SQLite of Node. */
export const benchLedger: Bench = async ({ quick, say }) => {
	const sizes = quick ? SIZES_QUICK : SIZES;
	const results: { lines: number; measured: Measured; bytes: number }[] = [];
	for (const lines of sizes) {
		const folder = mkdtempSync(join(tmpdir(), 'mailsonar-ledger-'));
		try {
			const path = join(folder, 'account.sqlite');
			const file = openAccountFile(path, () => NOW);
			fill(file, lines);
			say(`ledger: ${lines} lines written`);
			const measured = measure(file, lines);
			file.close();
			results.push({ lines, measured, bytes: statSync(path).size / lines });
			say(`ledger: ${lines} lines measured`);
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	}
	return describe(results);
};

/** Writes so many verifications over a month, and ten thousand finished jobs. */
function fill({ account, transact, run }: AccountFile, lines: number): void {
	transact(() => {
		openAccount(account, { now: START - 1, initialCredits: 2 * lines, key: KEY });
		const numbers = (count: number) =>
			`WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
		run(
			`${numbers(lines)} INSERT INTO ledger (at, id, kind, keyId, credits, charged, outcome, closedAt)
				SELECT ${START} + i * ${MONTH_MS} / ${lines}, printf('ver_%016x', i * 2654435761), 'verification',
				'${KEY.id}', 1, 1, 'deliverable', ${START} + i * ${MONTH_MS} / ${lines} + 900 FROM n`,
		);
		run(
			`INSERT INTO days SELECT date(at / 1000, 'unixepoch') AS day,
				SUM(SUM(IIF(kind = 'grant', credits, -charged))) OVER (ORDER BY date(at / 1000, 'unixepoch')) FROM ledger GROUP BY 1`,
		);
		run(`UPDATE account SET consumed = ${lines}`);
		const end = NOW + DAY_MS;
		run(
			`${numbers(FINISHED_JOBS)} INSERT INTO jobs (jobId, kind, status, keyId, submitted, accepted, duplicates, invalid, parts,
				timing, price, createdAt, endedAt, purgeAt, wakeAt) SELECT printf('job_%08d', i), 'verification', 'completed', '${KEY.id}', 1, 1, 0, 0,
				1, '{"retryDelaysMs":[60000,300000,900000],"redriveAfterMs":30000,"resultsTtlMs":172800000}', 1, 1, 2, ${end}, ${end} FROM n`,
		);
		run(
			`${numbers(FINISHED_JOBS)} INSERT INTO idempotency (key, fingerprint, ref, at, answer, expiresAt)
				SELECT printf('key_%08d', i), 'f', printf('job_%08d', i), 0, '{}', ${end} FROM n`,
		);
	});
}

function measure(file: AccountFile, lines: number): Measured {
	const { account, transact, run } = file;
	const admit = (id: string | null, now: number) =>
		admitRequest(account, {
			keyId: KEY.id,
			secretHash: KEY.secretHash,
			scopes: 'any key' as const,
			category: 'default',
			windowMs: 1_000,
			now,
			reservation: id === null ? null : { id, credits: 1 },
		});
	/** Milliseconds of the middle one of some transactions. */
	const time = (runs: number, work: (n: number) => unknown): number =>
		median(
			Array.from({ length: runs }, (_, n) => {
				const begun = performance.now();
				transact(() => work(n));
				return performance.now() - begun;
			}),
		);
	const middle: LedgerPlace = { at: START + MONTH_MS / 2, id: '' };
	const oldest: LedgerPlace = { at: START + (MONTH_MS / lines) * (PAGE_SIZE - 1), id: '' };
	const page = (before: LedgerPlace | null, pageSize = PAGE_SIZE) =>
		time(RUNS, () => listLedger(account, { before, pageSize }));
	// Far from what it allows within its window.
	run(`UPDATE account SET limits = '{"default":1000000}'`);
	return {
		'the balance (`GET /v1/credits`)': time(RUNS, (n) => admit(null, NOW + n)),
		'a reservation': time(RUNS, (n) => admit(`r${n}`, NOW + n)),
		'its settlement': time(RUNS, (n) =>
			settleReservation(account, {
				reservation: { id: `r${n}`, at: NOW + n },
				outcome: 'deliverable',
				now: NOW + n,
			}),
		),
		'the newest page': page(null),
		'a page in the middle': page(middle),
		'the oldest page': page(oldest),
		'2,000 lines of the CSV': page(middle, 2_000),
		[`an alarm beside ${FINISHED_JOBS} finished jobs`]: time(RUNS, () => wakeJobs(account, NOW)),
		'deleting at most 5,000 lines': time(lines < 50_000 ? 1 : RUNS, () => deleteOldLines(account, NOW)),
	};
}

function describe(results: readonly { lines: number; measured: Measured; bytes: number }[]): string {
	const [small, large] = [results[0]!, results.at(-1)!];
	const count = (value: number) => value.toLocaleString('en');
	const ms = (value: number | undefined) => value?.toFixed(value < 10 ? 3 : 0) ?? '';
	const rows = Object.keys(small.measured).map((name) => [
		name,
		...results.map(({ measured }) => ms(measured[name])),
	]);
	const constant = Object.keys(small.measured).slice(0, 3);
	const worst = Math.max(...constant.map((name) => large.measured[name]! / small.measured[name]!));
	return [
		`The account's own code and SQL, on the SQLite of Node (\`node:sqlite\`, a file on disk) instead of workerd's; milliseconds of a transaction, the middle one of ${RUNS}. A line takes ${large.bytes.toFixed(0)} bytes on disk.`,
		table([['', ...results.map(({ lines }) => `${count(lines)} lines`)], ...rows]),
		`- ${goal(
			`balance, reservation and settlement take at most ${GOAL_FACTOR} × as long with ${count(large.lines)} lines as with ${count(small.lines)}`,
			`${worst.toFixed(2)} ×`,
			worst <= GOAL_FACTOR,
		)}`,
	].join('\n\n');
}
