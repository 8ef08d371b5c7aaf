import type { Pagination } from '../../core/jobs/pages.ts';
import { HISTORY_WORDS, SEEN_WORDS } from '../../core/verification/history.ts';
import type { ShownVerification } from '../../operations/verify/history-port.ts';
import { plural } from '../format.ts';
import { Section } from '../layout.tsx';
import type { View } from '../view.ts';
import { StatusBadge } from './badge.tsx';
import { Time } from './figures.tsx';
import { Empty, Mono, Pages, Table } from './table.tsx';
import type { Column } from './table.tsx';
import { Button } from './button.tsx';
import { Form } from './form.tsx';

export interface ShownHistory {
	readonly isKept: boolean;
	readonly verifications: readonly ShownVerification[];
	readonly pagination: Pagination;
}

/** The answers of the last two days at the dashboard, each a link to the whole of it. */
export function VerificationHistory(props: {
	readonly view: View;
	readonly history: ShownHistory;
	/** The id of the one that is shown above. */
	readonly current: string | null;
}) {
	const { view, history, current } = props;
	const { isKept, verifications, pagination } = history;
	return (
		<Section
			title="History"
			aside={
				<span class="quiet">
					{isKept ? `Kept for ${HISTORY_WORDS}` : 'Off'} · <a href="/dashboard/settings#history">Settings</a>
				</span>
			}
		>
			<Table
				caption="Verified addresses"
				rows={verifications}
				columns={columnsOf(view, current)}
				empty={
					isKept ? (
						<Empty
							title="No verifications yet"
							text={`We list the addresses that you verify on this page for ${HISTORY_WORDS}. Calls with an API key are not listed.`}
						/>
					) : (
						<Empty
							title="The history is off"
							text={`We show each answer for ${SEEN_WORDS}, then delete it.`}
						/>
					)
				}
			/>
			<Pages
				pagination={pagination}
				things="addresses"
				hrefOf={(page) => `/dashboard/verify?page=${page}#history`}
			/>
		</Section>
	);
}

/** The newest answers at the dashboard. Renders nothing if there are none. */
export function RecentVerifications(props: {
	readonly view: View;
	readonly verifications: readonly ShownVerification[];
}) {
	const { view, verifications } = props;
	if (verifications.length === 0) return null;
	return (
		<Section title="Recent verifications" aside={<a href="/dashboard/verify#history">All verifications</a>}>
			<Table
				caption="Recent verifications"
				rows={verifications}
				columns={columnsOf(view, null)}
				empty={null}
			/>
		</Section>
	);
}

function columnsOf(view: View, current: string | null): readonly Column<ShownVerification>[] {
	return [
		{
			head: 'Address',
			names: true,
			width: 184,
			cell: ({ id, email }) => (
				<a href={`/dashboard/verify/${id}`} aria-current={id === current ? 'page' : undefined}>
					<Mono text={email} />
				</a>
			),
		},
		{
			head: 'Status',
			width: 132,
			phone: true,
			cell: (one) => onAnswer(one, ({ result }) => <StatusBadge status={result.status} />),
		},
		{
			head: 'Score',
			align: 'right',
			width: 64,
			cell: (one) => onAnswer(one, ({ result }) => result.deliverability_score),
		},
		{
			head: 'Cost',
			align: 'right',
			width: 88,
			cell: (one) => onAnswer(one, ({ charged }) => (charged === 0 ? 'Nothing' : plural(charged, 'credit'))),
		},
		{ head: 'When', width: 112, cell: ({ at }) => <Time at={at} now={view.now} /> },
	];
}

type Answer = Extract<ShownVerification['state'], { kind: 'answered' }>['answer'];

function onAnswer<T>({ state }: ShownVerification, cell: (answer: Answer) => T): T | null {
	return state.kind === 'answered' ? cell(state.answer) : null;
}

/** Switches the history of single verifications on or off, for everybody in the account. */
export function HistorySetting({
	view,
	keepsHistory,
}: {
	readonly view: View;
	readonly keepsHistory: boolean;
}) {
	return (
		<Section title="History">
			<Form view={view} action="/dashboard/settings/history" layout="narrow">
				<input type="hidden" name="keep" value={keepsHistory ? 'no' : 'yes'} />
				<p>
					{keepsHistory
						? `The Verify page lists the addresses that you verify there for ${HISTORY_WORDS}. Calls with an API key are never listed.`
						: `The history is off. We show each answer for ${SEEN_WORDS}, then delete it.`}
				</p>
				<div class="actions">
					<Button kind="quiet">
						{keepsHistory ? 'Turn off and delete the history' : 'Turn on the history'}
					</Button>
				</div>
			</Form>
		</Section>
	);
}
