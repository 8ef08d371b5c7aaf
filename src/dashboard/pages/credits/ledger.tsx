import { INITIAL_GRANT_ID } from '../../../core/credits/price.ts';
import { isJobNoun, JOB_TITLES } from '../../../core/jobs/kinds/kinds.ts';
import { readPurchaseLine } from '../../../core/payments/purchase.ts';
import { LEDGER_KINDS } from '../../../operations/accounts/port.ts';
import { DOMAINS_ID_PREFIX } from '../../../operations/domains/describe-domains.ts';
import type { LedgerEntry, LedgerKind, LedgerMonth, LedgerPlace } from '../../../operations/accounts/port.ts';
import { change, count, monthName, plural } from '../../format.ts';
import { Section } from '../../layout.tsx';
import { isNarrowed, LEDGER_PAGE, ledgerHref, queryOfMonth } from '../../list-query.ts';
import type { LedgerQuery } from '../../list-query.ts';
import { Tag } from '../../parts/badge.tsx';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Time } from '../../parts/figures.tsx';
import { DateField, Select } from '../../parts/form.tsx';
import { Cut, Empty, Table } from '../../parts/table.tsx';
import type { Column } from '../../parts/table.tsx';
import type { View } from '../../view.ts';

/** One line of the ledger, with the name of the work. */
export interface CreditLine {
	readonly entry: LedgerEntry;
	/** The name of a job or task. */
	readonly name: string | null;
}

/** A page of the ledger, with the ways to older and newer lines. */
export function Ledger(props: {
	readonly view: View;
	/** Newest first. */
	readonly lines: readonly CreditLine[];
	readonly older: LedgerPlace | null;
	/** The page begins with the newest line. */
	readonly isNewest: boolean;
	/** Which lines are shown. */
	readonly query: LedgerQuery;
}) {
	const { view, lines, query } = props;
	return (
		<Section
			title="Ledger"
			aside={
				<ButtonLink
					kind="quiet"
					size="small"
					href={ledgerHref(`${LEDGER_PAGE}.csv`, query)}
					icon="download"
					download
				>
					Download CSV
				</ButtonLink>
			}
		>
			{(lines.length > 0 || isNarrowed(query) || !props.isNewest) && <LedgerFilterForm query={query} />}
			<Table
				caption="Ledger, newest first"
				rows={lines}
				columns={columnsOf(view)}
				empty={<NoLines {...props} />}
			/>
			<Neighbours {...props} />
		</Section>
	);
}

/** Which lines are shown: of a kind, of some days. */
function LedgerFilterForm({ query }: { readonly query: LedgerQuery }) {
	return (
		<form
			method="get"
			action={LEDGER_PAGE}
			class="inline-form list-filter"
			role="search"
			aria-label="Filter the ledger"
		>
			<Select
				name="type"
				label="Show"
				value={query.kind ?? ''}
				options={[
					{ value: '', label: 'Any' },
					...LEDGER_KINDS.map((kind) => ({ value: kind, label: KINDS[kind] })),
				]}
			/>
			<DateField name="from" label="From" value={query.from} />
			<DateField name="to" label="To" value={query.to} />
			<Button kind="quiet">Filter</Button>
			{isNarrowed(query) && (
				<ButtonLink kind="quiet" href={LEDGER_PAGE}>
					Clear
				</ButtonLink>
			)}
		</form>
	);
}

interface Shown {
	readonly older: LedgerPlace | null;
	readonly isNewest: boolean;
	readonly query: LedgerQuery;
}

function NoLines({ older, query }: Shown) {
	if (!isNarrowed(query))
		return (
			<Empty
				title="No lines yet"
				text="Purchases, verifications and lists are recorded here, one line each."
			/>
		);
	if (older !== null)
		return <Empty title="None so far" text="None of the newest lines match. Look at older ones." />;
	return <Empty title="No line matches" text="Choose other days or show all kinds. Days are in UTC." />;
}

/** Links to older lines, and back to the newest. */
function Neighbours(props: Shown) {
	const { query, older } = props;
	if (props.isNewest && older === null) return null;
	return (
		<nav class="pages" aria-label="Pages">
			<div class="row">
				{!props.isNewest && (
					<ButtonLink kind="quiet" size="small" href={ledgerHref(LEDGER_PAGE, query)}>
						Newest lines
					</ButtonLink>
				)}
				{older !== null && (
					<ButtonLink kind="quiet" size="small" href={ledgerHref(LEDGER_PAGE, query, older)}>
						Older lines
					</ButtonLink>
				)}
			</div>
		</nav>
	);
}

/** The months of the ledger, to be downloaded. */
export function Months(props: { readonly months: readonly LedgerMonth[]; readonly retentionDays: number }) {
	const { months, retentionDays } = props;
	if (months.length === 0) return null;
	return (
		<Section
			title="Months"
			aside={<span class="quiet">Lines are kept for {plural(retentionDays, 'day')}</span>}
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
							<a href={ledgerHref(`${LEDGER_PAGE}.csv`, queryOfMonth(month))} download>
								{monthName(month)}
							</a>
						),
					},
					{ head: 'Change', align: 'right', width: 84, cell: (month) => change(month.change) },
					{ head: 'Balance at the end', align: 'right', width: 160, cell: ({ balance }) => count(balance) },
				]}
				empty=""
			/>
		</Section>
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
	];
}

const KINDS = {
	grant: 'Credits granted',
	adjustment: 'Credits taken back',
	verification: 'Verification',
	...JOB_TITLES,
} as const satisfies Record<LedgerKind, string>;

const PURCHASE_WORDS = {
	bought: (credits: string) => `Bought ${credits}`,
	refunded: (credits: string) => `Refund of ${credits}`,
} as const;

function wordsOf({ kind, id }: LedgerEntry): string {
	if (id.startsWith(`${DOMAINS_ID_PREFIX}_`)) return 'Domain lookup';
	return kind === 'grant' && id === INITIAL_GRANT_ID ? 'Starting credits' : KINDS[kind];
}

function What({ line: { entry, name } }: { readonly line: CreditLine }) {
	const { kind, id, reserved, released } = entry;
	const purchase = readPurchaseLine(id);
	if (purchase !== null) {
		return (
			<a href={`/dashboard/credits/purchases/${purchase.purchaseId}`}>
				{PURCHASE_WORDS[purchase.what](plural(Math.abs(entry.credits), 'credit'))}
			</a>
		);
	}
	const words = name === null ? wordsOf(entry) : `${KINDS[kind]}: ${name}`;
	return (
		<>
			{isJobNoun(kind) ? <a href={`/dashboard/${kind}s/${id}`}>{words}</a> : words}
			{reserved > 0 && (
				<>
					{' '}
					<Tag tone="accent">{count(reserved)} still reserved</Tag>
				</>
			)}
			{released > 0 && (
				<span class="small quiet block">{count(released)} released, because the work was not done</span>
			)}
		</>
	);
}
