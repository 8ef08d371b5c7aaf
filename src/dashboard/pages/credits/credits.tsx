import type { BalanceView } from '../../../core/credits/balance.ts';
import type { Forecast } from '../../../core/credits/forecast.ts';
import type { LedgerPage } from '../../../operations/accounts/port.ts';
import type { CreditsLowView } from '../../../operations/webhooks/port.ts';
import type { Flash } from '../../session.ts';
import { count } from '../../format.ts';
import { DashboardPage, Section } from '../../layout.tsx';
import { LEDGER_PAGE, ledgerHref } from '../../list-query.ts';
import type { LedgerQuery } from '../../list-query.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { LastsFor, Stats } from '../../parts/figures.tsx';
import { Checkbox, Field, Form } from '../../parts/form.tsx';
import { CreditsNotice, FlashNotice, Notice } from '../../parts/notice.tsx';
import type { View } from '../../view.ts';
import { Ledger, Months } from './ledger.tsx';
import type { CreditLine } from './ledger.tsx';

export interface CreditsProps {
	readonly view: View;
	readonly ledger: Omit<LedgerPage, 'entries'>;
	/** Newest first. */
	readonly lines: readonly CreditLine[];
	/** The page begins with the newest line. */
	readonly isNewest: boolean;
	/** Which lines are shown. */
	readonly query: LedgerQuery;
	/** The threshold below which the owner gets a message. */
	readonly low: CreditsLowView;
	readonly forecast: Forecast;
	/** Older lines are deleted. */
	readonly retentionDays: number;
	/** The form about low credits as it was refused; null: it was not. */
	readonly refused: { readonly typed: string; readonly error: string } | null;
	readonly flash: Flash | null;
}

/** The balance and the ledger. */
export function CreditsPage(props: CreditsProps) {
	const { view, ledger, flash } = props;
	return (
		<DashboardPage
			view={view}
			place="Credits"
			title="Credits"
			lead="Definite answers cost credits. Unknown answers are refunded."
			islands={['live']}
			action={
				<ButtonLink href="/dashboard/credits/add" icon="plus">
					Add credits
				</ButtonLink>
			}
		>
			<FlashNotice flash={flash} />
			<CreditsLive {...props} />
			<Section title="Low balance">
				<LowBalance {...props} />
			</Section>
			<Months months={ledger.months} retentionDays={props.retentionDays} />
			<p id="live-says" class="unseen" role="status" />
		</DashboardPage>
	);
}

/** The balance and the newest lines, which a script reloads while credits are reserved. */
export function CreditsLive({ view, ledger, lines, isNewest, query, low, forecast }: CreditsProps) {
	const { balance, older } = ledger;
	const moves = isNewest && balance.reservedCredits > 0;
	return (
		<div
			class="stack-wide"
			data-live={ledgerHref(`${LEDGER_PAGE}/live`, query)}
			data-done={moves ? undefined : ''}
			data-says={moves ? undefined : 'No credits are reserved any more'}
		>
			<Section title="Balance">
				<div class="stack">
					<Stats stats={statsOf(balance)} />
					<LastsFor available={balance.availableCredits} forecast={forecast} />
					<CreditsNotice balance={balance} low={low} />
					<Sum balance={balance} />
				</div>
			</Section>
			<Ledger view={view} lines={lines} older={older} isNewest={isNewest} query={query} />
		</div>
	);
}

function statsOf(balance: BalanceView) {
	return [
		{ label: 'Available', value: balance.availableCredits, note: 'to spend now' },
		{ label: 'Reserved', value: balance.reservedCredits, note: 'for lists and calls in progress' },
		{ label: 'Received', value: balance.totalPurchased, note: 'bought or granted' },
		{ label: 'Used', value: balance.totalConsumed, note: 'for definite answers' },
		{ label: 'Refunded', value: balance.totalRefunded, note: 'for unknown answers' },
	];
}

/** The one threshold, for mails and webhooks. */
function LowBalance({ view, low, refused }: CreditsProps) {
	const { below, mails } = low;
	return (
		<Form view={view} action="/dashboard/credits/low" layout="narrow">
			<Field
				name="below"
				label="Tell me when the balance falls below"
				value={refused?.typed ?? (below === null ? '' : String(below))}
				error={refused?.error}
				hint="In credits; empty turns this off. We tell you once, and again only after the balance has been above it."
				maxlength={10}
				autocomplete="off"
			/>
			<Checkbox
				name="mail"
				label={`By mail${view.viewer === null ? '' : ` to ${view.viewer.email}`}`}
				checked={below === null || mails}
			/>
			<p class="small quiet">
				Webhooks with the event <code>credits.low</code> get it too.{' '}
				<a href="/dashboard/webhooks">Webhooks</a>
			</p>
			<div class="actions">
				<Button kind="quiet">Save</Button>
			</div>
		</Form>
	);
}

/** Shows the sum, so that people can check it. */
function Sum({ balance }: { readonly balance: BalanceView }) {
	const { totalPurchased, totalConsumed, availableCredits, reservedCredits } = balance;
	// A tick next to a balance of zero would look as if all were well.
	return (
		<Notice kind={availableCredits > 0 ? 'done' : 'info'}>
			<p>
				{count(totalPurchased)} received − {count(totalConsumed)} used = {count(balance.balance)} ={' '}
				{count(availableCredits)} available + {count(reservedCredits)} reserved.
			</p>
		</Notice>
	);
}
