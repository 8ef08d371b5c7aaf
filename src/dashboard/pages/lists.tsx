import { MaxFileSizeExceededError, parseMultipart } from '@remix-run/multipart-parser';
import type { MultipartPart } from '@remix-run/multipart-parser';
import { TOKEN_FIELD } from '../../core/identity/tokens.ts';
import { expectedEnd } from '../../core/jobs/estimate.ts';
import { paginate } from '../../core/jobs/pages.ts';
import { FILE_OCTETS_MAX, refusal } from '../../core/upload/file-kind.ts';
import type { Upload } from '../../core/upload/upload.ts';
import { Bar, partsOf } from '../parts/charts.tsx';
import { requireFormToken } from '../form.tsx';
import { count, minute, plural, span } from '../format.ts';
import { Section } from '../layout.tsx';
import { Button } from '../parts/basic.tsx';
import { Field, FileDrop, Form, TextArea } from '../parts/form.tsx';
import { JobBadge, Tag, Time, nameOf, Cut, Pages, Table } from '../parts/table.tsx';
import { Place } from '../place.tsx';
import type { Refused } from '../place.tsx';
import type { PageApp, PageContext } from '../view.ts';
import { refuseTooMany, useView, visitOf, PageError } from '../view.ts';
import { ServiceError } from '../../errors.ts';
import { share } from '../../lib/share.ts';
import { discard, readOctets } from '../../lib/streams.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { listUploads, stageUpload } from '../../operations/uploads/uploads.ts';

const LISTS = '/dashboard/lists';
const PAGE_SIZE = 25;
const SEARCH_MAX = 100;
// From so many lists on, one is looked for.
const SEARCHED_FROM = 20;
const TYPED_MAX = 20_000;

/** Lists: what comes in, and all that there are. */
export const listsPlace = new Place(LISTS, {
	nav: 'Lists',
	load: async ({ c, services, account, own, page }) => {
		const search = (c.req.query('q') ?? '').trim().slice(0, SEARCH_MAX);
		const wanted = { kind: 'verification', search, page, pageSize: PAGE_SIZE } as const;
		const [{ jobs, total }, drafts] = await Promise.all([
			own.listJobs(wanted),
			// Files that were not started.
			page === 1 && search === '' ? listUploads(services, account) : [],
		]);
		return { jobs, pagination: paginate(total, page, PAGE_SIZE), drafts, search };
	},
	view: (data, { refused, Page, Live }) => (
		<Page title="Lists" lead="You see what is in a file, and what it costs, before anything is charged.">
			<NewList refused={refused} />
			<Section title="All lists">
				{(data.pagination.total >= SEARCHED_FROM || data.search !== '') && (
					<form method="get" action={LISTS} class="inline-form list-filter">
						<Field
							name="q"
							type="search"
							label="Name"
							value={data.search}
							autocomplete="off"
							maxlength={SEARCH_MAX}
						/>
						<Button kind="quiet">Search</Button>
						{data.search !== '' && <a href={LISTS}>Show all lists</a>}
					</form>
				)}
				<Live of={data} />
			</Section>
		</Page>
	),
	live: {
		isMoving: ({ jobs }) => jobs.some(({ status }) => status === 'processing'),
		says: ({ jobs }) =>
			jobs.some(({ status }) => status === 'processing') ? undefined : 'All lists are done',
		view: ({ drafts, jobs, pagination, search }) => (
			<>
				<ListsTable
					of={[...drafts, ...jobs]}
					empty={
						search === ''
							? [
									'No lists yet',
									'Drop a file above. Before anything starts you see its addresses, the rows left out, and the price.',
								]
							: ['No list matches', 'Search for part of its name, or show all lists.']
					}
				/>
				<Pages
					pagination={pagination}
					things="lists"
					hrefOf={(page) => {
						const query = { page: String(page), ...(search === '' ? {} : { q: search }) };
						return `${LISTS}?${new URLSearchParams(query).toString()}`;
					}}
				/>
			</>
		),
	},
});

