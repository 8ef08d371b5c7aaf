import { isLiveAccount, isTestAccount, liveAccountOf } from '../../core/keys/api-key.ts';
import { ServiceError } from '../../errors.ts';
import type { AccountRef } from '../accounts/port.ts';
import { auditAccountStep, booksOf } from './steps/account-step.ts';
import type { AuditAccountServices, AuditPlace } from './steps/account-step.ts';
import { walk } from './steps/walk.ts';
import type { Audited } from './steps/walk.ts';

export interface AuditAccountRequest {
	/** Where the last call stopped; null: at the beginning. */
	readonly place: AuditPlace | null;
}

/** The bounds of one call. The caller repeats it until nothing is left. */
const REACH = { steps: 40, ms: 5_000 };

/** Compares what the stores say of an account, and of the one of its test keys: some of it, and the rest by later calls. */
export async function auditAccount(
	services: AuditAccountServices,
	account: AccountRef,
	request: AuditAccountRequest,
): Promise<Audited> {
	const { accountId } = account;
	const place = request.place ?? booksOf(accountId);
	const isOwn = liveAccountOf(place.accountId ?? '') === liveAccountOf(accountId);
	const isOurs = isOwn && (isLiveAccount(accountId) || isTestAccount(accountId));
	const audited = isOurs
		? await walk(services.clock, place, REACH, (at) => auditAccountStep(services, at))
		: null;
	const isNothing = audited === null || (audited.looked.accounts === 0 && audited.findings.length === 0);
	// It was never opened, and nothing says that it should be.
	if (audited === null || (request.place === null && isNothing))
		throw new ServiceError('account_not_found', 'There is no such account');
	return audited;
}
