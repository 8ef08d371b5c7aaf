import { PRICE } from '../../../core/credits/price.ts';
import { LONG_MINUTES } from '../../../core/jobs/estimate.ts';
import { fullerColumn } from '../../../core/upload/columns.ts';
import type { UploadPreview } from '../../../operations/uploads/uploads.ts';
import { count, list, plural, span } from '../../format.ts';
import { DashboardPage, Section } from '../../layout.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox, Field, Form } from '../../parts/form.tsx';
import { breakable } from '../../parts/table.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Stats, Time } from '../../parts/figures.tsx';
import { choiceShown } from '../../read-upload.ts';
import type { View } from '../../view.ts';
import { addressOf, ChosenSheet, Columns, START } from './list-columns.tsx';

export interface ListPreviewProps {
	readonly view: View;
	readonly preview: UploadPreview;
	/** Credits that can be spent. */
	readonly available: number;
	readonly name: string;
	/** Whether catch-all addresses are to be resolved as well. */
	readonly rescuesCatchAll: boolean;
	/** Whether the person wants a mail when the list is done. */
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
			islands={['live']}
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
			<p id="live-says" class="unseen" role="status" />
			<Section title="What will be verified">
				<div class="stack-wide" data-says={inShort(preview)}>
					<Doubts preview={preview} />
					{(upload.sheets !== undefined || preview.several.rows > 0) && (
						<div class="stack-small">
							<ChosenSheet preview={preview} />
							<Several preview={preview} />
						</div>
					)}
					<Stats
						stats={[
							{
								label: 'Addresses',
								value: counts.addresses,
								note: `verified, ${plural(PRICE.verification, 'credit')} each`,
							},
							{ label: 'Malformed', value: counts.malformed, note: 'left out, free' },
							{ label: 'Repeated', value: counts.duplicates, note: 'get the same answer, free' },
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

/** For a screen reader, after a change. */
function inShort({ counts, credits }: UploadPreview): string {
	return `${plural(counts.addresses, 'address', 'addresses')}, at most ${plural(credits, 'credit')}`;
}

/** Reasons to think that another column was meant. */
function Doubts({ preview }: Pick<ListPreviewProps, 'preview'>) {
	const { counts, choice, upload } = preview;
	const { columns } = upload.inspection;
	const name = (index: number): string => `“${columns[index]?.name ?? ''}”`;
	const chosen = choice.columns.map(name).join(', ');
	const fuller = fullerColumn(columns, choice.columns, counts.rows - counts.empty);
	// A list's own repeats are fewer than its addresses.
	const repeats = counts.duplicates > counts.addresses && counts.duplicates >= REPEATS_MIN;
	if (fuller === null && !repeats) return null;
	return (
		<Notice kind="warning" title="Is this the right column?">
			{fuller !== null && (
				<>
					<p>
						{plural(counts.empty, 'row has', 'rows have')} no address in {chosen}. {name(fuller)} is filled in{' '}
						{plural(columns[fuller]?.filled ?? 0, 'row')}.
					</p>
					<Button
						kind="quiet"
						size="small"
						form={START}
						name="pick"
						value={String(fuller)}
						action={`${addressOf(preview)}/preview`}
					>
						Use {name(fuller)}
					</Button>
				</>
			)}
			{repeats && (
				<p>
					{chosen} holds only {plural(counts.addresses, 'different address', 'different addresses')} in{' '}
					{plural(counts.rows, 'row')}, as a column of account managers does.
				</p>
			)}
		</Notice>
	);
}

const REPEATS_MIN = 10;

/** Rows of which only the first address is verified. */
function Several({ preview }: Pick<ListPreviewProps, 'preview'>) {
	const { rows, first } = preview.several;
	if (rows === 0) return null;
	return (
		<p>
			{plural(rows, 'row has', 'rows have')} more than one address.{' '}
			<span class="quiet">
				We verify the first of {rows === 1 ? `row ${count(first)}` : `each, as in row ${count(first)}`}.
			</span>
		</p>
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

/** The choices for the list, and beside them the price. */
function Start(props: ListPreviewProps) {
	const { view, preview } = props;
	const address = addressOf(preview);
	return (
		<>
			<Form view={view} action={address} layout="plain" id={START}>
				<div class="start-form">
					<input
						type="hidden"
						name="shown"
						value={choiceShown({ ...preview.choice, sheet: preview.upload.sheet })}
					/>
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
				<Checkbox
					name="rescue"
					label="Score addresses at accept-all domains (recommended)"
					checked={rescuesCatchAll}
				/>
				<p class="hint">
					Some domains accept every address. Each of theirs gets a score and a verdict, for the same{' '}
					{plural(PRICE.verification, 'credit')}, and for nothing where it stays unknown. Otherwise they are
					listed as risky.
				</p>
			</div>
			<div class="field">
				<Checkbox
					name="mailbox"
					label="Count each mailbox once"
					checked={preview.choice.byMailbox}
					renews={`${addressOf(preview)}/preview`}
				/>
				<p class="hint">
					Spellings such as j.doe+x@gmail.com and jdoe@gmail.com are one mailbox. It is verified once, and
					every row keeps its answer.
				</p>
			</div>
			<div class="field">
				<Checkbox name="mail" label="Email me when it is done" checked={mailWhenDone} />
				{preview.leastMinutes > LONG_MINUTES && (
					<p class="hint">
						This takes at least {span(preview.leastMinutes * 60_000)}: large providers limit how many
						questions we may ask a minute.
					</p>
				)}
			</div>
		</div>
	);
}

function Cost({ preview, available }: ListPreviewProps) {
	const { credits, untold } = preview;
	const { addresses } = preview.counts;
	const tooDear = credits > available;
	return (
		<div class="stack">
			<p>
				Costs at most <strong>{plural(credits, 'credit')}</strong>; you have {count(available)}. Unknown
				answers are refunded.
			</p>
			{untold.addresses > 0 && (
				<p>
					{plural(untold.addresses, 'address', 'addresses')} at {list(untold.providers)} will be unknown and
					free: every address is accepted there, whether the mailbox exists or not.
				</p>
			)}
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
				Cancel deletes the file. If you leave instead, it waits under Lists for 24 hours.
			</p>
		</div>
	);
}
