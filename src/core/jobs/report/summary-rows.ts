import { percentOf } from '../../../lib/share.ts';
import { STATUSES, SUB_STATUSES, statusOf } from '../../verification/sub-status.ts';
import type { SheetRow } from '../../xlsx/write-xlsx.ts';
import type { Report } from './report.ts';

/** The summary of a whole list as rows of a sheet: outcomes, reasons, and where the trouble is. */
export function summaryRows(name: string, report: Report): readonly SheetRow[] {
	const { total, counts, reasons } = report;
	const share = (count: number) => ({ share: percentOf(count, total) / 100 });
	return [
		[name, 'Addresses', 'Share'],
		['All', total, share(total)],
		...STATUSES.map((status) => [status, counts[status], share(counts[status])]),
		[],
		['Reason', 'Addresses', 'Share', 'Status'],
		...reasons.map(({ reason, count }) => [
			SUB_STATUSES[reason].short,
			count,
			share(count),
			statusOf(reason),
		]),
		...troubleRows('Domain', report.domains),
		...troubleRows('Mail operator', report.operators),
	];
}

function troubleRows(head: string, rows: Report['domains']): readonly SheetRow[] {
	if (rows.length === 0) return [];
	return [
		[],
		[head, 'Addresses', 'Not safe to send', 'Mostly'],
		...rows.map(({ name, total, counts, reason }) => [
			name,
			total,
			total - counts.deliverable,
			SUB_STATUSES[reason].short,
		]),
	];
}
