import type { LedgerEntry, LedgerKind } from '../../operations/accounts/port.ts';
import type { BalanceView } from '../../core/credits/balance-view.ts';
import { JOB_TITLES, isJobNoun } from '../../core/jobs/kinds/kinds.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import { change, count } from '../format.ts';
import { DashboardPage, Section } from '../layout.tsx';
import { Tag } from '../parts/badge.tsx';
import { ButtonLink } from '../parts/button.tsx';
import { NoCreditsNotice, Notice } from '../parts/notice.tsx';
import { Pages } from '../parts/pagination.tsx';
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
	readonly balance: BalanceView;
	/** Newest first. */
	readonly lines: readonly CreditLine[];
	readonly pagination: Pagination;
	/** Whether all lines add up to the balance. */
	readonly reconciled: boolean;
}

/** The ledger, and the proof that it adds up to the balance. */
export function CreditsPage({ view, balance, lines, pagination, reconciled }: CreditsProps) {
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
					<Reconciliation balance={balance} lines={pagination.total} reconciled={reconciled} />
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
				<Pages pagination={pagination} things="lines" hrefOf={(page) => `/dashboard/credits?page=${page}`} />
			</Section>
		</DashboardPage>
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
					? `${props.lines === 1 ? 'The one line' : `All ${count(props.lines)} lines`} below add up to it.`
					: 'The lines below do not add up to it: please tell us.'}
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

function What({ line: { entry, name } }: { readonly line: CreditLine }) {
	const { kind, id, reserved, released } = entry;
	const words = name === null ? KINDS[kind] : `${KINDS[kind]}: ${name}`;
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
