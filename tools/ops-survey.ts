import type { AccountSurvey, AskedAccounts } from '../src/operations/accounts/port.ts';
import type { callOperator } from './operator-client.ts';
import { pagesOf } from './ops-pages.ts';

/** By what `ops accounts` sorts. */
export const ORDERS = { volume: 'verifications', free: 'unknown', bounces: 'bounces' } as const;

const SHOWN_MAX = 20;

/** The accounts that did most in the last week. */
export async function busiestAccounts(
	service: Parameters<typeof callOperator>[0],
	by: keyof typeof ORDERS,
): Promise<object> {
	const accounts: AskedAccounts<AccountSurvey>['accounts'][number][] = [];
	const missing: string[] = [];
	for await (const page of pagesOf<AskedAccounts<AccountSurvey>>(service, '/survey')) {
		accounts.push(...page.accounts);
		missing.push(...page.missing);
	}
	const order = ORDERS[by];
	const sorted = accounts.filter((each) => each[order] > 0).toSorted((a, b) => b[order] - a[order]);
	return { accounts: sorted.slice(0, SHOWN_MAX), missing };
}
