import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ListedRow } from '../../../../src/core/jobs/report/listed-row.ts';
import { ReportCounter, scoredOf } from '../../../../src/core/jobs/report/report.ts';
import { STATUSES, SUB_STATUSES } from '../../../../src/core/verification/sub-status.ts';
import type { SubStatus } from '../../../../src/core/verification/sub-status.ts';
import { listedRow } from '../../../support/unit/listed-rows.ts';
import { sum } from '../../../support/statistics.ts';

function reportOf(rows: readonly ListedRow[]) {
	const counter = new ReportCounter();
	for (const row of rows) counter.see(row);
	return counter.report();
}

test('a report says what came out, why, and where the trouble is', () => {
	const report = reportOf([
		listedRow('a@x.test', 'accepted_email'),
		listedRow('info@x.test', 'rejected_email'),
		listedRow('b@y.test', 'rejected_email'),
		listedRow('c@y.test', 'mailbox_full'),
		listedRow('d@y.test', 'rejected_email'),
		listedRow('e@all.test', 'catch_all', { checked: 90 }),
		listedRow('f@all.test', 'catch_all', { checked: 60 }),
		listedRow('g@gate.test', 'gateway_protected'),
		listedRow('h@late.test', 'accepted_email'),
		listedRow('i@late.test', 'timeout'),
	]);
	expect(report.total).toBe(10);
	expect(report.counts).toEqual({ deliverable: 3, undeliverable: 3, risky: 2, unknown: 2 });
	expect(report.reasons.slice(0, 2)).toEqual([
		{ reason: 'rejected_email', count: 3 },
		{ reason: 'accepted_email', count: 2 },
	]);
	expect(report.domains.map(({ name, total, reason }) => [name, total, reason])).toEqual([
		['y.test', 3, 'rejected_email'],
		['all.test', 2, 'catch_all'],
		['gate.test', 1, 'gateway_protected'],
		['late.test', 2, 'timeout'],
		['x.test', 2, 'rejected_email'],
	]);
	expect([report.scores.valid[90], report.scores.unknown[60], scoredOf(report)]).toEqual([1, 1, 2]);
	expect([report.mayAnswerLater, report.learntLater]).toEqual([1, 1]);
});

const names = Object.keys(SUB_STATUSES).filter((name) => !name.startsWith('catch_all')) as SubStatus[];
const row = fc
	.tuple(fc.constantFrom(...names), fc.nat(30))
	.map(([subStatus, domain]) => listedRow(`a@d${domain}.test`, subStatus));

test('every address is counted once in each picture, and ten parties at most are named, the worst first', () => {
	fc.assert(
		fc.property(fc.array(row, { maxLength: 200 }), (rows) => {
			const report = reportOf(rows);
			expect(sum(STATUSES.map((status) => report.counts[status]))).toBe(rows.length);
			expect(sum(report.reasons.map(({ count }) => count))).toBe(rows.length);
			expect(report.domains.length).toBeLessThanOrEqual(10);
			const troubles = report.domains.map(({ total, counts }) => total - counts.deliverable);
			expect(troubles).toEqual(troubles.toSorted((a, b) => b - a));
			expect(troubles.every((trouble) => trouble > 0)).toBe(true);
			// A stored report is read unchanged.
			expect(JSON.parse(JSON.stringify(report))).toEqual(report);
		}),
	);
});
