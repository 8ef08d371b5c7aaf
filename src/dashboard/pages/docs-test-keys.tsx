import { ANSWERS, DEEDS, REFUSALS } from '../../core/test-keys/words.ts';
import { ERRORS } from '../../core/errors/error-table.ts';
import { statusOf } from '../../core/verification/sub-status.ts';
import { breakable } from '../parts/long-text.tsx';
import { Table } from '../parts/table.tsx';

interface Row {
	readonly word: string;
	readonly answer: string;
}

const ROWS: readonly Row[] = [
	...[...ANSWERS].map(([word, { subStatus, gateway }]) => ({
		word,
		answer: `${statusOf(subStatus)}, ${gateway === null ? subStatus : `gateway ${gateway}`}`,
	})),
	...Object.entries(DEEDS).map(([word, answer]) => ({ word, answer })),
	...Object.entries(REFUSALS).map(([word, code]) => ({ word, answer: `${ERRORS[code].status}, ${code}` })),
];

/** What test keys are, and what each word brings. */
export function TestKeys() {
	return (
		<div class="stack">
			<p>
				A key that begins with <code>ms_test_</code> asks no mail server and spends no credit: the word before
				the @ is the answer. All else is as with a live key: the same calls, windows, lists, tasks and errors.
				Make one under <a href="/dashboard/keys">API keys</a>. What it starts belongs to your test keys alone,
				and its balance is made up.
			</p>
			<p>
				Any domain will do, and so will a plus tag: <code>rejected_email+17@example.com</code> is a rejected
				address, one of as many as you like. Whatever has no meaning of its own is deliverable. In a list, an
				address of a catch-all domain is <code>catch_all</code>, as with a live key, and a task over it has
				the verdict that its word asks for.
			</p>
			<Table
				caption="Words of test keys"
				rows={ROWS}
				empty={null}
				columns={[
					{ head: 'Word', names: true, width: 160, cell: ({ word }) => <code>{breakable(word)}</code> },
					{ head: 'Answer', width: 296, cell: ({ answer }) => answer },
				]}
			/>
		</div>
	);
}
