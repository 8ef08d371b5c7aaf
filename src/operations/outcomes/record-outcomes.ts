import type { AccountPort } from '../accounts/object-port.ts';
import type { Address } from '../../core/address/parse-address.ts';
import type { OutcomeKind } from '../../core/outcomes/outcome.ts';
import type { Clock } from '../../engine/ports.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { RecordResult } from './port.ts';
import type { DigestsOf } from './steps/own-outcomes.ts';

export interface RecordOutcomesServices {
	readonly clock: Clock;
	readonly digestsOf: DigestsOf;
	readonly accounts: (accountId: string) => Pick<AccountPort, 'recordOutcomes'>;
}

export interface RecordOutcomesRequest {
	readonly outcomes: readonly {
		readonly address: Address;
		readonly kind: OutcomeKind;
		/** Epoch milliseconds, not in the future; null: now. */
		readonly at: number | null;
	}[];
}

/** Records what became of the account's own messages. The addresses become keyed hashes before they are stored. */
export async function recordOutcomes(
	services: RecordOutcomesServices,
	account: AccountRef,
	request: RecordOutcomesRequest,
): Promise<RecordResult> {
	const { accountId } = account;
	const now = services.clock.now();
	const outcomes = request.outcomes.map(({ address, kind, at }) => ({
		digests: services.digestsOf(accountId, address),
		kind,
		at: Math.min(at ?? now, now),
		isDated: at !== null,
	}));
	return services.accounts(accountId).recordOutcomes({ now, outcomes });
}
