import type { LedgerMonth } from '../../operations/accounts/ledger-files-port.ts';
import type { LedgerEntry, LedgerKind, LedgerPage, LedgerPlace } from '../../operations/accounts/port.ts';
import type { BalanceView } from '../../core/credits/balance-view.ts';
import { JOB_TITLES, isJobNoun } from '../../core/jobs/kinds/kinds.ts';
import { INITIAL_GRANT_ID } from '../../core/credits/initial-grant.ts';
import { purchaseOfLine } from '../../core/payments/purchase-ids.ts';
import { change, count, monthName, plural } from '../format.ts';
import { DashboardPage, Section } from '../layout.tsx';
import { Tag } from '../parts/badge.tsx';
import { ButtonLink } from '../parts/button.tsx';
import { NoCreditsNotice, Notice } from '../parts/notice.tsx';
import { Stats, Time } from '../parts/figures.tsx';
import { Cut } from '../parts/long-text.tsx';
import { Empty, Table } from '../parts/table.tsx';
import type { Column } from '../parts/table.tsx';
import type { View } from '../view.ts';

/** One line of the ledger, with the name of the work. */
export interface CreditLine {
	readonly entry: LedgerEntry;
	/** The name of a job or task. */
	readonly name: string | null;
}

export interface CreditsProps {
	readonly view: View;
	readonly ledger: Omit<LedgerPage, 'entries'>;
	/** Newest first. */
	readonly lines: readonly CreditLine[];
	/** The page begins with the newest line. */
	readonly isNewest: boolean;
}

/** The ledger, and the proof that it adds up to the balance. */
export function CreditsPage({ view, ledger, lines, isNewest }: CreditsProps) {
	const { balance, total, reconciled, older, months } = ledger;
	return (
		<DashboardPage
			view={view}
			place="Credits"
			title="Credits"
			lead="Set aside when work begins, charged for definite answers, given back for every unknown."
			action={
				<ButtonLink kind="quiet" href="/dashboard/credits.csv" icon="download" download>
					Download CSV
				</ButtonLink>
			}
		>
			<Section title="Balance">
				<div class="stack">
					<Stats
						stats={[
							{ label: 'Available', value: balance.availableCredits, note: 'can be spent now' },
							{ label: 'Reserved', value: balance.reservedCredits, note: 'set aside for work in progress' },
							{ label: 'Granted', value: balance.totalPurchased, note: 'trial and purchases' },
							{ label: 'Used', value: balance.totalConsumed, note: 'charged for definite answers' },
							{ label: 'Refunded', value: balance.totalRefunded, note: 'because nobody would say' },
						]}
					/>
					<NoCreditsNotice balance={balance} />
					<Reconciliation balance={balance} lines={total} reconciled={reconciled} />
				</div>
			</Section>
			<Section title="Ledger" aside={<span class="quiet">Newest first</span>}>
				<Table
					caption="Ledger"
					rows={lines}
					columns={columnsOf(view)}
					empty={
						<Empty
							title="No lines yet"
							text="Grants, verifications and lists are written down here, one line each, with the balance after them."
						/>
					}
				/>
				<Neighbours older={older} isNewest={isNewest} />
			</Section>
			<Months months={months} />
		</DashboardPage>
	);
}

/** A place in the ledger as part of an address. */
function placeText({ at, id }: LedgerPlace): string {
	return encodeURIComponent(`${at}.${id}`);
}

/** Links to older lines, and back to the newest. */
function Neighbours(props: { readonly older: LedgerPlace | null; readonly isNewest: boolean }) {
	if (props.isNewest && props.older === null) return null;
	return (
		<nav class="pages" aria-label="Pages">
			<div class="row">
				{!props.isNewest && (
					<ButtonLink kind="quiet" size="small" href="/dashboard/credits">
						Newest lines
					</ButtonLink>
				)}
				{props.older !== null && (
					<ButtonLink kind="quiet" size="small" href={`/dashboard/credits?before=${placeText(props.older)}`}>
						Older lines
					</ButtonLink>
				)}
			</div>
		</nav>
	);
}

