import { runDurableObjectAlarm } from 'cloudflare:test';
import { expect } from 'vitest';
import type { LedgerEntry, LedgerPlace } from '../../src/core/credits/ledger.ts';
import { DAY_MS, MINUTE_MS } from '../../src/lib/time.ts';
import { admitCall, openAccount } from './account-jobs.ts';

const RETENTION_MS = 60 * DAY_MS;

/** When the alarm deletes a line that was made at `at`. */
export const deletedAt = (at: number, retentionMs = RETENTION_MS): number =>
	at - (at % DAY_MS) + DAY_MS + retentionMs;

/** All lines of an account, the newest first, read in pages of this size. */
export async function readLedger(
	stub: Awaited<ReturnType<typeof openAccount>>['stub'],
	pageSize: number,
): Promise<LedgerEntry[]> {
	const entries: LedgerEntry[] = [];
	let before: LedgerPlace | null = null;
	for (;;) {
		const page: Awaited<ReturnType<typeof stub.listLedger>> = await stub.listLedger({ before, pageSize });
		entries.push(...page.entries);
		before = page.older;
		if (before === null) return entries;
	}
}

/** An account whose lines are deleted after a time. */
export async function openLedger(credits: number, retentionMs = RETENTION_MS) {
	const opened = await openAccount(credits, Date.now(), null, () => ({
		ledgerRetentionMs: () => retentionMs,
	}));
	const { stub, ring } = opened;

	/** One verification from beginning to end, or left under way. */
	async function verify(id: string, at: number, outcome: 'deliverable' | 'unknown' | 'failed' | null) {
		const { kind, settle } = await admitCall(stub, id, at);
		if (kind === 'admitted' && outcome !== null) await settle(outcome);
		return { kind, settle };
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
	const held = async (pageSize = 1_000): Promise<LedgerEntry[]> =>
		(await readLedger(stub, pageSize)).toReversed();

	/** The ids of these lines. */
	async function heldIds(): Promise<string[]> {
		return (await held()).map(({ id }) => id);
	}

	return { ...opened, verify, ringOut, held, heldIds };
}

export type OpenedLedger = Awaited<ReturnType<typeof openLedger>>;

/** Verifications a minute apart, all of them charged, from a time on. */
export async function verifyMany(
	{ verify }: Pick<OpenedLedger, 'verify'>,
	count: number,
	from: number,
	name = 'v',
): Promise<void> {
	for (let n = 0; n < count; n += 1)
		expect((await verify(`${name}${n}`, from + n * MINUTE_MS, 'deliverable')).kind).toBe('admitted');
}
