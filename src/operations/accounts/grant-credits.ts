import type { BalanceView } from '../../core/credits/balance-view.ts';
import { ServiceError } from '../../errors.ts';
import type { AccountRef } from './port.ts';
import { note } from '../people/steps/note.ts';
import { audit, requireAccount } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';

export interface GrantCreditsRequest {
	/** Chosen by the operator. */
	readonly id: string;
	/** Negative: credits are withdrawn. */
	readonly credits: number;
}

/** Adds credits to an account; a repeated id changes nothing. */
export async function grantCredits(
	services: ManageServices,
	account: AccountRef,
	request: GrantCreditsRequest,
): Promise<{ balance: BalanceView; repeated: boolean }> {
	const { accountId } = account;
	const { id, credits } = request;
	await requireAccount(services, account);
	await audit(services, 'credits.grant', accountId, { id, credits });
	const granted = await services.accounts(accountId).grant({ id, credits, now: services.clock.now() });
	switch (granted.kind) {
		case 'granted':
			note(services, accountId, { kind: 'credits_added', about: String(credits), by: 'operator' });
			return { balance: granted.balance, repeated: false };
		case 'repeated':
			return { balance: granted.balance, repeated: true };
		case 'mismatch': {
			const text = `The id ${id} was used for ${granted.credits} credits`;
			throw new ServiceError('grant_id_reused', text);
		}
		case 'closed':
			throw new ServiceError('account_closed', 'The account is closed: its owner deleted it');
		case 'insufficient_credits':
			throw new ServiceError('credits_spent', `Only ${granted.available} credits are available to take back`);
	}
}
