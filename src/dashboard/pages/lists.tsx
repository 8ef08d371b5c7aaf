import type { Hono } from 'hono';
import { expectedEnd } from '../../core/jobs/estimate.ts';
import { paginate } from '../../core/jobs/pages.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import { PASTED_CHARS_MAX } from '../../core/upload/read-list-file.ts';
import type { Upload } from '../../core/upload/upload.ts';
import { ServiceError } from '../../errors.ts';
import { share } from '../../lib/share.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { listUploads, stageUpload } from '../../operations/uploads/uploads.ts';
import { Bar, partsOf } from '../charts/bar.tsx';
import type { DashboardEnv, PageContext } from '../context.ts';
import { count, minute, plural, span } from '../format.ts';
import { DashboardPage, Section } from '../layout.tsx';
import { readPage, viewOf } from '../make-view.ts';
import { JobBadge, Tag } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Time } from '../parts/figures.tsx';
import { Field, FileDrop, Form, TextArea } from '../parts/form.tsx';
import { isExpired, nameOf } from '../parts/job-words.ts';
import { Cut, Empty, Pages, Table } from '../parts/table.tsx';
import { readUpload } from '../read-upload.ts';
import type { SentList } from '../read-upload.ts';
import { refuseTooMany } from '../refuse-too-many.ts';
import { signedInOf, takeFlash } from '../session.ts';
import { showPage, showPart } from '../show-page.ts';
import type { View } from '../view.ts';

const LISTS = '/dashboard/lists';
const PAGE_SIZE = 25;
const SEARCH_MAX = 100;
// From so many lists on, one is looked for.
const SEARCHED_FROM = 20;
// More of a pasted text is not shown again beside what was wrong with it.
const TYPED_MAX = 20_000;

/** The error of a refused file or text, and the pasted text to show again. */
interface RefusedList {
	readonly field: 'file' | 'pasted';
	readonly text: string;
	readonly typed?: string;
}

/** Lists: what comes in, and all that there are. */
export function addLists(app: Hono<DashboardEnv>): void {
	app.get(LISTS, async (c) => show(c, null));
	app.get(`${LISTS}/live`, async (c) => showPart(c, <AllLists view={viewOf(c)} {...await find(c)} />));
	app.post(LISTS, (c) => take(c));
}

interface Found {
	/** Files that were not started, on the first page. */
	readonly drafts: readonly Upload[];
	readonly jobs: readonly JobRecord[];
	readonly pagination: Pagination;
	readonly search: string;
}

async function find(c: PageContext): Promise<Found> {
	const { services } = c.var;
	const owner = signedInOf(c).user;
	const search = (c.req.query('q') ?? '').trim().slice(0, SEARCH_MAX);
	const page = readPage(c);
	const wanted = { kind: 'verification', search, page, pageSize: PAGE_SIZE } as const;
	const [{ jobs, total }, drafts] = await Promise.all([
		services.accounts(owner.accountId).listJobs(wanted),
		page === 1 && search === '' ? listUploads(services, owner) : [],
	]);
	return { jobs, pagination: paginate(total, page, PAGE_SIZE), drafts, search };
}

async function show(c: PageContext, error: RefusedList | null, status: 200 | 422 | 429 = 200) {
	const page = { ...(await find(c)), view: { ...viewOf(c), flash: takeFlash(c) }, error };
	return showPage(c, <ListsPage {...page} />, status);
}

/** Takes a file or pasted text. A script that shows the upload's progress asks for JSON. */
async function take(c: PageContext): Promise<Response> {
	const byScript = c.req.header('accept') === 'application/json';
	const refuse = (error: RefusedList, status: 422 | 429): Response | Promise<Response> =>
		byScript ? c.json({ error: error.text }, status) : show(c, error, status);
	const sent = await readUpload(c, () => refuseTooMany(c, 'stage_upload'));
	if (sent.kind === 'refused') return refuse({ field: 'file', text: sent.error }, sent.status);
	try {
		const { uploadId } = await stage(c, sent);
		const location = `${LISTS}/uploads/${uploadId}`;
		return byScript ? c.json({ location }) : c.redirect(location, 303);
	} catch (error) {
		if (!(error instanceof ServiceError) || error.status !== 400) throw error;
		const { message: text } = error;
		if (sent.kind === 'file') return refuse({ field: 'file', text }, 422);
		return refuse({ field: 'pasted', text, typed: sent.text.slice(0, TYPED_MAX) }, 422);
	}
}

async function stage(c: PageContext, sent: Exclude<SentList, { kind: 'refused' }>): Promise<Upload> {
	const { services } = c.var;
	const owner = signedInOf(c).user;
	if (sent.kind === 'file') return stageUpload(services, owner, sent);
	if (sent.text.length > PASTED_CHARS_MAX) {
		throw new ServiceError('unusable_file', 'This is more than 5 MB of text. Upload it as a file instead.');
	}
	const name = `Pasted addresses, ${minute(services.clock.now())}`;
	return stageUpload(services, owner, { name, text: sent.text });
}

export interface ListsProps extends Found {
	readonly view: View;
	readonly error: RefusedList | null;
}

