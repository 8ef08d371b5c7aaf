import { PRICE } from '../../core/credits/price.ts';
import { LONG_MINUTES } from '../../core/jobs/estimate.ts';
import { addressesIn } from '../../core/upload/inspect.ts';
import type { Row } from '../../core/upload/text.ts';
import { ServiceError } from '../../errors.ts';
import { finished } from '../../lib/log.ts';
import { discardUpload, previewUpload, startUpload } from '../../operations/uploads/uploads.ts';
import type { UploadPreview } from '../../operations/uploads/uploads.ts';
import type { PageContext, Visit } from '../view.ts';
import { form, hidden, tick } from '../form.tsx';
import { count, list, plural, span } from '../format.ts';
import { Section } from '../layout.tsx';
import { PageError, suspended, refuseTooMany, leaveFlash } from '../view.ts';
import { Button, Notice } from '../parts/basic.tsx';
import { Time, breakable, Cut, Mono, Table } from '../parts/table.tsx';
import { Checkbox, Form as FormFrame } from '../parts/form.tsx';
import { Place } from '../place.tsx';

export interface DraftData {
	readonly preview: UploadPreview;
	/** Credits that can be spent. */
	readonly available: number;
}

/** The contents of an uploaded file, before anything is charged, and the button that starts its list. */
export const draftPage = new Place('/dashboard/lists/uploads/:uploadId', {
	nav: 'Lists',
	load: async (visit): Promise<DraftData | Response> => {
		const { c, services, account, own } = visit;
		await refuseMuch(visit);
		const reading = readingOf((name) => c.req.query(name));
		const wanted = { uploadId: visit.param('uploadId'), ...reading };
		const preview = await previewUpload(services, account, wanted).catch((error: unknown) => gone(c, error));
		if (preview instanceof Response) return preview;
		const { balance } = await own.show();
		return { preview, available: balance.availableCredits };
	},
	view: ({ preview, available }, { path, Page, Form }) => {
		const { upload, counts, malformedRows } = preview;
		return (
			<Page
				title={upload.fileName}
				lead={
					<>
						{plural(upload.inspection.rows, 'row')}. Uploaded <Time at={upload.stagedAt} />. Nothing has been
						charged yet.
					</>
				}
			>
				<Section title="What will be verified">
					<div class="stack-wide">
						<FormFrame action={path} layout="plain">
							<Start preview={preview} available={available} />
						</FormFrame>
						<Notes preview={preview} path={path} />
						<dl class="stats">
							{(
								[
									['Addresses', counts.addresses, `verified, ${plural(PRICE.verification, 'credit')} each`],
									['Malformed', counts.malformed, 'left out, free'],
									['Repeated', counts.duplicates, 'get the same answer, free'],
									['Without an address', counts.empty, 'left out, free'],
								] as const
							).map(([name, rows, meaning]) => (
								<div>
									<dt>{name}</dt>
									<dd class="figure">{count(rows)}</dd>
									<dd class="small quiet">{meaning}</dd>
								</div>
							))}
						</dl>
						<Form of="discard" />
					</div>
				</Section>
				<Columns preview={preview} path={path} />
				{malformedRows.length > 0 && <Malformed preview={preview} />}
			</Page>
		);
	},
	forms: {
		/** Starts what the preview showed: its column and header stand in the form. */
		start: form({
			at: '',
			button: 'Verify',
			fields: { column: hidden(), header: hidden(), mail: tick('Email me when it is done') },
			run: async (visit, { column, header, mail }) => {
				const { c, services, account, signedIn } = visit;
				if (signedIn.suspendedAt !== null) throw suspended();
				await refuseMuch(visit);
				const uploadId = visit.param('uploadId');
				const reading = readingOf((name) => ({ column, header })[name]);
				const starting = startUpload(services, account, { uploadId, ...reading, mailWhenDone: mail });
				// The list is started even if the person leaves in the meantime.
				c.executionCtx.waitUntil(finished(starting));
				try {
					return c.redirect(`/dashboard/jobs/${(await starting).jobId}`, 303);
				} catch (error) {
					if (!(error instanceof ServiceError && error.status <= 402)) return gone(c, error);
					leaveFlash(c, { kind: 'failed', text: error.message });
					const words = new URLSearchParams({ column, header });
					return c.redirect(`${c.req.path}?${words.toString()}`, 303);
				}
			},
		}),
		discard: form({
			button: 'Delete this file',
			kind: 'quiet',
			to: '/dashboard/lists',
			run: async ({ c, services, account, param }) => {
				const outcome = await discardUpload(services, account, { uploadId: param('uploadId') });
				if (outcome === 'discarded')
					leaveFlash(c, { kind: 'done', text: 'The file was deleted. Nothing was charged' });
				if (outcome === 'started')
					leaveFlash(c, { kind: 'info', text: 'You have already started this file. Find it under Lists' });
			},
		}),
	},
});

