import type { LedgerPage } from '../../../src/operations/accounts/port.ts';
import { balance, noBalance } from './samples.ts';

// What pages of the ledger show beside its lines.

export const noLedger: Omit<LedgerPage, 'entries'> = {
	balance: noBalance,
	total: 0,
	totals: { granted: 0, charged: 0, reserved: 0 },
	reconciled: true,
	older: null,
	months: [],
};

export const ledger: Omit<LedgerPage, 'entries'> = {
	...noLedger,
	balance,
	total: 240,
	older: { at: 1_700_000_000_000, id: 'job_older' },
	months: [
		{ month: '2026-11', pieces: 1, lines: 10_000, change: -9_320, closedAt: null },
		{ month: '2026-10', pieces: 2, lines: 12_804, change: 38_112, closedAt: 1_793_577_600_000 },
	],
};
