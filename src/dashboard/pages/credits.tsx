import type { BalanceView } from '../../operations/accounts-port.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import { change, count } from '../format.ts';
import { DashboardPage, Section } from '../layout.tsx';
import { Tag } from '../parts/badge.tsx';
import { ButtonLink } from '../parts/button.tsx';
import { Notice } from '../parts/notice.tsx';
import { Pages } from '../parts/pagination.tsx';
import { Stats } from '../parts/stat.tsx';
import { Empty, Table } from '../parts/table.tsx';
import type { Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import type { View } from '../view.ts';

/** One line of the ledger as it is shown. */
export interface CreditLine {
	readonly id: string;
	/** Epoch milliseconds. */
	readonly at: number;
	/** What it was, in words: "Verification", "List: July". */
	readonly what: string;
	/** Where more is told about it. */
	readonly href: string | null;
	/** Through which key; null: not by one. */
	readonly keyLabel: string | null;
	/** Still set aside. */
	readonly reserved: number;
	/** Given back because the answer was unknown. */
	readonly refunded: number;
	/** What the line did to the balance: a grant adds, a charge takes. */
	readonly change: number;
	/** The balance after it, counted from the first line on. */
	readonly balance: number;
}

export interface CreditsProps {
	readonly view: View;
	readonly balance: BalanceView;
	/** Newest first. */
	readonly lines: readonly CreditLine[];
	readonly pagination: Pagination;
}

/** Where the credits went: each line, and that they add up. */
export function CreditsPage({ view, balance, lines, pagination }: CreditsProps) {
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
					<Reconciliation balance={balance} />
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

/** Says the sum, so that nobody has to take it on trust. */
function Reconciliation({ balance }: { readonly balance: BalanceView }) {
	const { totalPurchased, totalConsumed, availableCredits, reservedCredits } = balance;
	const adds = totalPurchased - totalConsumed === availableCredits + reservedCredits;
	return (
		<Notice kind={adds ? 'done' : 'failed'}>
			<p>
				{count(totalPurchased)} granted − {count(totalConsumed)} used ={' '}
				{count(totalPurchased - totalConsumed)} = {count(availableCredits)} available +{' '}
				{count(reservedCredits)} reserved.
				{adds ? ' The ledger adds up.' : ' These do not agree: please tell us.'}
			</p>
		</Notice>
	);
}

function columnsOf(view: View): readonly Column<CreditLine>[] {
	return [
		{ head: 'When', cell: ({ at }) => <Time at={at} now={view.now} /> },
		{ head: 'What', names: true, class: 'wide', cell: (line) => <What line={line} /> },
		{ head: 'Key', cell: ({ keyLabel }) => (keyLabel === null ? <span class="quiet">–</span> : keyLabel) },
		{ head: 'Refunded', align: 'number', cell: ({ refunded }) => (refunded === 0 ? '' : count(refunded)) },
		{ head: 'Change', align: 'number', cell: (line) => change(line.change) },
		{ head: 'Balance', align: 'number', cell: ({ balance }) => count(balance) },
	];
}

function What({ line }: { readonly line: CreditLine }) {
	return (
		<>
			{line.href === null ? (
				line.what
			) : (
				<a class="row-link" href={line.href}>
					{line.what}
				</a>
			)}
			{line.reserved > 0 && (
				<>
					{' '}
					<Tag tone="accent">{count(line.reserved)} still reserved</Tag>
				</>
			)}
		</>
	);
}
