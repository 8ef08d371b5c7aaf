import { PRICE } from '../../core/credits/price.ts';
import type { Row } from '../../core/upload/row-reader.ts';
import type { UploadPreview } from '../../operations/uploads/preview-upload.ts';
import { count, plural, share } from '../format.ts';
import { DashboardPage, Section } from '../layout.tsx';
import { Button } from '../parts/button.tsx';
import { Checkbox, Field, Form, Select } from '../parts/form.tsx';
import { Cut, breakable } from '../parts/long-text.tsx';
import { Notice } from '../parts/notice.tsx';
import { Stats, Time } from '../parts/figures.tsx';
import { Table } from '../parts/table.tsx';
import type { Column } from '../parts/table.tsx';
import type { View } from '../view.ts';

export interface ListPreviewProps {
	readonly view: View;
	readonly preview: UploadPreview;
	/** Credits that can be spent. */
	readonly available: number;
	readonly name: string;
	/** Whether catch-all addresses are to be resolved as well. */
	readonly rescuesCatchAll: boolean;
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
					{plural(counts.rows, 'row')}. Uploaded <Time at={upload.stagedAt} now={view.now} />, nothing is
					charged yet.
				</>
			}
		>
			{error !== null && (
				<Notice kind="failed" announce title="The list was not started">
					<p>{error}</p>
				</Notice>
			)}
			{upload.inspection.oddQuoteRow !== null && (
				<Notice kind="warning" title={`Look at row ${count(upload.inspection.oddQuoteRow)}`}>
					<p>A quotation mark stands where none may be, so some rows may have run into one another.</p>
				</Notice>
			)}
			<Section title="What will be verified">
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
			</Section>
			<Columns {...props} />
			{preview.malformedRows.length > 0 && <Malformed preview={preview} />}
			<Start {...props} />
		</DashboardPage>
	);
}

function Columns({ preview }: ListPreviewProps) {
	const { columns } = preview.upload.inspection;
	const { column, hasHeader } = preview.choice;
	return (
		<Section title="The file as we read it">
			<div class="stack">
				<form method="get" class="inline-form">
					<Select
						name="column"
						label="Addresses are in"
						value={String(column)}
						options={columns.map(({ name, filled, addressShare }, index) => ({
							value: String(index),
							label: `${name} (${
								addressShare === 0
									? 'no addresses'
									: `${plural(filled, 'cell')}, ${share(addressShare, 1)} addresses`
							})`,
						}))}
					/>
					<input type="hidden" name="chosen" value="yes" />
					<Checkbox name="header" label="The first row holds names of columns" checked={hasHeader} />
					<Button kind="quiet">Read again</Button>
				</form>
				<FirstRows preview={preview} />
			</div>
		</Section>
	);
}

function FirstRows({ preview }: { readonly preview: UploadPreview }) {
	const { choice, firstRows, upload } = preview;
	const columns = upload.inspection.columns.map(({ name }, index): Column<Row> => ({
		head: choice.hasHeader ? name : `Column ${index + 1}`,
		width: 128,
		class: index === choice.column ? 'chosen' : undefined,
		phone: index === choice.column,
		cell: ({ cells }) => <Cut text={cells[index] ?? ''} mono={index === choice.column} />,
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

function Malformed({ preview }: { readonly preview: UploadPreview }) {
	const more = preview.counts.malformed - preview.malformedRows.length;
	return (
		<Section title="Left out as malformed">
			<ul class="plain-list">
				{preview.malformedRows.map(({ number, text, reason }) => (
					<li>
						Row {count(number)}: <code>{breakable(text)}</code> <span class="quiet">{reason}</span>
					</li>
				))}
				{more > 0 && <li class="quiet">and {count(more)} more</li>}
			</ul>
		</Section>
	);
}

function Start({ view, preview, available, name, rescuesCatchAll }: ListPreviewProps) {
	const { upload, credits } = preview;
	const { addresses } = preview.counts;
	const tooDear = credits > available;
	const address = `/dashboard/lists/uploads/${upload.uploadId}`;
	return (
		<Section title="Start">
			<Form view={view} action={address} layout="narrow">
				<input type="hidden" name="column" value={String(preview.choice.column)} />
				{preview.choice.hasHeader && <input type="hidden" name="header" value="yes" />}
				<Field
					name="name"
					label="Name of the list"
					value={name}
					hint="What you will find it by."
					maxlength={255}
					autocomplete="off"
				/>
				<div class="field">
					<Checkbox name="rescue" label="Resolve catch-all addresses as well" checked={rescuesCatchAll} />
					<p class="hint">
						Some domains accept every address. With the deeper check each of their addresses gets a score and
						a verdict, at no extra cost: {plural(PRICE.verification, 'credit')} where it is resolved, nothing
						where it stays unknown. Without it they are listed as risky, for{' '}
						{plural(PRICE.verification, 'credit')} each.
					</p>
				</div>
				<p>
					Costs at most <strong>{plural(credits, 'credit')}</strong> of {count(available)} available. Each
					answer that turns out unknown is refunded.
				</p>
				{tooDear && (
					<Notice kind="warning">
						<p>
							{plural(credits - available, 'credit is', 'credits are')} missing.{' '}
							<a href="/dashboard/credits/add">Add credits</a>, or take a smaller file.
						</p>
					</Notice>
				)}
				<div class="actions">
					<Button disabled={tooDear || addresses === 0}>
						{addresses === 0 ? 'Nothing to verify' : `Verify ${plural(addresses, 'address', 'addresses')}`}
					</Button>
					<Button kind="quiet" form="discard">
						Discard file
					</Button>
				</div>
			</Form>
			<Form view={view} action={`${address}/discard`} layout="plain" id="discard" />
		</Section>
	);
}
