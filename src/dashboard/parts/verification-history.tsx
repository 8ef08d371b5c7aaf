import type { Pagination } from '../../core/jobs/pages.ts';
import { ANSWER_KEPT } from '../../core/jobs/retention.ts';
import type { AnsweredVerification } from '../../operations/verify/verify-for-owner.ts';
import { plural } from '../format.ts';
import { Section } from '../layout.tsx';
import type { View } from '../view.ts';
import { StatusBadge } from './badge.tsx';
import { Time } from './figures.tsx';
import { Empty, Mono, Pages, Table } from './table.tsx';
import type { Column } from './table.tsx';

export interface ShownHistory {
	readonly verifications: readonly AnsweredVerification[];
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
	const { verifications, pagination } = history;
	return (
		<Section title="History" aside={<span class="quiet">Kept for {ANSWER_KEPT}</span>}>
			<Table
				caption="Verified addresses"
				rows={verifications}
				columns={columnsOf(view, current)}
				empty={
					<Empty
						title="No verifications yet"
						text={`We list the addresses that you verify on this page for ${ANSWER_KEPT}. Calls with an API key are not listed.`}
					/>
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
	readonly verifications: readonly AnsweredVerification[];
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

function columnsOf(view: View, current: string | null): readonly Column<AnsweredVerification>[] {
	return [
		{
			head: 'Address',
			names: true,
			width: 184,
			cell: ({ id, answer }) => (
				<a href={`/dashboard/verify/${id}`} aria-current={id === current ? 'page' : undefined}>
					<Mono text={answer.result.email} />
				</a>
			),
		},
		{
			head: 'Status',
			width: 132,
			phone: true,
			cell: ({ answer }) => <StatusBadge status={answer.result.status} />,
		},
		{
			head: 'Score',
			align: 'right',
			width: 64,
			cell: ({ answer }) => answer.result.deliverability_score,
		},
		{
			head: 'Cost',
			align: 'right',
			width: 88,
			cell: ({ answer }) => (answer.charged === 0 ? 'Nothing' : plural(answer.charged, 'credit')),
		},
		{ head: 'When', width: 112, cell: ({ at }) => <Time at={at} now={view.now} /> },
	];
}