/** The upload form, and all lists of an account. */
export function ListsPage({ view, error, ...found }: ListsProps) {
	const { pagination, search, drafts } = found;
	const isEmpty = pagination.total === 0 && search === '' && drafts.length === 0;
	return (
		<DashboardPage
			view={view}
			place="Lists"
			title="Lists"
			lead="You see what is in a file, and what it costs, before anything is charged."
			islands={['drop', 'live']}
		>
			<NewList view={view} error={error} small={!isEmpty} />
			<Section title="All lists">
				{(pagination.total >= SEARCHED_FROM || search !== '') && (
					<form method="get" action={LISTS} class="inline-form list-filter">
						<Field
							name="q"
							type="search"
							label="Name"
							value={search}
							autocomplete="off"
							maxlength={SEARCH_MAX}
						/>
						<Button kind="quiet">Search</Button>
						{search !== '' && <a href={LISTS}>Show all lists</a>}
					</form>
				)}
				<AllLists view={view} {...found} />
			</Section>
			<p id="live-says" class="unseen" role="status" />
		</DashboardPage>
	);
}

/** The table of lists, which a script reloads while one of the jobs works. */
function AllLists({ view, drafts, jobs, pagination, search }: Found & { readonly view: View }) {
	const working = jobs.some(({ status }) => status === 'processing');
	const hrefOf = (path: string, page: number): string =>
		`${path}?${new URLSearchParams({ page: String(page), ...(search === '' ? {} : { q: search }) }).toString()}`;
	return (
		<div
			data-live={hrefOf(`${LISTS}/live`, pagination.page)}
			data-done={working ? undefined : ''}
			data-says={working ? undefined : 'All lists are done'}
		>
			<Table
				caption="Lists"
				rows={[...drafts, ...jobs].map((one) => rowOf(one, view.now))}
				empty={
					search === '' ? (
						<Empty
							title="No lists yet"
							text="Drop a file above. Before anything starts you see its addresses, the rows left out, and the price."
						/>
					) : (
						<Empty title="No list matches" text="Search for part of its name, or show all lists." />
					)
				}
				columns={[
					{
						head: 'List',
						names: true,
						phone: true,
						width: 136,
						class: 'list-name',
						cell: ({ name, href }) => (
							<a class="block" href={href} aria-label={name}>
								<Cut text={name} />
							</a>
						),
					},
					{ head: 'Rows', align: 'right', width: 84, cell: ({ rows }) => count(rows) },
					{ head: 'Result', phone: true, width: 88, cell: ({ result }) => result },
					{ head: 'Status', phone: true, width: 100, cell: ({ state }) => state },
					{ head: 'Credits', align: 'right', width: 84, cell: ({ credits }) => credits },
					{ head: 'Started', width: 104, cell: ({ at }) => <Time at={at} now={view.now} /> },
				]}
			/>
			<Pages pagination={pagination} things="lists" hrefOf={(page) => hrefOf(LISTS, page)} />
		</div>
	);
}

/** A list, or a file that was not started yet, as a row of the table. */
function rowOf(one: Upload | JobRecord, now: number) {
	if ('uploadId' in one) {
		const { uploadId, fileName, inspection, stagedAt } = one;
		const href = `${LISTS}/uploads/${uploadId}`;
		return {
			name: fileName,
			href,
			rows: inspection.rows,
			result: '',
			state: <Tag>Not started</Tag>,
			credits: '',
			at: stagedAt,
		};
	}
	const { jobId, submitted, creditsUsed, createdAt } = one;
	return {
		name: nameOf(one),
		href: `/dashboard/jobs/${jobId}`,
		rows: submitted,
		result: <Result job={one} />,
		state: <State job={one} now={now} />,
		credits: count(creditsUsed),
		at: createdAt,
	};
}

function State({ job, now }: { readonly job: JobRecord; readonly now: number }) {
	if (job.status !== 'processing') return <JobBadge status={job.status} expired={isExpired(job, now)} />;
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
export function NewList(props: {
	readonly view: View;
	readonly error: RefusedList | null;
	/** One line high, for an account that knows the way. */
	readonly small: boolean;
}) {
	const { view, error } = props;
	return (
		<div class="stack">
			<Form view={view} action={LISTS} withFile shows="upload">
				<FileDrop
					name="file"
					label="File with addresses"
					invitation="Drop a file here, or choose one"
					hint={
						<>
							Excel (XLSX), CSV or text, up to {plural(50_000, 'row')} and 20 MB. Any column may hold the
							addresses.
							<span class="by-script block">Uploads right away. You see the price before you pay.</span>
						</>
					}
					accept=".xlsx,.csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
					error={error?.field === 'file' ? error.text : undefined}
					required
					small={props.small}
				/>
				<div class="upload-progress" data-upload-progress hidden>
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
			<details class="more" open={error?.field === 'pasted'}>
				<summary>Paste addresses instead</summary>
				<Form view={view} action={LISTS} withFile>
					<TextArea
						name="pasted"
						label="Addresses"
						rows={8}
						value={error?.typed ?? ''}
						hint="One per line, or between commas, semicolons, tabs or spaces. Names such as Jane Doe <jane@example.com> are kept, and so are the columns of copied cells."
						error={error?.field === 'pasted' ? error.text : undefined}
						required
					/>
					<Button>Check addresses</Button>
				</Form>
			</details>
		</div>
	);
}
