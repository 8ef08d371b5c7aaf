import type { Hono } from 'hono';
import { expectedEnd } from '../../core/jobs/estimate.ts';
import { paginate } from '../../core/jobs/pages.ts';
import { PASTED_CHARS_MAX } from '../../core/upload/read-list-file.ts';
import type { Upload } from '../../core/upload/upload.ts';
import { ServiceError } from '../../errors.ts';
import { share } from '../../lib/share.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { listUploads, stageUpload } from '../../operations/uploads/uploads.ts';
import { Bar, partsOf } from '../charts/bar.tsx';
import type { DashboardEnv } from '../context.ts';
import { count, minute, plural, span } from '../format.ts';
import { Section } from '../layout.tsx';
import { refuseTooMany, visitOf } from '../view.ts';
import { JobBadge, Tag } from '../parts/badge.tsx';
import { Button } from '../parts/button.tsx';
import { Time } from '../parts/figures.tsx';
import { Field, FileDrop, Form, TextArea } from '../parts/form.tsx';
import { isExpired, nameOf } from '../parts/job-words.ts';
import { Cut, Empty, Pages, Table } from '../parts/table.tsx';
import { Place } from '../place.tsx';
import type { Refused } from '../place.tsx';
import type { FieldErrors } from '../forms.ts';
import { readUpload } from '../read-upload.ts';
import type { SentList } from '../read-upload.ts';
import type { View, Visit } from '../view.ts';

const LISTS = '/dashboard/lists';
const PAGE_SIZE = 25;
const SEARCH_MAX = 100;
// From so many lists on, one is looked for.
const SEARCHED_FROM = 20;
const TYPED_MAX = 20_000;

/** Lists: what comes in, and all that there are. */
export const listsPlace = new Place(LISTS, {
	nav: 'Lists',
	load: async ({ c, services, account, page }) => {
		const search = (c.req.query('q') ?? '').trim().slice(0, SEARCH_MAX);
		const wanted = { kind: 'verification', search, page, pageSize: PAGE_SIZE } as const;
		const [{ jobs, total }, drafts] = await Promise.all([
			services.accounts(account.accountId).listJobs(wanted),
			// Files that were not started.
			page === 1 && search === '' ? listUploads(services, account) : [],
		]);
		return { jobs, pagination: paginate(total, page, PAGE_SIZE), drafts, search };
	},
	view: (data, { view, refused, Page, Live }) => (
		<Page title="Lists" lead="You see what is in a file, and what it costs, before anything is charged.">
			<NewList view={view} refused={refused} />
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
		view: ({ drafts, jobs, pagination, search }, { view }) => (
			<>
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
export function addLists(app: Hono<DashboardEnv>): void {
	listsPlace.addTo(app);
	app.post(LISTS, async (c) => {
		const visit = visitOf(c);
		const byScript = c.req.header('accept') === 'application/json';
		const refuse = (errors: FieldErrors, status: 422 | 429, pasted = '') =>
			byScript
				? c.json({ error: Object.values(errors)[0] }, status)
				: // More of a pasted text is not shown again beside what was wrong with it.
					listsPlace.show(
						visit,
						{ form: 'new', errors, typed: { pasted: pasted.slice(0, TYPED_MAX) } },
						status,
					);
		const sent = await readUpload(c, () => refuseTooMany(visit, 'stage_upload'));
		if (sent.kind === 'refused') return refuse({ file: sent.error }, sent.status);
		try {
			const { uploadId } = await stage(visit, sent);
			const location = `${LISTS}/uploads/${uploadId}`;
			return byScript ? c.json({ location }) : c.redirect(location, 303);
		} catch (error) {
			if (!(error instanceof ServiceError) || error.status !== 400) throw error;
			const { message } = error;
			return sent.kind === 'file'
				? refuse({ file: message }, 422)
				: refuse({ pasted: message }, 422, sent.text);
		}
	});
}

async function stage(
	{ services, account }: Visit,
	sent: Exclude<SentList, { kind: 'refused' }>,
): Promise<Upload> {
	if (sent.kind === 'file') return stageUpload(services, account, sent);
	if (sent.text.length > PASTED_CHARS_MAX) {
		throw new ServiceError('unusable_file', 'This is more than 5 MB of text. Upload it as a file instead.');
	}
	const name = `Pasted addresses, ${minute(services.clock.now())}`;
	return stageUpload(services, account, { name, text: sent.text });
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
export function NewList({ view, refused }: { readonly view: View; readonly refused?: Refused | null }) {
	const { file, pasted } = refused?.errors ?? {};
	return (
		<div class="stack">
			<Form view={view} action={LISTS} withFile showsUpload>
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
					error={file}
					required
				/>
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
				<Form view={view} action={LISTS} withFile>
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
