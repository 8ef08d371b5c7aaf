import type { BalanceView } from '../../core/credits/balance.ts';
import { ServiceError } from '../../errors.ts';
import type { AccountRef, LedgerEntry, LedgerPage, LedgerPlace } from './port.ts';
import { audit, requireAccount } from './steps/manage.ts';
import type { ManageServices } from './steps/manage.ts';
import type { AccountPort } from './object-port.ts';
import { isJobNoun } from '../../core/jobs/kinds/kinds.ts';
import { writeCsv } from '../../core/csv/write.ts';
import type { CsvRow } from '../../core/csv/write.ts';
import { streamOf } from '../../lib/streams.ts';
import type { Services } from '../../services.ts';

interface GrantCreditsRequest {
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

interface ListLedgerRequest {
	/** The page begins with the newest line before this place; null: with the newest of all. */
	readonly before: LedgerPlace | null;
	readonly pageSize: number;
}

/** A page of the account's ledger, newest first. */
export async function listLedger(
	services: Pick<Services, 'accounts'>,
	account: AccountRef,
	request: ListLedgerRequest,
): Promise<LedgerPage> {
	return services.accounts(account.accountId).listLedger(request);
}

/** The head of a ledger's CSV. */
const LEDGER_HEAD = [
	'when',
	'what',
	'id',
	'key',
	'credits',
	'charged',
	'refunded',
	'released',
	'reserved',
	'change',
	'name',
] as const satisfies CsvRow;

/** A line of a ledger's CSV. `name`: that of its list or task. */
function ledgerRow(line: LedgerEntry, name: string | null): CsvRow {
	return [
		new Date(line.at).toISOString(),
		line.kind,
		line.id,
		line.keyLabel,
		line.credits,
		line.charged,
		line.refunded,
		line.released,
		line.reserved,
		line.change,
		name,
	];
}

/** The names of the jobs and tasks among lines of a ledger, by their ids. */
export async function namesOf(
	account: Pick<AccountPort, 'jobNames'>,
	lines: readonly { readonly kind: string; readonly id: string }[],
): Promise<ReadonlyMap<string, string>> {
	const jobIds = lines.filter(({ kind }) => isJobNoun(kind)).map(({ id }) => id);
	return new Map(jobIds.length === 0 ? [] : Object.entries(await account.jobNames({ jobIds })));
}

// Each page is one call of the account: its other callers wait meanwhile, and a request may make 1,000 such calls.
const PAGE_SIZE = 2_000;

/** The lines of the account's ledger as CSV, newest first, streamed. */
export function downloadLedger(
	services: Pick<Services, 'accounts'>,
	account: AccountRef,
): ReadableStream<Uint8Array> {
	return streamOf(writeCsv(rowsOf(services, account)));
}

async function* rowsOf(
	services: Pick<Services, 'accounts'>,
	account: AccountRef,
): AsyncGenerator<CsvRow, void, undefined> {
	yield LEDGER_HEAD;
	let before: LedgerPlace | null = null;
	do {
		const page: Awaited<ReturnType<typeof listLedger>> = await listLedger(services, account, {
			before,
			pageSize: PAGE_SIZE,
		});
		const names = await namesOf(services.accounts(account.accountId), page.entries);
		for (const line of page.entries) yield ledgerRow(line, names.get(line.id) ?? null);
		before = page.older;
	} while (before !== null);
}
