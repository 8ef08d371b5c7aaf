import type { LedgerEntry } from '../../../src/core/credits/ledger.ts';
import { DAY, HOUR, MINUTE, NOW, workingJob } from './samples.ts';

export const entry: LedgerEntry = {
	id: 'ver_1',
	at: NOW - 3 * HOUR,
	kind: 'verification',
	credits: 1,
	charged: 1,
	refunded: 0,
	released: 0,
	reserved: 0,
	outcome: 'deliverable',
	keyId: 'k1',
	keyLabel: 'Sign-up form',
	name: null,
	closedAt: NOW - 3 * HOUR,
	change: -1,
};

const grant = (id: string, daysAgo: number, credits: number): LedgerEntry => ({
	...entry,
	id,
	at: NOW - daysAgo * DAY,
	kind: 'grant',
	credits,
	charged: 0,
	outcome: null,
	keyId: null,
	keyLabel: null,
	change: credits,
});

export const lines: LedgerEntry[] = [
	{
		...entry,
		name: workingJob.name,
		id: 'job_19aa',
		at: NOW - 11 * MINUTE,
		kind: 'job',
		credits: 20_000,
		charged: 7_581,
		refunded: 78,
		reserved: 12_341,
		outcome: null,
		keyId: 'dashboard',
		keyLabel: null,
		closedAt: null,
		change: -7_581,
	},
	{ ...entry, id: 'ver_2', at: NOW - 2 * HOUR, charged: 0, refunded: 1, outcome: 'unknown', change: 0 },
	entry,
	{ ...entry, id: 'ver_0', at: NOW - DAY, charged: 0, released: 1, outcome: 'failed', change: 0 },
	grant('purchase pur_8c1f0f5ad4c14a2b9a3e77c1', 2, 25_000),
	grant('initial grant', 9, 50_000),
];