/** The way to read the file that a link or a form names; without one, we guess. */
function readingOf(value: (name: string) => string | undefined) {
	const [column = '', header] = [value('column'), value('header')];
	return {
		...(/^\d{1,4}$/.test(column) ? { column: Number(column) } : {}),
		...(header === 'yes' || header === 'no' ? { hasHeader: header === 'yes' } : {}),
	};
}

/** The upload was started, has expired or never existed: the page of all lists says so. */
function gone(c: PageContext, error: unknown): Response {
	if (!(error instanceof ServiceError) || error.status < 404 || error.status > 410) throw error;
	leaveFlash(c, { kind: 'info', text: error.message });
	return c.redirect('/dashboard/lists', 303);
}

/** Reading a whole file is work: an account may ask for so much an hour. */
async function refuseMuch(visit: Visit): Promise<void> {
	const refusal = await refuseTooMany(visit, 'read_upload');
	if (refusal !== null) throw new PageError(429, 'Too many attempts', refusal);
}

/** The name of a column, by its header or its place. */
function nameOf({ choice, upload }: UploadPreview, index: number): string {
	return choice.hasHeader ? (upload.inspection.columns[index]?.name ?? '') : `Column ${index + 1}`;
}

/** The address of the preview that reads another column, or the first row otherwise. */
function hrefOf({ choice }: UploadPreview, path: string, other: Partial<UploadPreview['choice']>): string {
	const { column, hasHeader } = { ...choice, ...other };
	return `${path}?column=${column}&header=${hasHeader ? 'yes' : 'no'}`;
}

/** The price, and the button that starts the list. */
function Start({ preview, available }: DraftData) {
	const { choice, counts, credits, leastMinutes, untold } = preview;
	const { addresses } = counts;
	const short = credits - available;
	return (
		<div class="stack">
			<input type="hidden" name="column" value={String(choice.column)} />
			<input type="hidden" name="header" value={choice.hasHeader ? 'yes' : 'no'} />
			<p>
				{plural(addresses, 'address', 'addresses')} in <strong>{nameOf(preview, choice.column)}</strong>, at
				most <strong>{plural(credits, 'credit')}</strong>; you have {count(available)}. Unknown answers are
				refunded.
			</p>
			{untold.addresses > 0 && (
				<p>
					{plural(untold.addresses, 'address', 'addresses')} at {list(untold.providers)} will be unknown and
					free: every address is accepted there, whether the mailbox exists or not.
				</p>
			)}
			{short > 0 && (
				<Notice kind="warning">
					You are {plural(short, 'credit')} short. <a href="/dashboard/credits/add">Add credits</a>, or upload
					a smaller file.
				</Notice>
			)}
			<div class="row">
				<Button disabled={short > 0 || addresses === 0}>
					{addresses === 0 ? 'Nothing to verify' : `Verify ${plural(addresses, 'address', 'addresses')}`}
				</Button>
				<Checkbox name="mail" label="Email me when it is done" checked={leastMinutes > LONG_MINUTES} />
			</div>
			{leastMinutes > LONG_MINUTES && (
				<p class="quiet">
					This takes at least {span(leastMinutes * 60_000)}: large providers limit how many questions we may
					ask a minute.
				</p>
			)}
		</div>
	);
}

interface Previewed extends Pick<DraftData, 'preview'> {
	readonly path: string;
}

