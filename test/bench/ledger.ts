import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LEDGER_SIZES } from '../../src/core/credits/ledger-policy.ts';
import type { AccountContext } from '../../src/durable-objects/account/context.ts';
import { admitRequest } from '../../src/durable-objects/account/credits/admission.ts';
import { findPiece, pruneLines, recordPiece } from '../../src/durable-objects/account/credits/filing.ts';
import { listLedger } from '../../src/durable-objects/account/credits/ledger.ts';
import { settleReservation } from '../../src/durable-objects/account/credits/reservations.ts';
import { openAccount } from '../../src/durable-objects/account/lifetime.ts';
import type { LedgerPlace } from '../../src/operations/accounts/port.ts';
import { openAccountFile } from './account-file.ts';
import type { AccountFile } from './account-file.ts';
import { oldAdmissionOf, oldAlarmOf, oldPageOf, oldSettlementOf } from './old-ledger.ts';
import type { Bench } from './section.ts';
import { median } from './statistics.ts';
import { goal, table } from './table.ts';

// What an account's ledger costs as it grows: the account's own code and SQL, on the SQLite of Node.

const SIZES = [1_000, 1_000_000, 10_000_000] as const;
const SIZES_QUICK = [1_000, 100_000] as const;
const FINISHED_JOBS = 10_000;
const RUNS = 31;
/** Of what takes seconds. */
const SLOW_RUNS = 3;
const PAGE_SIZE = 50;
const DAY_MS = 86_400_000;
const MONTH_MS = 30 * DAY_MS;
// So that the lines lie in one month, which is over.
const START = Date.UTC(2026, 9, 1);
const NOW = START + 40 * DAY_MS;
const KEY = { id: 'key_bench', secretHash: 'f'.repeat(64), version: 1, label: 'Bench' };
const GOAL_FACTOR = 2;

/** What is measured, in ms, by its name. */
type Measured = Readonly<Record<string, { readonly before: number | null; readonly after: number }>>;

/** The account's calls with a thousand, a million and ten million lines, by today's code and by the queries of before. */
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

