import { VERIFIED_COLUMN } from '../../../core/upload/columns.ts';
import type { ColumnFacts } from '../../../core/upload/columns.ts';
import type { Row } from '../../../core/upload/row-reader.ts';
import type { UploadPreview } from '../../../operations/uploads/uploads.ts';
import { count, list, plural } from '../../format.ts';
import { share } from '../../../lib/share.ts';
import { Section } from '../../layout.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox, Select } from '../../parts/form.tsx';
import { Cut, Mono, Table } from '../../parts/table.tsx';
import type { Column } from '../../parts/table.tsx';

// One form for all that is asked: a new preview keeps what was said beside it.
export const START = 'start';

interface Previewed {
	readonly preview: UploadPreview;
}

export function addressOf({ upload }: UploadPreview): string {
	return `/dashboard/lists/uploads/${upload.uploadId}`;
}

/** How the file is read, and its first rows. */
export function Columns({ preview }: Previewed) {
	const renews = `${addressOf(preview)}/preview`;
	return (
		<Section title="How we read the file">
			<div class="stack">
				<div class={preview.upload.sheets === undefined ? undefined : 'inline-form'}>
					<Sheets preview={preview} />
					<Checkbox
						name="names"
						form={START}
						label="The first row has column names"
						checked={preview.choice.hasHeader}
						renews={renews}
					/>
					<div class="without-script">
						<Button kind="quiet" form={START} action={renews}>
							Update preview
						</Button>
					</div>
				</div>
				<FirstRows preview={preview} />
				<Further preview={preview} />
			</div>
		</Section>
	);
}

/** The sheets of a workbook. Renders nothing if there is one at most. */
function Sheets({ preview }: Previewed) {
	const { sheets, perSheet, sheet } = preview.upload;
	if (sheets === undefined) return null;
	return (
		<Select
			name="sheet"
			form={START}
			label="Sheet"
			value={String(sheet)}
			options={sheets.map((name, index) => ({
				value: String(index),
				label: `${name}${inBrackets(perSheet?.[index])}`,
			}))}
			renews={`${addressOf(preview)}/preview`}
		/>
	);
}

/** ` (1,485 addresses)`; nothing for a sheet that was not read. */
function inBrackets(addresses: number | null | undefined): string {
	if (addresses === null || addresses === undefined) return '';
	return addresses === 0 ? ' (no addresses)' : ` (${plural(addresses, 'address', 'addresses')})`;
}

/** Which sheet of a workbook is the list, and what the others hold. */
export function ChosenSheet({ preview }: Previewed) {
	const { sheets, perSheet = [], sheet } = preview.upload;
	if (sheets === undefined) return null;
	const others = sheets.flatMap((name, index) => {
		const held = inBrackets(perSheet[index]);
		return index === sheet || held === '' ? [] : [`“${name}”${held}`];
	});
	const unread = sheets.length - 1 - others.length;
	const all = [...others, ...(unread > 0 ? [`${unread} that we did not read`] : [])];
	return (
		<p>
			From the sheet <strong>“{sheets[sheet ?? 0]}”</strong>
			{inBrackets(perSheet[sheet ?? 0])}. <span class="quiet">Other sheets: {list(all)}.</span>
		</p>
	);
}

/** Boxes for columns to verify beside the chosen one. Renders nothing if no other column holds addresses. */
function Further({ preview }: Previewed) {
	const [main = 0, ...others] = preview.choice.columns;
	const more = preview.upload.inspection.columns
		.map((facts, index) => ({ ...facts, index }))
		.filter(({ index, addressShare }) => index !== main && addressShare > 0);
	if (more.length === 0) return null;
	return (
		<fieldset class="field check-group">
			<legend>Verify these columns too</legend>
			{more.map(({ index, ...facts }) => (
				<Checkbox
					name={`also_${index}`}
					form={START}
					label={inWords(facts)}
					checked={others.includes(index)}
					renews={`${addressOf(preview)}/preview`}
				/>
			))}
			<p class="hint">Each address gets a row of its own, with the other columns of its row beside it.</p>
		</fieldset>
	);
}

function inWords({ name, filled, addressShare }: ColumnFacts): string {
	const held =
		addressShare === 0 ? 'no addresses' : `${plural(filled, 'cell')}, ${share(addressShare, 1)} addresses`;
	return `${name} (${held})`;
}

function FirstRows({ preview }: Previewed) {
	const { choice, firstRows, rowChoice, upload } = preview;
	const named = upload.inspection.columns.map(({ name }, index) =>
		choice.hasHeader ? name : `Column ${index + 1}`,
	);
	const isSpread = choice.columns.length > 1;
	const file = named.map((head, index): Column<Row> => {
		const at = isSpread ? index + 1 : index;
		const isChosen = choice.columns.includes(index);
		const textOf = ({ cells }: Row): string => cells[at] ?? '';
		return {
			head,
			headAs: <ColumnHead preview={preview} name={head} index={index} />,
			width: isChosen && !isSpread ? widthOf(firstRows.map(textOf)) : 128,
			class: isChosen ? (isSpread ? 'chosen' : 'chosen verified') : undefined,
			cell: (row) =>
				isChosen && !isSpread ? <Mono text={textOf(row)} /> : <Cut text={textOf(row)} mono={isChosen} />,
		};
	});
	const verified: Column<Row> = {
		head: VERIFIED_COLUMN,
		width: widthOf(firstRows.map(({ cells }) => cells[rowChoice.column] ?? '')),
		class: 'verified',
		cell: ({ cells }) => <Mono text={cells[rowChoice.column] ?? ''} />,
	};
	return (
		<>
			<p class="quiet">Click a column’s head to verify that column instead.</p>
			<Table
				caption="First rows of the file"
				class="table-file"
				asIs
				rows={firstRows}
				empty={
					<>
						<p class="quiet">The file holds no rows of data.</p>
						<input type="hidden" name="column" form={START} value={String(choice.columns[0])} />
					</>
				}
				columns={[
					{ head: 'Row', names: true, align: 'right', width: 56, cell: ({ number }) => count(number) },
					...(isSpread ? [verified] : []),
					...file,
				]}
			/>
		</>
	);
}

/** The head of a column of the file: it chooses the column. */
function ColumnHead(props: {
	readonly preview: UploadPreview;
	readonly name: string;
	readonly index: number;
}) {
	const { preview, name, index } = props;
	return (
		<label class="column-head">
			<input
				type="radio"
				name="column"
				form={START}
				value={String(index)}
				checked={preview.choice.columns[0] === index}
				data-renews={`${addressOf(preview)}/preview`}
			/>
			<Cut text={name} />
		</label>
	);
}

const LETTER = 8;

/** The room for a column's longest text, in pixels, within limits. */
function widthOf(texts: readonly string[]): number {
	const longest = Math.max(0, ...texts.map(({ length }) => length));
	return Math.min(320, Math.max(160, 32 + LETTER * longest));
}
