import { STATUSES, SUB_STATUSES, statusOf } from '../../verification/sub-status.ts';
import type { SheetRow } from '../../xlsx/write-xlsx.ts';
import type { Report } from './report.ts';

/** The summary of a whole list as rows of a sheet: outcomes, reasons, and where the trouble is. */
export function summaryRows(name: string, report: Report): readonly SheetRow[] {
	const { total, counts, reasons } = report;
	const share = (count: number) => ({ share: total === 0 ? 0 : count / total });
	const troubles = (head: string, rows: Report['domains']): readonly SheetRow[] =>
		rows.length === 0
			? []
			: [
					[],
					[head, 'Addresses', 'Not safe to send', 'Mostly'],
					...rows.map((row) => [
						row.name,
						row.total,
						row.total - row.counts.deliverable,
						SUB_STATUSES[row.reason].short,
					]),
				];
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
		...troubles('Domain', report.domains),
		...troubles('Mail operator', report.operators),
	];
}
