import { expect, test } from 'vitest';
import { Table } from '../../../src/dashboard/parts/table.tsx';
import type { Column } from '../../../src/dashboard/parts/table.tsx';
import { htmlOf } from '../../support/dashboard/pages.tsx';

interface Row {
	readonly name: string;
	readonly score: number;
}

const ROWS: readonly Row[] = [
	{ name: 'Ada', score: 97 },
	{ name: 'Grace', score: 50 },
];
const NAME: Column<Row> = { head: 'Name', names: true, width: 200, cell: ({ name }) => name };
const SCORE: Column<Row> = { head: 'Score', width: 80, class: 'num', cell: ({ score }) => score };

const drawn = (columns: readonly Column<Row>[], rows = ROWS) =>
	htmlOf(<Table caption="People" columns={() => columns} rows={rows} empty={['Nobody', 'Yet.']} />);

test('a table without rows is what it will be', async () => {
	const html = await drawn([NAME], []);
	expect(html).toContain('Nobody');
	expect(html).not.toContain('<table');
});

test('columns for phones stay, with the name of the row and what can be done with it; others leave', async () => {
	const html = await htmlOf(
		<Table
			caption="People"
			rows={ROWS}
			columns={(_, actions) => [
				NAME,
				{ ...SCORE, phone: true },
				{ ...SCORE, head: 'Rank' },
				actions(88, ({ name }) => <button type="button">Remove {name}</button>),
			]}
		/>,
	);
	expect(html).toContain('class="table table-phone"');
	// Its column, its head and a cell in each row.
	expect(html.match(/wide-only/g)).toHaveLength(2 + ROWS.length);
	expect(html).toMatch(/<th[^>]*class="num wide-only"[^>]*>Rank/);
	expect(html).toContain('Remove Ada</button>');
});

test.each([
	[328, false],
	[329, true],
])('a table of %i px can be scrolled by keyboard: %s', async (width, isReachable) => {
	const html = await drawn([{ ...NAME, width }]);
	expect(html.includes('tabindex="0" role="group" aria-label="People"')).toBe(isReachable);
});
