import { dayOf } from '../../core/credits/usage.ts';
import { describeError, log } from '../../lib/log.ts';
import { DAY_MS } from '../../lib/utc-days.ts';
import type { AccountSurvey, SurveyedAccounts } from './port.ts';
import { audit } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';

// Each account costs a call, and a Worker may make a thousand.
const ACCOUNTS_A_PAGE = 100;
const SURVEY_DAYS = 7;

export interface SurveyAccountsRequest {
	/** The account after which to go on; null: from the start. */
	readonly after: string | null;
}

/** What the next accounts did in the last week. */
export async function surveyAccounts(
	services: ManageServices,
	request: SurveyAccountsRequest,
): Promise<SurveyedAccounts> {
	const { after } = request;
	if (after === null) await audit(services, 'account.survey', null, {});
	const from = dayOf(services.clock.now() - (SURVEY_DAYS - 1) * DAY_MS);
	const ids = await services.directory.listAccountIds(after, ACCOUNTS_A_PAGE);
	const accounts: (AccountSurvey & { accountId: string })[] = [];
	const missing: string[] = [];
	for (const accountId of ids) {
		try {
			const survey = await services.accounts(accountId).survey({ from });
			if (survey !== null) accounts.push({ accountId, ...survey });
		} catch (error) {
			log('account_not_surveyed', { accountId, ...describeError(error) }, 'warn');
			missing.push(accountId);
		}
	}
	return { accounts, missing, next: ids.length < ACCOUNTS_A_PAGE ? null : (ids.at(-1) ?? null) };
}
