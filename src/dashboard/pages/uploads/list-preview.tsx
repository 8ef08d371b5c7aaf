import { PRICE } from '../../../core/credits/price.ts';
import { LONG_MS } from '../../../core/jobs/estimate.ts';
import { VERIFIED_COLUMN } from '../../../core/upload/columns.ts';
import type { ColumnFacts } from '../../../core/upload/columns.ts';
import type { Row } from '../../../core/upload/row-reader.ts';
import type { UploadPreview } from '../../../operations/uploads/uploads.ts';
import { count, plural, share, span } from '../../format.ts';
import { DashboardPage, Section } from '../../layout.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox, Field, Form, Select } from '../../parts/form.tsx';
import { breakable, Cut, Table } from '../../parts/table.tsx';
import type { Column } from '../../parts/table.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Stats, Time } from '../../parts/figures.tsx';
import type { View } from '../../view.ts';

export interface ListPreviewProps {
	readonly view: View;
	readonly preview: UploadPreview;
	/** Credits that can be spent. */
	readonly available: number;
	readonly name: string;
	/** Whether catch-all addresses are to be resolved as well. */
	readonly rescuesCatchAll: boolean;
	/** Whether the person is to be told by mail when the list is done. */
	readonly mailWhenDone: boolean;
	readonly error: string | null;
}

/** The contents of an uploaded file, before anything is charged, and the button that starts the job. */
export function ListPreviewPage(props: ListPreviewProps) {
	const { view, preview, error } = props;
	const { upload, counts } = preview;
	return (
		<DashboardPage
			view={view}
			place="Lists"
			title={upload.fileName}
			up={{ name: 'Lists', href: '/dashboard/lists' }}
			lead={
				<>
					{plural(upload.inspection.rows, 'row')}. Uploaded <Time at={upload.stagedAt} now={view.now} />.
					Nothing has been charged yet.
				</>
			}
		>
			{error !== null && (
				<Notice kind="failed" announce title="The list was not started">
					<p>{error}</p>
				</Notice>
			)}
			{upload.inspection.oddQuoteRow !== null && (
				<Notice kind="warning" title={`Check row ${count(upload.inspection.oddQuoteRow)}`}>
					<p>It has a stray quotation mark, so some rows may have run together.</p>
				</Notice>
			)}
			<Section title="What will be verified">
				<div class="stack-wide">
					<Stats
						stats={[
							{
								label: 'Addresses',
								value: counts.addresses,
								note: `verified, ${plural(PRICE.verification, 'credit')} each`,
							},
							{ label: 'Repeated', value: counts.duplicates, note: 'get the same answer, free' },
							{ label: 'Malformed', value: counts.malformed, note: 'left out, free' },
							{ label: 'Without an address', value: counts.empty, note: 'left out, free' },
						]}
					/>
					<Start {...props} />
				</div>
			</Section>
			<Columns {...props} />
			{preview.malformedRows.length > 0 && <Malformed preview={preview} />}
		</DashboardPage>
	);
}

// One form for all that is asked: a new preview keeps what was said beside it.
const START = 'start';

function addressOf({ upload }: UploadPreview): string {
	return `/dashboard/lists/uploads/${upload.uploadId}`;
}

function Columns({ preview }: ListPreviewProps) {
	const { columns } = preview.upload.inspection;
	const [main = 0, ...others] = preview.choice.columns;
	const more = columns
		.map((facts, index) => ({ ...facts, index }))
		.filter(({ index, addressShare }) => index !== main && addressShare > 0);
	return (
		<Section title="How we read the file">
			<div class="stack">
				<Sheets preview={preview} />
				<div class={more.length > 0 ? 'form form-narrow' : 'inline-form'}>
					<Select
						name="column"
						form={START}
						label="Addresses are in"
						value={String(main)}
						options={columns.map((facts, index) => ({ value: String(index), label: inWords(facts) }))}
					/>
					{more.length > 0 && (
						<fieldset class="field check-group">
							<legend>Verify these columns as well</legend>
							{more.map(({ index, ...facts }) => (
								<Checkbox
									name={`also_${index}`}
									form={START}
									label={inWords(facts)}
									checked={others.includes(index)}
								/>
							))}
							<p class="hint">
								Each address gets a row with its own result, and the other columns of its row beside it.
							</p>
						</fieldset>
					)}
					<Checkbox
						name="names"
						form={START}
						label="The first row has column names"
						checked={preview.choice.hasHeader}
					/>
					<Button kind="quiet" form={START} action={`${addressOf(preview)}/preview`}>
						Update preview
					</Button>
				</div>
				<FirstRows preview={preview} />
			</div>
		</Section>
	);
}

/** The sheets of a workbook. Renders nothing if there is one at most. */
function Sheets({ preview }: Pick<ListPreviewProps, 'preview'>) {
	const { sheets, sheet } = preview.upload;
	if (sheets === undefined) return null;
	return (
		<div class="inline-form">
			<Select
				name="sheet"
				form={START}
				label="Sheet"
				value={String(sheet)}
				options={sheets.map((name, index) => ({ value: String(index), label: name }))}
			/>
			<Button kind="quiet" form={START} action={`${addressOf(preview)}/sheet`}>
				Read sheet
			</Button>
		</div>
	);
}

