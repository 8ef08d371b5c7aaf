import type { AccountPort } from '../accounts/object-port.ts';
import type { BandCount } from '../../core/outcomes/band.ts';
import { describeError, log } from '../../lib/log.ts';
import type { Directory } from '../accounts/directory-port.ts';

export interface ExportOutcomesServices {
	readonly directory: Directory;
	readonly accounts: (accountId: string) => Pick<AccountPort, 'countOutcomes'>;
}

export interface ExportOutcomesRequest {
	/** The account after which to go on; null: from the start. */
	readonly after: string | null;
}

export interface ExportedOutcomes {
	/** The counts of each account that has any, without its id. */
	readonly sources: readonly (readonly BandCount[])[];
	/** Where to go on; null: that was all. */
	readonly next: string | null;
}

// Each account costs a call, and a Worker may make a thousand.
const ACCOUNTS_A_PAGE = 100;

/** The counts of outcomes by band of the next accounts, for calibration. An account that fails is left out. */
export async function exportOutcomes(
	services: ExportOutcomesServices,
	request: ExportOutcomesRequest,
): Promise<ExportedOutcomes> {
	const ids = await services.directory.listAccountIds(request.after, ACCOUNTS_A_PAGE);
	const sources: (readonly BandCount[])[] = [];
	for (const accountId of ids) {
		try {
			const counts = await services.accounts(accountId).countOutcomes();
			if (counts.length > 0) sources.push(counts);
		} catch (error) {
			log('outcomes_not_counted', { accountId, ...describeError(error) }, 'warn');
		}
	}
	return { sources, next: ids.length < ACCOUNTS_A_PAGE ? null : (ids.at(-1) ?? null) };
}
