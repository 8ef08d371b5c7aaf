import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { Account } from '../../src/durable-objects/account/account.ts';
import type { LedgerPolicy } from '../../src/core/credits/ledger-policy.ts';
import type { LedgerEntry, LedgerPage, LedgerPlace } from '../../src/operations/accounts/port.ts';
import { KEY, MINUTE_MS, openAccount } from './account-jobs.ts';

export const DAY_MS = 86_400_000;

/** Small enough for a few lines to be cut into pieces, marked and pruned. */
export const SMALL: LedgerPolicy = {
	retentionMs: 60 * DAY_MS,
	linesMax: 1_000,
	linesPerMark: 3,
	marksAtOnce: 2,
	linesPerPiece: 4,
	linesPruned: 3,
};

/** A line of a ledger in a file, as far as tests ask. */
export interface FiledLine {
	readonly id: string;
	readonly change: number;
	readonly balanceAfter: number;
}

/** An account whose lines are put into files and pruned a few at a time, and how often storing fails. */
export async function openOldLedger(credits: number, policy: Partial<LedgerPolicy> = {}) {
	const opened = await openAccount(credits);
	const { accountId, stub, start, ring } = opened;
	/** What happens to pieces: stored, not stored, or stored while the object dies before it hears of it. */
	const files = { fate: 'stored' as 'stored' | 'refused' | 'unheard', puts: 0 };
	const replaceOutside = async () => {
		await opened.replaceOutside();
		await runInDurableObject(stub, (account: Account) => {
			const { fileLedger } = account.outside;
			account.outside = {
				...account.outside,
				ledgerPolicy: () => ({ ...SMALL, ...policy }),
				fileLedger: async (...about) => {
					if (files.fate === 'refused') throw new Error('the bucket is out');
					files.puts += 1;
					await fileLedger(...about);
					if (files.fate === 'unheard') throw new Error('the object died');
				},
			};
		});
	};
	await replaceOutside();

	/** One verification from beginning to end, or left open. */
	async function verify(id: string, at: number, outcome: 'deliverable' | 'unknown' | 'failed' | null) {
		const key = {
			keyId: KEY.id,
			secretHash: KEY.secretHash,
			category: 'default',
			windowMs: 900_000,
		} as const;
		const admitted = await stub.admit({ ...key, now: at, reservation: { id, credits: 1 } });
		if (admitted.kind === 'admitted' && outcome !== null)
			await stub.settle({ reservation: { id, at }, outcome, now: at });
		return admitted.kind;
	}

	/** Rings the alarm until it has no more to do by `now`. */
	async function ringOut(now: number): Promise<void> {
		await ring(now);
		for (let n = 0; n < 100; n += 1) {
			const next = await opened.nextAlarm();
			// For more work of the same moment it rings a millisecond later each time.
			if (next === null || next > now + 500) return;
			await runDurableObjectAlarm(stub);
		}
		throw new Error('the alarm has no end');
	}

	/** All lines that the account holds, the oldest first, read in pages of this size. */
	async function held(pageSize = 1_000): Promise<LedgerEntry[]> {
		const entries: LedgerEntry[] = [];
		let before: LedgerPlace | null = null;
		do {
			const page: LedgerPage = await stub.listLedger({ before, pageSize });
			expect(page.reconciled).toBe(true);
			entries.push(...page.entries);
			before = page.older;
		} while (before !== null);
		return entries.toReversed();
	}

	/** All lines in files, the oldest first. */
	async function filed(): Promise<FiledLine[]> {
		const { months } = await stub.listLedger({ before: null, pageSize: 1 });
		const lines: FiledLine[] = [];
		for (const { month, pieces, lines: count } of months.toReversed()) {
			const before = lines.length;
			for (let piece = 0; piece < pieces; piece += 1) {
				const key = `ledgers/${accountId}/${month}/${String(piece).padStart(6, '0')}.csv`;
				const csv = await (await env.BLOBS.get(key))?.text();
				for (const row of (csv ?? '').trimEnd().split('\r\n')) {
					const cells = row.split(',');
					expect(cells[0]?.slice(0, 7)).toBe(month);
					lines.push({ id: cells[2] ?? '', change: Number(cells[9]), balanceAfter: Number(cells[10]) });
				}
			}
			expect(lines.length - before).toBe(count);
		}
		return lines;
	}

	/** All lines there ever were, the oldest first: those in files, and those that are in none. */
	async function everyLine(pageSize?: number): Promise<FiledLine[]> {
		const inFiles = await filed();
		const known = new Set(inFiles.map(({ id }) => id));
		expect(known.size).toBe(inFiles.length);
		const rest = (await held(pageSize)).filter(({ id }) => !known.has(id));
		return [...inFiles, ...rest.map(({ id, change, balanceAfter }) => ({ id, change, balanceAfter }))];
	}

	return { ...opened, start, files, replaceOutside, verify, ringOut, held, filed, everyLine };
}

export type OldLedger = Awaited<ReturnType<typeof openOldLedger>>;

/** Verifications a minute apart, all of them charged, from a time on. */
export async function verifyMany(
	{ verify }: OldLedger,
	count: number,
	from: number,
	name = 'v',
): Promise<void> {
	for (let n = 0; n < count; n += 1)
		expect(await verify(`${name}${n}`, from + n * MINUTE_MS, 'deliverable')).toBe('admitted');
}

/** The ids of all lines that the account holds, the newest first. */
export async function ledgerIds({ stub }: OldLedger): Promise<string[]> {
	const { entries } = await stub.listLedger({ before: null, pageSize: 1_000 });
	return entries.map(({ id }) => id);
}
