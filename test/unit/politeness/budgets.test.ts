import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMailOperator } from '../../../src/core/mail-operators/find-operator.ts';
import { companyOf, OPERATORS } from '../../../src/core/mail-operators/operators.ts';
import type { OperatorName } from '../../../src/core/mail-operators/operators.ts';
import { partOf, RECIPIENTS_PER_MINUTE_MIN, warmth } from '../../../src/core/politeness/budget.ts';
import type { Budget } from '../../../src/core/politeness/budget.ts';
import { budgetOf } from '../../../src/core/politeness/budgets.ts';
import { mailHostOf } from '../../../src/core/politeness/mail-host.ts';

const figures = (budget: Budget): readonly number[] => [
	budget.connections,
	budget.connectionsPerMinute,
	budget.recipientsPerMinute,
	budget.recipientsPerDay,
	budget.recipientsPerConnection,
];

test.each<[OperatorName | null, readonly number[]]>([
	['google', [4, 30, 120, 20_000, 50]],
	['microsoft365', [4, 60, 240, 40_000, 50]],
	['outlook', [3, 30, 60, 10_000, 30]],
	['apple', [4, 30, 60, 10_000, 5]],
	['gmx', [2, 10, 30, 5_000, 20]],
	['webde', [2, 10, 30, 5_000, 20]],
	['mimecast', [4, 60, 240, 40_000, 50]],
	['ionos', [2, 10, 30, 5_000, 20]],
	['orange', [2, 10, 30, 5_000, 20]],
	['telekom', [2, 10, 30, 5_000, 10]],
	['tencent', [2, 10, 30, 5_000, 8]],
	['netease', [2, 10, 30, 5_000, 7]],
	['barracuda', [4, 60, 240, 40_000, 15]],
	['kpn', [3, 30, 120, 20_000, 50]],
	['zoho', [3, 30, 120, 20_000, 50]],
	[null, [2, 10, 60, 2_000, 100]],
])('%s bears %j', (operator, expected) => {
	expect(figures(budgetOf(operator))).toEqual(expected);
});

test('GMX, WEB.DE, mail.com and IONOS are one company: one standing, one budget', () => {
	const hosts = ['mx00.gmx.net', 'mx-ha02.web.de', 'mx00.mail.com', 'mx01.1and1.com', 'mx00.kundenserver.de'];
	const parties = hosts.map((host) => {
		const operator = findMailOperator([host])?.operator ?? null;
		return mailHostOf(host, operator, 'direct').party;
	});
	expect(new Set(parties)).toEqual(new Set(['gmx']));
	for (const name of Object.keys(OPERATORS) as OperatorName[])
		expect(budgetOf(name), name).toEqual(
			companyOf(name) === name ? budgetOf(name) : budgetOf(companyOf(name)),
		);
});

test('Mimecast counts by region, and so do we', () => {
	const partyOf = (host: string): string =>
		mailHostOf(host, findMailOperator([host])?.operator ?? null, 'direct').party;
	expect(partyOf('eu-smtp-inbound-1.mimecast.com')).toBe(partyOf('eu-smtp-inbound-2.mimecast.com'));
	expect(partyOf('eu-smtp-inbound-1.mimecast.com')).not.toBe(partyOf('us-smtp-inbound-1.mimecast.com'));
	expect(findMailOperator(['us-smtp-inbound-1.mimecast.com'])?.gateway).toBe('mimecast');
});

describe('what is given', () => {
	test('changes only what it names, and for the operator it names', () => {
		const overrides = { google: { recipientsPerMinute: 60 } };
		expect(figures(budgetOf('google', overrides))).toEqual([4, 30, 60, 20_000, 50]);
		expect(budgetOf('apple', overrides)).toEqual(budgetOf('apple'));
	});

	test('of an operator comes before what is given of its kind, and that before what is given of all', () => {
		const overrides = {
			all: { connections: 9 },
			mailbox: { connections: 8 },
			google: { connections: 7 },
			other: { connections: 6 },
		};
		const most = (operator: OperatorName | null): number => budgetOf(operator, overrides).connections;
		expect([most('google'), most('apple'), most('ionos'), most(null)]).toEqual([7, 8, 9, 6]);
	});
});

test('a new source address begins with a twentieth, and has the whole budget after eight days', () => {
	const days = Array.from({ length: 10 }, (_, day) => warmth(day * 86_400_000));
	expect(days[0]).toBe(0.05);
	expect(days.map((share) => Math.round(share * 1000) / 1000)).toEqual([
		0.05, 0.075, 0.113, 0.169, 0.253, 0.38, 0.57, 0.854, 1, 1,
	]);
});

test('however small the part, a question can be asked, and no part is more than the whole', () => {
	const names = Object.keys(OPERATORS) as OperatorName[];
	const share = fc.double({ min: 0, max: 1, noNaN: true });
	fc.assert(
		fc.property(fc.constantFrom(null, ...names), share, (operator, of) => {
			const [whole, part] = [budgetOf(operator), partOf(budgetOf(operator), of)];
			expect(part.connections).toBeGreaterThanOrEqual(1);
			expect(part.connectionsPerMinute).toBeGreaterThanOrEqual(1);
			expect(part.recipientsPerMinute).toBeGreaterThanOrEqual(RECIPIENTS_PER_MINUTE_MIN);
			figures(part).forEach((figure, at) => expect(figure).toBeLessThanOrEqual(figures(whole)[at] ?? 0));
		}),
	);
});
