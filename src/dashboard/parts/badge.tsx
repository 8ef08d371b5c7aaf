import type { Child } from 'hono/jsx';
import type { CatchAllVerdict } from '../../core/verification/render.ts';
import type { Status } from '../../core/verification/sub-status.ts';
import type { JobStatus } from '../../operations/jobs/port.ts';

/** A shape for each outcome, so that colour is never alone: ● ✕ ▲ ?. */
export function Shape({ tone }: { readonly tone: Status }) {
	return (
		<svg class="shape" viewBox="0 0 10 10" aria-hidden="true">
			{tone === 'deliverable' && <circle cx="5" cy="5" r="4" fill="currentColor" />}
			{tone === 'undeliverable' && (
				<path d="M1.5 1.5l7 7M8.5 1.5l-7 7" stroke="currentColor" stroke-width="2" stroke-linecap="round" />
			)}
			{tone === 'risky' && <path d="M5 .8L9.6 9.2H.4z" fill="currentColor" />}
			{tone === 'unknown' && (
				<path
					d="M2.8 3.2a2.2 2.2 0 1 1 3.3 1.9c-.7.4-1.1.8-1.1 1.6M5 9v.01"
					fill="none"
					stroke="currentColor"
					stroke-width="1.6"
					stroke-linecap="round"
				/>
			)}
		</svg>
	);
}

function Toned({ tone, children }: { readonly tone: Status; readonly children: Child }) {
	return (
		<span class={`badge tone-${tone}`}>
			<Shape tone={tone} />
			{children}
		</span>
	);
}

/** The outcome of an address. */
export function StatusBadge({ status }: { readonly status: Status }) {
	return <Toned tone={status}>{STATUS_WORDS[status]}</Toned>;
}

/** The names of outcomes on all pages. */
export const STATUS_WORDS = {
	deliverable: 'Deliverable',
	undeliverable: 'Undeliverable',
	risky: 'Risky',
	unknown: 'Unknown',
} as const satisfies Record<Status, string>;

const VERDICTS = {
	valid: ['deliverable', 'Valid'],
	invalid: ['undeliverable', 'Invalid'],
	unknown: ['unknown', 'Unknown'],
} as const satisfies Record<CatchAllVerdict, readonly [Status, string]>;

/** The verdict on an address of a catch-all domain. */
export function VerdictBadge({ verdict }: { readonly verdict: CatchAllVerdict }) {
	const [tone, word] = VERDICTS[verdict];
	return <Toned tone={tone}>{word}</Toned>;
}

/** The state of a job or task. */
export function JobBadge({ status, expired }: { readonly status: JobStatus; readonly expired: boolean }) {
	if (status === 'failed') return <Toned tone="undeliverable">Failed</Toned>;
	if (status === 'processing') return <span class="badge tone-accent">Running</span>;
	if (expired) return <span class="badge tone-unknown">Expired</span>;
	return <Toned tone="deliverable">Done</Toned>;
}

/** A plain word that qualifies something: "Revoked", "This session". */
export function Tag({
	tone = 'unknown',
	children,
}: {
	readonly tone?: Status | 'accent';
	readonly children: Child;
}) {
	return <span class={`badge tone-${tone}`}>{children}</span>;
}