/** The months that stand in files, to be downloaded. */
function Months({ months }: { readonly months: readonly LedgerMonth[] }) {
	if (months.length === 0) return null;
	return (
		<Section
			title="Months"
			aside={<span class="quiet">Kept for good, also when their lines left the page</span>}
		>
			<Table
				caption="Months"
				rows={months}
				columns={[
					{
						head: 'Month',
						names: true,
						width: 160,
						cell: ({ month }) => (
							<a class="row-link" href={`/dashboard/credits/${month}.csv`} download>
								{monthName(month)}
							</a>
						),
					},
					{
						head: 'Lines',
						width: 160,
						cell: ({ lines, closedAt }) =>
							closedAt === null ? `${plural(lines, 'line')} so far` : plural(lines, 'line'),
					},
					{ head: 'Change', align: 'right', width: 84, cell: (month) => change(month.change) },
				]}
				empty=""
			/>
		</Section>
	);
}

/** Shows the sum, so that people can check it. */
function Reconciliation(props: {
	readonly balance: BalanceView;
	readonly lines: number;
	readonly reconciled: boolean;
}) {
	if (props.lines === 0 && props.reconciled) return null;
	const { totalPurchased, totalConsumed, availableCredits, reservedCredits } = props.balance;
	const sum = totalPurchased - totalConsumed;
	const adds = props.reconciled && sum === availableCredits + reservedCredits;
	// A tick next to a balance of zero would look as if all were well.
	const kind = availableCredits > 0 ? 'done' : 'info';
	return (
		<Notice kind={adds ? kind : 'failed'}>
			<p>
				{count(totalPurchased)} granted − {count(totalConsumed)} used = {count(sum)} ={' '}
				{count(availableCredits)} available + {count(reservedCredits)} reserved.{' '}
				{adds
					? `${props.lines === 1 ? 'The one line of the ledger adds' : `All ${count(props.lines)} lines of the ledger add`} up to it.`
					: 'The lines of the ledger do not add up to it: please tell us.'}
			</p>
		</Notice>
	);
}

function columnsOf(view: View): readonly Column<CreditLine>[] {
	return [
		{ head: 'When', width: 96, cell: ({ entry }) => <Time at={entry.at} now={view.now} /> },
		{ head: 'What', names: true, width: 232, cell: (line) => <What line={line} /> },
		{
			head: 'Key',
			width: 128,
			cell: ({ entry }) =>
				entry.keyLabel === null ? (
					<span class="quiet">{entry.keyId === null ? '–' : 'Dashboard'}</span>
				) : (
					<Cut text={entry.keyLabel} />
				),
		},
		{
			head: 'Refunded',
			align: 'right',
			width: 76,
			cell: ({ entry }) => (entry.refunded === 0 ? '' : count(entry.refunded)),
		},
		{ head: 'Change', align: 'right', width: 84, cell: ({ entry }) => change(entry.change) },
		{ head: 'Balance', align: 'right', width: 84, cell: ({ entry }) => count(entry.balanceAfter) },
	];
}

const KINDS = {
	grant: 'Credits granted',
	adjustment: 'Credits taken back',
	verification: 'Verification',
	...JOB_TITLES,
} as const satisfies Record<LedgerKind, string>;

function wordsOf({ kind, id }: LedgerEntry): string {
	return kind === 'grant' && id === INITIAL_GRANT_ID ? 'Credits to start with' : KINDS[kind];
}

function What({ line: { entry, name } }: { readonly line: CreditLine }) {
	const { kind, id, reserved, released } = entry;
	const purchaseId = purchaseOfLine(id);
	if (purchaseId !== null) {
		const what = plural(Math.abs(entry.credits), 'credit');
		return (
			<a class="row-link" href={`/dashboard/credits/purchases/${purchaseId}`}>
				{kind === 'grant' ? `Bought ${what}` : `Refund of ${what}`}
			</a>
		);
	}
	const words = name === null ? wordsOf(entry) : `${KINDS[kind]}: ${name}`;
	return (
		<>
			{isJobNoun(kind) ? (
				<a class="row-link" href={`/dashboard/${kind}s/${id}`}>
					{words}
				</a>
			) : (
				words
			)}
			{reserved > 0 && (
				<>
					{' '}
					<Tag tone="accent">{count(reserved)} still reserved</Tag>
				</>
			)}
			{released > 0 && (
				<span class="small quiet block">{count(released)} set free: the work was not done</span>
			)}
		</>
	);
}