/** Writes so many verifications over a month, and ten thousand finished jobs, as code of before left them. */
function fill({ account, transact, run }: AccountFile, lines: number): void {
	transact(() => {
		openAccount(account, { now: START - 1, initialCredits: 2 * lines, key: KEY });
		const numbers = (count: number) =>
			`WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;
		run(
			`${numbers(lines)} INSERT INTO ledger (at, id, kind, key_id, credits, charged, outcome, closed_at)
				SELECT ${START} + i * ${MONTH_MS} / ${lines}, printf('ver_%016x', i * 2654435761), 'verification',
				'${KEY.id}', 1, 1, 'deliverable', ${START} + i * ${MONTH_MS} / ${lines} + 900 FROM n`,
		);
		const ledger = {
			lines: lines + 1,
			granted: 2 * lines,
			charged: lines,
			reserved: 0,
			markedUntil: null,
			filedUntil: null,
		};
		run(
			`UPDATE account SET consumed = ${lines}, settled_before = ${NOW - 300_000}, ledger = '${JSON.stringify(ledger)}'`,
		);
		const end = NOW + DAY_MS;
		run(
			`${numbers(FINISHED_JOBS)} INSERT INTO jobs (job_id, status, key_id, submitted, accepted, duplicates, invalid, parts,
				timing, created_at, ended_at, purge_at, wake_at) SELECT printf('job_%08d', i), 'completed', '${KEY.id}', 1, 1, 0, 0,
				1, '{"retryDelaysMs":[60000,300000,900000],"redriveAfterMs":30000,"resultsTtlMs":172800000}', 1, 2, ${end}, ${end} FROM n`,
		);
		run(
			`${numbers(FINISHED_JOBS)} INSERT INTO idempotency (key, fingerprint, job_id, response, expires_at)
				SELECT printf('key_%08d', i), 'f', printf('job_%08d', i), '{}', ${end} FROM n`,
		);
	});
}

function measure(file: AccountFile, lines: number): Measured {
	const { account, transact, run } = file;
	const admit = (id: string | null, now: number) =>
		admitRequest(account, {
			keyId: KEY.id,
			secretHash: KEY.secretHash,
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
	const page = (before: LedgerPlace | null) => listLedger(account, { before, pageSize: PAGE_SIZE });
	const oldPage = (offset: number) => time(SLOW_RUNS, () => oldPageOf(run, PAGE_SIZE, offset));
	const oldPages = [0, lines / 2, lines - PAGE_SIZE].map(oldPage);
	const oldAlarm = time(SLOW_RUNS, () => oldAlarmOf(run, NOW));
	const oldBalance = time(RUNS, (n) => oldAdmissionOf(run, NOW + n, null));
	const oldReservation = time(RUNS, (n) => oldAdmissionOf(run, NOW + n, `old${n}`));
	const oldSettlement = time(RUNS, (n) => oldSettlementOf(run, NOW + n, `old${n}`));
	// They are in no balance.
	run(`DELETE FROM ledger WHERE at >= ${NOW}`);
	const marking = time(1, () => markAll(account));
	// Far from what it allows within its window.
	run(`UPDATE account SET limits = '{"default":1000000}'`);
	const measured = {
		'the balance (`GET /v1/credits`)': { before: oldBalance, after: time(RUNS, (n) => admit(null, NOW + n)) },
		'a reservation': { before: oldReservation, after: time(RUNS, (n) => admit(`r${n}`, NOW + n)) },
		'its settlement': {
			before: oldSettlement,
			after: time(RUNS, (n) =>
				settleReservation(account, {
					reservation: { id: `r${n}`, at: NOW + n },
					outcome: 'deliverable',
					now: NOW + n,
				}),
			),
		},
		'the newest page': { before: oldPages[0]!, after: time(RUNS, () => page(null)) },
		'a page in the middle': { before: oldPages[1]!, after: time(RUNS, () => page(middle)) },
		'the oldest page': { before: oldPages[2]!, after: time(RUNS, () => page(oldest)) },
		'1,000 lines of the CSV': {
			before: time(SLOW_RUNS, () => oldPageOf(run, 1_000, lines / 2 - 500)),
			after: time(RUNS, () => listLedger(account, { before: middle, pageSize: 1_000 })),
		},
		[`an alarm beside ${FINISHED_JOBS} finished jobs`]: {
			before: oldAlarm,
			after: time(RUNS, () => account.jobs.wake(NOW)),
		},
		'once: all marks of an account of before': { before: null, after: marking },
		...measureFiling(account, lines < 50_000 ? 1 : SLOW_RUNS, time),
	};
	return measured;
}

function markAll({ credits, marks }: AccountContext): void {
	for (;;) {
		const { markedUntil, more } = marks.mark(NOW - 300_000, LEDGER_SIZES);
		const state = credits.read()!;
		if (markedUntil !== null) credits.write({ ...state, ledger: { ...state.ledger, markedUntil } });
		if (!more) return;
	}
}

/** A piece for a file, and a step of pruning, as long as there are some. */
function measureFiling(
	account: AccountContext,
	runs: number,
	time: (runs: number, work: () => unknown) => number,
): Measured {
	const policy = { ...LEDGER_SIZES, retentionMs: DAY_MS };
	const pieces = time(runs, () => {
		const { due } = findPiece(account, NOW, policy);
		if (due !== null) recordPiece(account, due, NOW);
	});
	const pruning = time(runs, () => pruneLines(account, NOW, policy));
	return {
		'a piece of at most 10,000 lines for a file': { before: null, after: pieces },
		'pruning at most 5,000 lines': { before: null, after: pruning },
	};
}

function describe(results: readonly { lines: number; measured: Measured; bytes: number }[]): string {
	const [small, large] = [results[0]!, results.at(-1)!];
	const count = (value: number) => value.toLocaleString('en');
	const ms = (value: number | null | undefined) =>
		value === null || value === undefined ? '' : value.toFixed(value < 10 ? 3 : 0);
	const rows = Object.keys(small.measured).map((name) => [
		name,
		...results.flatMap(({ measured }) => [ms(measured[name]?.before), ms(measured[name]?.after)]),
	]);
	const constant = Object.keys(small.measured).slice(0, 3);
	const worst = Math.max(
		...constant.map((name) => large.measured[name]!.after / small.measured[name]!.after),
	);
	return [
		`The account's own code and SQL, on the SQLite of Node (\`node:sqlite\`, a file on disk) instead of workerd's; milliseconds of a transaction, the middle one of ${RUNS} (${SLOW_RUNS} of what takes long). Before: the statements alone of the version that summed the ledger; now: the calls that the object answers. A line takes ${large.bytes.toFixed(0)} bytes on disk.`,
		table([['', ...results.flatMap(({ lines }) => [`${count(lines)} lines, before`, 'now'])], ...rows]),
		`- ${goal(
			`balance, reservation and settlement take at most ${GOAL_FACTOR} × as long with ${count(large.lines)} lines as with ${count(small.lines)}`,
			`${worst.toFixed(2)} ×`,
			worst <= GOAL_FACTOR,
		)}`,
	].join('\n\n');
}