function inWords({ name, filled, addressShare }: ColumnFacts): string {
	const held =
		addressShare === 0 ? 'no addresses' : `${plural(filled, 'cell')}, ${share(addressShare, 1)} addresses`;
	return `${name} (${held})`;
}

function FirstRows({ preview }: { readonly preview: UploadPreview }) {
	const { choice, firstRows, rowChoice, upload } = preview;
	const named = upload.inspection.columns.map(({ name }, index) =>
		choice.hasHeader ? name : `Column ${index + 1}`,
	);
	const heads = choice.columns.length > 1 ? [VERIFIED_COLUMN, ...named] : named;
	const columns = heads.map((head, index): Column<Row> => ({
		head,
		width: 128,
		class: index === rowChoice.column ? 'chosen' : undefined,
		phone: index === rowChoice.column,
		cell: ({ cells }) => <Cut text={cells[index] ?? ''} mono={index === rowChoice.column} />,
	}));
	return (
		<Table
			caption="First rows of the file"
			class="table-file"
			asIs
			rows={firstRows}
			empty={<p class="quiet">The file holds no rows of data.</p>}
			columns={[
				{ head: 'Row', names: true, align: 'right', width: 56, cell: ({ number }) => count(number) },
				...columns,
			]}
		/>
	);
}

const MALFORMED_AT_ONCE = 5;

/** Every address that is left out, most of them folded away. */
function Malformed({ preview }: { readonly preview: UploadPreview }) {
	const { malformedRows, counts } = preview;
	const rest = malformedRows.slice(MALFORMED_AT_ONCE);
	const unseen = counts.malformed - malformedRows.length;
	return (
		<Section title="Left out as malformed">
			<div class="stack-small">
				<MalformedRows rows={malformedRows.slice(0, MALFORMED_AT_ONCE)} />
				{rest.length > 0 && (
					<details class="more">
						<summary>{`Show ${plural(rest.length, 'more row')}`}</summary>
						<MalformedRows rows={rest} />
						{unseen > 0 && (
							<p class="quiet">
								{`and ${count(unseen)} more, all of them in the downloaded file once the list is done`}
							</p>
						)}
					</details>
				)}
			</div>
		</Section>
	);
}

function MalformedRows({ rows }: { readonly rows: UploadPreview['malformedRows'] }) {
	return (
		<ul class="plain-list">
			{rows.map(({ number, text, reason }) => (
				<li>
					Row {count(number)}: <code>{breakable(text)}</code> <span class="quiet">– {reason}</span>
				</li>
			))}
		</ul>
	);
}

/** What to do with the list, and beside it what that costs. */
function Start(props: ListPreviewProps) {
	const { view, preview } = props;
	const address = addressOf(preview);
	return (
		<>
			<Form view={view} action={address} layout="plain" id={START}>
				<div class="start-form">
					<input type="hidden" name="columns" value={preview.choice.columns.join(',')} />
					{preview.choice.hasHeader && <input type="hidden" name="header" value="yes" />}
					<Options {...props} />
					<Cost {...props} />
				</div>
			</Form>
			<Form view={view} action={`${address}/discard`} layout="plain" id="discard" />
		</>
	);
}

function Options({ preview, name, rescuesCatchAll, mailWhenDone }: ListPreviewProps) {
	return (
		<div class="stack">
			<Field
				name="name"
				label="Name of the list"
				value={name}
				hint="You can rename it at any time."
				maxlength={255}
				autocomplete="off"
			/>
			<div class="field">
				<Checkbox name="rescue" label="Resolve catch-all addresses too" checked={rescuesCatchAll} />
				<p class="hint">
					Some domains accept every address. The deeper check gives each of their addresses a score and a
					verdict at no extra cost: {plural(PRICE.verification, 'credit')} where it is resolved, nothing where
					it stays unknown. Without it they are listed as risky, for {plural(PRICE.verification, 'credit')}{' '}
					each.
				</p>
			</div>
			<div class="field">
				<Checkbox name="mail" label="Email me when it is done" checked={mailWhenDone} />
				{preview.expectedMs > LONG_MS && (
					<p class="hint">
						It takes about {span(preview.expectedMs)} or longer: large providers limit how much we may ask a
						minute.
					</p>
				)}
			</div>
		</div>
	);
}

function Cost({ preview, available }: ListPreviewProps) {
	const { credits } = preview;
	const { addresses } = preview.counts;
	const tooDear = credits > available;
	return (
		<div class="stack">
			<p>
				Costs at most <strong>{plural(credits, 'credit')}</strong>; you have {count(available)}. Unknown
				answers are refunded.
			</p>
			{tooDear && (
				<Notice kind="warning">
					<p>
						You are {plural(credits - available, 'credit')} short.{' '}
						<a href="/dashboard/credits/add">Add credits</a>, or upload a smaller file.
					</p>
				</Notice>
			)}
			<div class="actions">
				<Button disabled={tooDear || addresses === 0}>
					{addresses === 0 ? 'Nothing to verify' : `Verify ${plural(addresses, 'address', 'addresses')}`}
				</Button>
				<Button kind="quiet" form="discard">
					Cancel
				</Button>
			</div>
			<p class="quiet small">
				Cancel deletes the uploaded file. If you just leave, it stays under Lists for 24 hours.
			</p>
		</div>
	);
}