/** The lists, and where a file or pasted text comes in. A script that shows the upload's progress asks for JSON. */
export function addLists(app: PageApp): void {
	listsPlace.addTo(app);
	app.post(LISTS, async (c) => {
		const visit = visitOf(c);
		const { services, account } = visit;
		const byScript = c.req.header('accept') === 'application/json';
		let pasted: string | undefined;
		try {
			const parts = await readUpload(c);
			const refused = await refuseTooMany(visit, 'stage_upload');
			if (refused !== null) throw new ServiceError('rate_limited', refused);
			const file = parts.find(
				({ name, filename, size }) => name === 'file' && filename !== undefined && size > 0,
			);
			if (file === undefined) pasted = parts.find(({ name }) => name === 'pasted')?.text;
			if (file === undefined && pasted === undefined)
				throw refusal('Choose a file with at least one address.');
			const sent = file
				? { name: file.filename ?? '', octets: file.bytes }
				: { name: `Pasted addresses, ${minute(services.clock.now())}`, text: pasted ?? '' };
			const { uploadId } = await stageUpload(services, account, sent);
			const location = `${LISTS}/uploads/${uploadId}`;
			return byScript ? c.json({ location }) : c.redirect(location, 303);
		} catch (error) {
			if (!(error instanceof ServiceError) || (error.status !== 400 && error.status !== 429)) throw error;
			const status = error.status === 400 ? 422 : 429;
			if (byScript) return c.json({ error: error.message }, status);
			const errors = { [pasted === undefined ? 'file' : 'pasted']: error.message };
			// More of a pasted text is not shown again beside what was wrong with it.
			const typed = { pasted: (pasted ?? '').slice(0, TYPED_MAX) };
			return listsPlace.show(visit, { form: 'new', errors, typed }, status);
		}
	});
}

/** Lists, and files that were not started yet. `empty`: instead of a table without rows. */
export function ListsTable(props: {
	readonly of: readonly (Upload | JobRecord)[];
	readonly empty: readonly [title: string, text: string] | string;
}) {
	return (
		<Table
			caption="Lists"
			rows={props.of.map(rowOf)}
			empty={props.empty}
			columns={(column) => [
				column('List', { width: 136, names: true, phone: true, class: 'list-name' }, ({ name, href }) => (
					<a class="block" href={href} aria-label={name}>
						<Cut text={name} />
					</a>
				)),
				column('Rows', { width: 84, class: 'num' }, ({ rows }) => count(rows)),
				column('Result', { width: 88, phone: true }, ({ job }) => job && <Result job={job} />),
				column('Status', { width: 100, phone: true }, ({ job }) =>
					job === null ? <Tag>Not started</Tag> : <State job={job} />,
				),
				column('Credits', { width: 84, class: 'num' }, ({ job }) => job && count(job.creditsUsed)),
				column('Started', 104, ({ at }) => <Time at={at} />),
			]}
		/>
	);
}

/** A list, or a file that was not started yet, as a row of the table. */
function rowOf(one: Upload | JobRecord) {
	if ('uploadId' in one) {
		const { uploadId, fileName: name, inspection, stagedAt: at } = one;
		const href = `${LISTS}/uploads/${uploadId}`;
		return { name, href, rows: inspection.rows, at, job: null };
	}
	const { jobId, submitted: rows, createdAt: at } = one;
	return { name: nameOf(one), href: `/dashboard/jobs/${jobId}`, rows, at, job: one };
}

function State({ job }: { readonly job: JobRecord }) {
	const { now } = useView();
	if (job.status !== 'processing') return <JobBadge job={job} />;
	const leftMs = (expectedEnd(job, now) ?? 0) - now;
	return <Tag>{leftMs > 0 ? `${span(leftMs)} left` : share(job.processed, job.accepted)}</Tag>;
}

