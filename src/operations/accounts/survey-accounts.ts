import { dayOf } from '../../core/credits/usage.ts';
import { DAY_MS } from '../../lib/utc-days.ts';
import type { AccountSurvey, AskedAccounts } from './port.ts';
import { askAccounts } from './steps/ask-accounts.ts';
import { audit } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';

const SURVEY_DAYS = 7;

export interface SurveyAccountsRequest {
	/** The account after which to go on; null: from the start. */
	readonly after: string | null;
}

/** What the next accounts did in the last week. */
export async function surveyAccounts(
	services: ManageServices,
	{ after }: SurveyAccountsRequest,
): Promise<AskedAccounts<AccountSurvey>> {
	if (after === null) await audit(services, 'account.survey', null, {});
	const from = dayOf(services.clock.now() - (SURVEY_DAYS - 1) * DAY_MS);
	return askAccounts(services, after, (accountId) => services.accounts(accountId).survey({ from }));
}