/** Notes about the reading, each with what to do about it. */
function Notes({ preview, path }: Previewed) {
	const { choice, several, upload } = preview;
	const { columns, oddQuoteRow } = upload.inspection;
	const others = columns
		.map((facts, index) => ({ index, addresses: addressesIn(facts) }))
		.filter(({ index, addresses }) => index !== choice.column && addresses > 0);
	const [chosen, ...rest] = upload.sheets.toSorted((a, b) => Number(b.isChosen) - Number(a.isChosen));
	return (
		<div class="stack-small">
			{others.length > 0 && (
				<p>
					Verify another column instead:{' '}
					{others.map(({ index, addresses }, at) => (
						<>
							{at > 0 && ', '}
							<a href={hrefOf(preview, path, { column: index })}>{nameOf(preview, index)}</a>
							{` (${plural(addresses, 'address', 'addresses')})`}
						</>
					))}
					.
				</p>
			)}
			{chosen !== undefined && rest.length > 0 && (
				<p>
					From the sheet <strong>“{chosen.name}”</strong>
					{inBrackets(chosen.addresses)}.{' '}
					<span class="quiet">
						Not read: {list(rest.map(({ name, addresses }) => `“${name}”${inBrackets(addresses)}`))}. To
						verify one of them, save it as a file of its own.
					</span>
				</p>
			)}
			{several.rows > 0 && (
				<p>
					{plural(several.rows, 'row has', 'rows have')} more than one address.{' '}
					<span class="quiet">
						We verify the first of{' '}
						{several.rows === 1 ? `row ${count(several.first)}` : `each, as in row ${count(several.first)}`}.
					</span>
				</p>
			)}
			{oddQuoteRow !== null && (
				<Notice kind="warning" title={`Check row ${count(oddQuoteRow)}`}>
					It has a stray quotation mark, so some rows may have run together.
				</Notice>
			)}
		</div>
	);
}

/** ` (1,485 addresses)`; nothing for a sheet that was not read. */
function inBrackets(addresses: number | null): string {
	if (addresses === null) return '';
	return addresses === 0 ? ' (no addresses)' : ` (${plural(addresses, 'address', 'addresses')})`;
}

/** How the file is read, and its first rows: the head of a column chooses it. */
function Columns({ preview, path }: Previewed) {
	const { choice, firstRows, upload } = preview;
	return (
		<Section title="How we read the file">
			<div class="stack">
				<p class="quiet">
					{choice.hasHeader ? 'The first row has column names.' : 'The first row is data.'}{' '}
					<a href={hrefOf(preview, path, { hasHeader: !choice.hasHeader })}>
						{choice.hasHeader ? 'It is data' : 'It has column names'}
					</a>
					. Click a column’s head to verify that column instead.
				</p>
				<Table
					caption="First rows of the file"
					class="table-file"
					rows={firstRows}
					empty="The file holds no rows of data."
					columns={(column) => [
						column('Row', { width: 56, names: true, class: 'num' }, ({ number }) => count(number)),
						...upload.inspection.columns.map((_, index) => {
							const head = nameOf(preview, index);
							const name = <Cut text={head} />;
							const textOf = ({ cells }: Row): string => cells[index] ?? '';
							if (index === choice.column) {
								const looks = { width: widthOf(firstRows.map(textOf)), headAs: name, class: 'verified' };
								return column(head, looks, (row) => <Mono text={textOf(row)} />);
							}
							const chooses = (
								<a href={hrefOf(preview, path, { column: index })} title={`Verify “${head}” instead`}>
									{name}
								</a>
							);
							return column(head, { width: 128, headAs: chooses }, (row) => <Cut text={textOf(row)} />);
						}),
					]}
				/>
			</div>
		</Section>
	);
}

const LETTER = 8;

/** The room for a column's longest text, in pixels, within limits. */
function widthOf(texts: readonly string[]): number {
	const longest = Math.max(0, ...texts.map(({ length }) => length));
	return Math.min(320, Math.max(160, 32 + LETTER * longest));
}

const MALFORMED_AT_ONCE = 5;

/** Every address that is left out, most of them folded away. */
function Malformed({ preview: { malformedRows, counts } }: Pick<DraftData, 'preview'>) {
	const rest = malformedRows.slice(MALFORMED_AT_ONCE);
	const unseen = counts.malformed - malformedRows.length;
	const listed = (rows: typeof malformedRows) => (
		<ul class="plain-list">
			{rows.map(({ number, text, reason }) => (
				<li>
					Row {count(number)}: <code>{breakable(text)}</code> <span class="quiet">– {reason}</span>
				</li>
			))}
		</ul>
	);
	return (
		<Section title="Left out as malformed">
			{listed(malformedRows.slice(0, MALFORMED_AT_ONCE))}
			{rest.length > 0 && (
				<details class="more">
					<summary>{`Show ${plural(rest.length, 'more row')}`}</summary>
					{listed(rest)}
					{unseen > 0 &&
						`and ${count(unseen)} more, all of them in the downloaded file once the list is done`}
				</details>
			)}
		</Section>
	);
}
