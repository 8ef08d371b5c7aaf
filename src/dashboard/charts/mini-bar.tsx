import type { JobRecord } from '../../operations/jobs/port.ts';
import { STATUSES } from '../../core/verification/sub-status.ts';
import { count } from '../format.ts';
import { STATUS_WORDS } from '../parts/badge.tsx';
import { percent } from './axis.tsx';

/** The outcomes of a list as one thin bar. Rows without an answer stay empty. */
export function MiniBar({ job }: { readonly job: Pick<JobRecord, 'counts' | 'accepted'> }) {
	const { counts, accepted } = job;
	const total = Math.max(1, accepted);
	const words = STATUSES.map((status) => `${count(counts[status])} ${STATUS_WORDS[status].toLowerCase()}`);
	let before = 0;
	return (
		<div class="bar mini-bar">
			<svg width="100%" height="8" role="img" aria-label={words.join(', ')}>
				<title>{words.join(', ')}</title>
				<rect class="fill-pending" width="100%" height="8" />
				{STATUSES.map((status) => {
					const value = counts[status];
					if (value === 0) return null;
					const x = percent(before, total);
					before += value;
					return <rect class={`fill-${status}`} x={x} width={percent(value, total)} height="8" />;
				})}
			</svg>
		</div>
	);
}
