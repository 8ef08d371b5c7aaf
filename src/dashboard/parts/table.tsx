import type { Child } from 'hono/jsx';
import { JOB_KINDS } from '../../core/jobs/kinds.ts';
import { inOneLine } from '../../lib/text.ts';
import type { Pagination } from '../../core/jobs/pages.ts';
import { formatMoney, pricePerThousand } from '../../core/payments/packs.ts';
import type { CreditPack } from '../../core/payments/packs.ts';
import type { Status } from '../../core/verification/sub-status.ts';
import { count, plural, exact, relative, minute } from '../format.ts';
import { useView } from '../view.ts';
import { ButtonLink } from './basic.tsx';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { OWNERS_KEY_ID } from '../../operations/verify/port.ts';

interface Looks {
	/**
	 * Minimum width in pixels, including 12 of padding. Spare width is distributed in proportion to these. A table of at
	 * most 720 px scrolls in narrow windows only.
	 */
	readonly width: number;
	/** Shown in place of the head's words. */
	readonly headAs?: Child;
	/** The row header. One column has it. */
	readonly names?: boolean;
	/** The head is for screen readers only, because the cells need no explanation. */
	readonly hidesHead?: boolean;
	/**
	 * Stays where the table has less than 720 px. Where any column has it, the others are left out there; else the table
	 * scrolls.
	 */
	readonly phone?: boolean;
	/** `num`: right-aligned, for figures. */
	readonly class?: string | undefined;
}

export interface Column<Row> extends Looks {
	readonly head: string;
	readonly cell: (row: Row) => Child;
}

/** Makes a column of its head, its looks or just its width, and its cell in a row. */
function column<Row>(head: string, looks: Looks | number, cell: (row: Row) => Child): Column<Row> {
	return { head, cell, ...(typeof looks === 'number' ? { width: looks } : looks) };
}

/** Makes the last column: what can be done with a row. */
function actions<Row>(width: number, of: (row: Row) => Child): Column<Row> {
	const cell = (row: Row) => <span class="row-links">{of(row)}</span>;
	return column('Actions', { width, hidesHead: true, phone: true }, cell);
}

// The place beside the navigation of a window of 1,024 px, less a scroll bar. A table that is no wider cannot scroll from
// there on, so its head stays in sight.
const FITS = 720;
// The place of a window of 360 px.
const ALWAYS_FITS = 328;

/**
 * A table with columns of fixed minimum widths. Where they do not fit, it keeps its `phone` columns, or scrolls in its
 * frame.
 */
