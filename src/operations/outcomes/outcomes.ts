import type { Address } from '../../core/address/parse-address.ts';
import { bandOf, ownOutcomeAt } from '../../core/outcomes/outcome.ts';
import type { BandCount, OutcomeKind, OwnOutcome } from '../../core/outcomes/outcome.ts';
import type { AccountRef } from '../accounts/port.ts';
import type { Digests, RecordResult } from './port.ts';
import { describeError, log } from '../../lib/log.ts';
import { SCORECARD } from '../../core/catchall/scorecard.ts';
import type { Services } from '../../services.ts';
import type { AccountsFor } from '../accounts/object-port.ts';

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
	services: Pick<Services, 'clock' | 'digestsOf' | 'accounts'>,
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

interface ExportOutcomesRequest {
	/** The account after which to go on; null: from the start. */
	readonly after: string | null;
}

interface ExportedOutcomes {
	/** The counts of each account that has any, without its id. */
	readonly sources: readonly (readonly BandCount[])[];
	/** Where to go on; null: that was all. */
	readonly next: string | null;
}

// Each account costs a call, and a Worker may make a thousand.
const ACCOUNTS_A_PAGE = 100;

/** The counts of outcomes by band of the next accounts, for calibration. An account that fails is left out. */
export async function exportOutcomes(
	services: Pick<Services, 'directory' | 'accounts'>,
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

/** An address and the points of its score, where the signals alone gave it. */
export interface ScoredAddress {
	readonly address: Pick<Address, 'localPart' | 'domain'>;
	readonly points: number;
}

/**
 * Has the account remember the bands of these addresses. A failure costs calibration a few outcomes, and no answer.
 */
export async function noteScores(
	services: Pick<Services, 'clock' | 'digestsOf'> & { readonly accounts: AccountsFor<'noteScores'> },
	{ accountId }: AccountRef,
	scored: readonly ScoredAddress[],
): Promise<void> {
	if (scored.length === 0) return;
	const scores = scored.map(({ address, points }) => ({
		digests: services.digestsOf(accountId, address),
		band: bandOf(points),
	}));
	try {
		const now = services.clock.now();
		await services.accounts(accountId).noteScores({ now, scorecard: SCORECARD, scores });
	} catch (error) {
		log('scores_not_noted', { account: accountId, scores: scores.length, ...describeError(error) }, 'warn');
	}
}

/** The keyed hashes of an address in an account. */
export type DigestsOf = (accountId: string, address: Pick<Address, 'localPart' | 'domain'>) => Digests;

/** Looks up with one call what became of the account's own messages to these addresses. */
export async function findOwnOutcomes(
	services: Pick<Services, 'clock' | 'digestsOf' | 'accounts'>,
	{ accountId }: AccountRef,
	addresses: readonly Address[],
): Promise<(address: Address) => OwnOutcome | null> {
	const now = services.clock.now();
	const digests = addresses.map((address) => services.digestsOf(accountId, address));
	const found = await services.accounts(accountId).findOutcomes({ now, addresses: digests });
	const byEmail = new Map<string, OwnOutcome>();
	for (const [at, outcome] of found.entries()) {
		const email = addresses[at]?.email;
		if (outcome !== null && email !== undefined) byEmail.set(email, ownOutcomeAt(outcome, now));
	}
	return ({ email }) => byEmail.get(email) ?? null;
}
