import type { Evidence } from '../../../core/verification/evidence.ts';
import type { JobRecord } from '../../../operations/jobs/port.ts';
import { change } from '../../format.ts';
import { DashboardPage } from '../../layout.tsx';
import { listHref, rowHref } from '../../list-query.ts';
import type { ListQuery } from '../../list-query.ts';
import { ButtonLink, CopyButton } from '../../parts/button.tsx';
import { KEPT_OF_A_LIST } from '../../parts/conversation.tsx';
import { nameOf } from '../../parts/jobs-table.tsx';
import { ResultCard } from '../../parts/result-card.tsx';
import type { View } from '../../view.ts';
import type { ShownRow } from './job-results.tsx';

export interface RowProps {
	readonly view: View;
	readonly job: JobRecord;
	readonly row: ShownRow & { readonly evidence: readonly Evidence[] };
	/** The rows that the person comes from. */
	readonly query: ListQuery;
}

/** One row of a list: the answer in full. A script shows its panel beside the rows; without one it is a page. */
export function RowPage({ view, job, row, query }: RowProps) {
	const { index, listEffect = 0, ...result } = row;
	const neighbours = [
		{ rel: 'prev', word: 'Previous', to: index - 1 },
		{ rel: 'next', word: 'Next', to: index + 1 },
	].filter(({ to }) => to >= 0 && to < job.accepted);
	return (
		<DashboardPage
			view={view}
			place="Lists"
			title={result.email}
			up={{ name: nameOf(job), href: listHref(job.jobId, query) }}
			islands={['copy', 'rows']}
		>
			<div class="stack" data-panel>
				<ResultCard
					result={result}
					charged={null}
					breakdown={null}
					evidenceNote={KEPT_OF_A_LIST}
					hrefOf={verifyHref}
				/>
				{listEffect !== 0 && (
					<p class="quiet">
						{change(listEffect)} {Math.abs(listEffect) === 1 ? 'point' : 'points'} of the score come from the
						list’s other addresses at this domain. An address that is verified alone has no list to compare
						with.
					</p>
				)}
				<div class="spread">
					<div class="actions">
						<ButtonLink kind="quiet" href={verifyHref(result.email)}>
							Ask again
						</ButtonLink>
						<CopyButton of="answer-address" what="the address" />
					</div>
					<nav class="actions" aria-label="Rows">
						{neighbours.map(({ rel, word, to }) => (
							<a class="button button-quiet" rel={rel} href={rowHref(job.jobId, to, query)}>
								{word}
							</a>
						))}
					</nav>
				</div>
			</div>
		</DashboardPage>
	);
}

/** The page that verifies an address, with its price; nothing is asked before the person says so. */
function verifyHref(email: string): string {
	return `/dashboard/verify?email=${encodeURIComponent(email)}`;
}