/** The outcomes so far as a small bar, and the share that is deliverable. */
function Result({ job: { counts, processed, accepted, status } }: { readonly job: JobRecord }) {
	if (processed === 0 || status === 'failed') return <></>;
	return (
		<span class="list-result">
			<Bar label="Outcomes" parts={partsOf(counts)} total={accepted} height={8} />
			<span class="quiet small">{share(counts.deliverable, processed)}</span>
		</span>
	);
}

/** Where a list comes in: as a file, or as pasted addresses. */
export function NewList({ refused }: { readonly refused?: Refused | null }) {
	const { file, pasted } = refused?.errors ?? {};
	return (
		<div class="stack">
			<Form action={LISTS} withFile showsUpload>
				<FileDrop error={file}>
					Excel (XLSX), CSV or text, up to {plural(50_000, 'row')} and 20 MB. Any column may hold the
					addresses.
					<span class="by-script block">Uploads right away. You see the price before you pay.</span>
				</FileDrop>
				<div class="stack-small" data-upload-progress hidden>
					<progress class="progress" max="100" value="0" aria-label="Upload" />
					<p class="spread">
						<span data-upload-says role="status" class="quiet" />
						<button type="button" class="button button-quiet button-small" data-upload-cancel>
							Cancel upload
						</button>
					</p>
				</div>
				<div class="without-script">
					<Button>Check file</Button>
				</div>
			</Form>
			<details class="more" open={pasted !== undefined}>
				<summary>Paste addresses instead</summary>
				<Form action={LISTS} withFile>
					<TextArea
						name="pasted"
						label="Addresses"
						rows={8}
						value={refused?.typed['pasted'] ?? ''}
						hint="One per line, or between commas, semicolons, tabs or spaces. Names such as Jane Doe <jane@example.com> are kept, and so are the columns of copied cells."
						error={pasted}
						required
					/>
					<Button>Check addresses</Button>
				</Form>
			</details>
		</div>
	);
}

// The rest of the body: the token, names, and multipart's delimiters.
const AROUND_OCTETS_MAX = 64 * 1024;
const BODY_OCTETS_MAX = FILE_OCTETS_MAX + AROUND_OCTETS_MAX;
// Our form has two parts.
const PARTS_MAX = 8;

/**
 * Reads the fields of our form with a file. The token comes first, and nothing is taken before it is checked. A refused body
 * is still read to its end, or the browser would not show our answer.
 */
async function readUpload(c: PageContext): Promise<readonly MultipartPart[]> {
	const boundary = boundaryOf(c);
	try {
		// It throws where the person cancels the upload.
		const { octets, isWhole } = await readOctets(c.req.raw, BODY_OCTETS_MAX);
		if (!isWhole) await discard(c.req.raw.body);
		const parts = parseMultipart(octets, {
			boundary,
			maxFileSize: FILE_OCTETS_MAX,
			maxTotalSize: BODY_OCTETS_MAX,
			maxParts: PARTS_MAX,
		});
		const token = parts.next().value ?? null;
		requireFormToken(c, token?.name === TOKEN_FIELD ? token.text : '');
		if (!isWhole) throw new MaxFileSizeExceededError(FILE_OCTETS_MAX);
		return [...parts];
	} catch (error) {
		if (error instanceof MaxFileSizeExceededError)
			throw refusal(
				`The file is larger than ${FILE_OCTETS_MAX / 1024 / 1024} MB. Split it and upload the parts.`,
			);
		if (error instanceof PageError) throw error;
		throw new PageError(400, 'This form could not be read', 'The upload was damaged on its way. Try again.');
	}
}

function boundaryOf(c: PageContext): string {
	const type = c.req.header('content-type') ?? '';
	const [, quoted, plain] = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? [];
	const boundary = quoted ?? plain;
	if (boundary !== undefined) return boundary;
	throw new PageError(400, 'This form could not be read', 'It was not sent as a form with a file.');
}
