import type { ListedAddress } from '../../catchall/list/list-facts.ts';
import { PRICE } from '../../credits/price.ts';
import { statusOf } from '../../verification/sub-status.ts';
import type { FinalRow, RowCounts } from '../stored-row.ts';
import type { Kind, Summary } from './kind.ts';

/** The verification of a list. */
export const bulk = {
	noun: 'job',
	onPages: { noun: 'list', title: 'List' },
	idPrefix: 'job',
	price: PRICE.verification,
	queue: 'VERIFY_QUEUE',
	events: { completed: 'job.completed', failed: 'job.failed' },
	keyPrefix: '',
	mayBeEmpty: false,
	isDeep: false,
	// A row is some 120 characters long, so a pass takes 6 MB.
	rowsPerPass: 50_000,
	summarise: summariseList,
} as const satisfies Kind;

/** Keeps facts about the whole list for a later catch-all task; a list without catch-all addresses needs none. */
function summariseList(counts: RowCounts): Summary {
	const listed: ListedAddress[] = [];
	return {
		see: (row) => {
			if (counts.catchAll > 0) listed.push(listedAs(row));
		},
		texts: async () => {
			if (listed.length === 0) return [];
			// It brings the dictionary of names, which a start of the API does not read.
			const { planListFacts } = await import('../../catchall/list/list-facts.ts');
			return [{ name: 'facts', text: JSON.stringify(planListFacts(listed)) }];
		},
	};
}

function listedAs([, email, subStatus, , catchAll]: FinalRow): ListedAddress {
	return { email, status: statusOf(subStatus), catchAll: catchAll === true };
}