export function Table<Row>(props: {
	/** The content of the table, for screen readers. */
	readonly caption: string;
	readonly rows: readonly Row[];
	readonly columns: (
		makeColumn: typeof column<Row>,
		makeActions: typeof actions<Row>,
	) => readonly Column<Row>[];
	/** Instead of an empty table: a title and a text, as of `Empty`, or one quiet sentence. */
	readonly empty?: readonly [title: string, text: string] | string;
	readonly class?: string;
}) {
	const { caption, rows, empty } = props;
	if (rows.length === 0) {
		if (typeof empty === 'string') return <p class="quiet">{empty}</p>;
		return empty === undefined ? <></> : <Empty title={empty[0]} text={empty[1]} />;
	}
	const made = props.columns(column, actions);
	const leavesOut = made.some(({ phone }) => phone === true);
	const columns = made.map((one) => ({
		...one,
		class: joined(one.class, leavesOut && one.phone !== true && one.names !== true && 'wide-only'),
	}));
	const width = columns.reduce((sum, one) => sum + one.width, 0);
	// A scrollable frame must be reachable by keyboard.
	const reach = width > ALWAYS_FITS ? { tabindex: 0, role: 'group', 'aria-label': caption } : {};
	return (
		<div class="table-frame">
			<div class={joined('table-scroll', width <= FITS && 'table-fits')} {...reach}>
				<table class={joined('table', leavesOut && 'table-phone', props.class)}>
					<caption class="unseen">{caption}</caption>
					<colgroup>
						{columns.map((one) => (
							<col width={one.width} class={one.class} />
						))}
					</colgroup>
					<thead>
						<tr>
							{columns.map(({ head, headAs, hidesHead, class: name }) => (
								<th scope="col" class={name}>
									{hidesHead === true ? <span class="unseen">{head}</span> : (headAs ?? head)}
								</th>
							))}
						</tr>
					</thead>
					<tbody>
						{rows.map((row) => (
							<tr>
								{columns.map(({ head, cell, names, class: name }) =>
									names === true ? (
										<th scope="row" class={name}>
											{cell(row)}
										</th>
									) : (
										<td class={name} data-label={head}>
											{cell(row)}
										</td>
									),
								)}
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</div>
	);
}

function joined(...names: readonly (string | false | undefined)[]): string | undefined {
	const given = names.filter((name) => name !== undefined && name !== false);
	return given.length === 0 ? undefined : given.join(' ');
}

/** An empty state: what will be shown here, and how it comes about. */
export function Empty(props: { readonly title: string; readonly text: Child }) {
	return (
		<div class="empty">
			<strong>{props.title}</strong>
			<p class="quiet">{props.text}</p>
		</div>
	);
}

/** Where one is in what has several pages, and the ways to the others. */
export function PagesFrame({ says, children }: { readonly says: Child; readonly children: Child }) {
	return (
		<nav class="spread pages" aria-label="Pages">
			<p class="quiet">{says}</p>
			<div class="row">{children}</div>
		</nav>
	);
}

/** The way to another page. */
export function PageLink(props: { readonly href: string; readonly children: Child }) {
	return <ButtonLink kind="quiet" size="small" {...props} />;
}

/** The current page, and links to its neighbours. `hrefOf` makes the URL of a page. */
export function Pages(props: {
	readonly pagination: Pagination;
	/** The counted things: "addresses". */
	readonly things: string;
	readonly hrefOf: (page: number) => string;
}) {
	const { things, hrefOf } = props;
	const { total, page, limit, pages, hasNextPage } = props.pagination;
	if (total === 0 || (pages <= 1 && page === 1)) return null;
	const first = (page - 1) * limit + 1;
	const last = Math.min(total, page * limit);
	const says =
		first <= total
			? `${count(first)}–${count(last)} of ${count(total)} ${things}`
			: `There is no page ${count(page)}: ${count(total)} ${things} on ${plural(pages, 'page')}`;
	return (
		<PagesFrame says={says}>
			{page > 1 && <PageLink href={hrefOf(Math.min(page - 1, pages))}>Previous</PageLink>}
			<span class="quiet">
				Page {count(page)} of {count(pages)}
			</span>
			{hasNextPage && <PageLink href={hrefOf(page + 1)}>Next</PageLink>}
		</PagesFrame>
	);
}

// Long texts without spaces, at which prose would break.

// Breaks are allowed after the separators of an address, an id or a path, and before the next word of a camelCase name.
const PARTS = /(?<=[._@/:=&?+-])|(?<=[a-z])(?=[A-Z][a-z])/;

/** A text without spaces that may wrap between its parts, but not inside of one. */
export function breakable(text: string): Child {
	return text.split(PARTS).map((part, index) => (
		<>
			{index > 0 && <wbr />}
			{part}
		</>
	));
}

/** An address, an id or a host name, in the monospaced font. */
export function Mono({ text }: { readonly text: string }) {
	return <span class="mono">{breakable(text)}</span>;
}

/** One line of a table cell, cut at the column's end, with the whole text as its tooltip. */
export function Cut({ text, mono = false }: { readonly text: string; readonly mono?: boolean }) {
	return (
		<span class={mono ? 'cut mono' : 'cut'} title={text}>
			{breakable(text)}
		</span>
	);
}

// Figures and times with their labels.

/** Facts about one thing, with their names. A fact without a value is left out. */
export function Facts({ of }: { readonly of: Readonly<Record<string, Child>> }) {
	return (
		<dl class="facts">
			{Object.entries(of).map(
				([name, value]) =>
					value !== null &&
					value !== false && (
						<>
							<dt>{name}</dt>
							<dd>{value}</dd>
						</>
					),
			)}
		</dl>
	);
}

/** A relative time, with the exact one as its tooltip. */
export function Time({ at }: { readonly at: number }) {
	const { now } = useView();
	return (
		<time datetime={new Date(at).toISOString()} title={exact(at)} class="nowrap">
			{relative(at, now)}
		</time>
	);
}

/** The packs of credits and their prices, with a button for customers. */
export function Packs(props: {
	readonly packs: readonly CreditPack[];
	readonly actionOf?: (pack: CreditPack) => Child;
}) {
	return (
		<ul class="packs">
			{props.packs.map((pack) => (
				<li>
					<p>
						<strong>{count(pack.credits)}</strong> {pack.credits === 1 ? 'credit' : 'credits'}
					</p>
					<p class="pack-price">{formatMoney(pack.price)}</p>
					<p class="small quiet">{pricePerThousand(pack)} per 1,000</p>
					{props.actionOf?.(pack)}
				</li>
			))}
		</ul>
	);
}

/** The contact for credits, where none can be bought on the spot. */
export function AskForCredits({ contactUrl }: { readonly contactUrl: string | null }) {
	if (contactUrl === null) return <p>Ask the operator of this service for credits.</p>;
	const address = /^mailto:([^?]+)/.exec(contactUrl)?.[1];
	return (
		<p>
			{address === undefined ? (
				<a href={contactUrl}>Contact us</a>
			) : (
				<>
					Write to <a href={contactUrl}>{address}</a>
				</>
			)}
			; we add credits the same day.
		</p>
	);
}

const SHAPES = {
	deliverable: <circle cx="5" cy="5" r="4" fill="currentColor" />,
	undeliverable: (
		<path d="M1.5 1.5l7 7M8.5 1.5l-7 7" stroke="currentColor" stroke-width="2" stroke-linecap="round" />
	),
	risky: <path d="M5 .8L9.6 9.2H.4z" fill="currentColor" />,
	unknown: (
		<path
			d="M2.8 3.2a2.2 2.2 0 1 1 3.3 1.9c-.7.4-1.1.8-1.1 1.6M5 9v.01"
			fill="none"
			stroke="currentColor"
			stroke-width="1.6"
			stroke-linecap="round"
		/>
	),
} as const satisfies Record<Status, Child>;

/** A shape for each outcome, so that colour is never alone: ● ✕ ▲ ?. */
export function Shape({ tone }: { readonly tone: Status }) {
	return (
		<svg class="shape" viewBox="0 0 10 10" aria-hidden="true">
			{SHAPES[tone]}
		</svg>
	);
}

/** The names of outcomes on all pages. */
export const STATUS_WORDS = {
	deliverable: 'Deliverable',
	undeliverable: 'Undeliverable',
	risky: 'Risky',
	unknown: 'Unknown',
} as const satisfies Record<Status, string>;

/** A word that qualifies something: "Revoked", "This session". */
export function Tag(props: { readonly tone?: Status | 'accent'; readonly children: Child }) {
	return <span class={`badge tone-${props.tone ?? 'unknown'}`}>{props.children}</span>;
}

/** A word that is or resembles an outcome, with its shape. */
export function Badge({ tone, children }: { readonly tone: Status; readonly children: Child }) {
	return (
		<Tag tone={tone}>
			<Shape tone={tone} />
			{children}
		</Tag>
	);
}

/** The outcome of an address. */
export function StatusBadge({ status }: { readonly status: Status }) {
	return <Badge tone={status}>{STATUS_WORDS[status]}</Badge>;
}

/** The state of a job or task. */
export function JobBadge({ job }: { readonly job: JobRecord }) {
	const { now } = useView();
	if (job.status === 'failed') return <Badge tone="undeliverable">Failed</Badge>;
	if (job.status === 'processing') return <Tag tone="accent">Running</Tag>;
	return isExpired(job, now) ? <Tag>Expired</Tag> : <Badge tone="deliverable">Done</Badge>;
}

/** A job's name on pages, where people read and type it. Without one, it is called after its time. */
export function nameOf(job: Pick<JobRecord, 'name' | 'keyId' | 'kind' | 'createdAt'>): string {
	const { name, keyId, kind, createdAt } = job;
	const shown = inOneLine(name ?? '');
	if (/[^\s\p{C}]/u.test(shown)) return shown;
	const { title } = JOB_KINDS[kind].onPages;
	return `${keyId === OWNERS_KEY_ID ? title : `API ${title.toLowerCase()}`}, ${minute(createdAt)}`;
}

/** True when the results of a job have been deleted. */
export function isExpired(job: Pick<JobRecord, 'resultsExpiresAt' | 'deletedAt'>, now: number): boolean {
	const { resultsExpiresAt, deletedAt } = job;
	return deletedAt !== null || (resultsExpiresAt !== null && now >= resultsExpiresAt);
}
