import type { SurveyedAccounts } from '../src/operations/accounts/port.ts';
import { callOperator } from './operator-client.ts';

/** By what `ops accounts` sorts. */
export const ORDERS = { volume: 'verifications', free: 'unknown', bounces: 'bounces' } as const;

const SHOWN_MAX = 20;

/** The accounts that did most in the last week, page by page. */
export async function busiestAccounts(
	service: Parameters<typeof callOperator>[0],
	by: keyof typeof ORDERS,
): Promise<object> {
	const accounts: SurveyedAccounts['accounts'][number][] = [];
	const missing: string[] = [];
	let after: string | null = null;
	do {
		const query: string = after === null ? '' : `?after=${encodeURIComponent(after)}`;
		const page: SurveyedAccounts = await callOperator(service, 'GET', `/survey${query}`);
		accounts.push(...page.accounts);
		missing.push(...page.missing);
		after = page.next;
	} while (after !== null);
	const order = ORDERS[by];
	const sorted = accounts.filter((each) => each[order] > 0).toSorted((a, b) => b[order] - a[order]);
	return { accounts: sorted.slice(0, SHOWN_MAX), missing };
}
