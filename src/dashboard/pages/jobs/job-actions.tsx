import type { Child } from 'hono/jsx';
import { PRICE } from '../../../core/credits/price.ts';
import type { JobRecord } from '../../../operations/jobs/port.ts';
import type { Island } from '../../assets/texts.js';
import { count, plural } from '../../format.ts';
import { DashboardPage } from '../../layout.tsx';
import { Button, ButtonLink, CancelLink } from '../../parts/button.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { isExpired, nameOf } from '../../parts/jobs-table.tsx';
import { Notice } from '../../parts/notice.tsx';
import type { View } from '../../view.ts';

interface OneList {
	readonly view: View;
	readonly job: JobRecord;
}

/** The actions on a list itself: end it early, send a mail at its end, rename it, delete it. */
export function JobActions({ view, job }: OneList) {
	const address = `/dashboard/jobs/${job.jobId}`;
	const working = job.status === 'processing';
	const mayDelete = !working && !isExpired(job, view.now);
	return (
		<>
			{working && <MailForm view={view} job={job} />}
			<ButtonLink kind="quiet" href={`${address}/rename`}>
				Rename
			</ButtonLink>
			{working && (
				<ButtonLink kind="quiet" href={`${address}/finish`}>
					Finish early
				</ButtonLink>
			)}
			{mayDelete && (
				<ButtonLink kind="quiet" href={`${address}/delete`}>
					Delete list
				</ButtonLink>
			)}
		</>
	);
}

function MailForm({ view, job }: OneList) {
	const wanted = job.mailWhenDone;
	return (
		<Form view={view} action={`/dashboard/jobs/${job.jobId}/mail`} layout="plain">
			{!wanted && <input type="hidden" name="wanted" value="yes" />}
			<Button kind="quiet">{wanted ? 'Don’t email me when it is done' : 'Email me when it is done'}</Button>
		</Form>
	);
}

interface ActionPageProps extends OneList {
	/** The refusal of what was sent. */
	readonly error: string | null;
}

/** Gives a list another name. */
export function RenamePage({ view, job, error, typed }: ActionPageProps & { readonly typed: string }) {
	return (
		<ActionPage view={view} job={job} title="Rename list">
			<Form view={view} action={`/dashboard/jobs/${job.jobId}/rename`}>
				<Field
					name="name"
					label="Name of the list"
					value={typed}
					error={error ?? undefined}
					maxlength={255}
					autocomplete="off"
					autofocus
					required
				/>
				<div class="actions">
					<Button>Rename list</Button>
					<CancelLink href={`/dashboard/jobs/${job.jobId}`} />
				</div>
			</Form>
		</ActionPage>
	);
}

/** Says what ending a list early would cost, and what comes free. */
export function FinishPage({ view, job }: OneList) {
	const open = job.accepted - job.processed;
	return (
		<ActionPage view={view} job={job} title={`Finish “${nameOf(job)}” early`}>
			<Form view={view} action={`/dashboard/jobs/${job.jobId}/finish`}>
				<p>
					{`${count(job.processed)} of ${plural(job.accepted, 'address', 'addresses')} ${job.processed === 1 ? 'has' : 'have'} an answer. You keep them, for the ${plural(job.creditsUsed, 'credit')} they cost.`}
				</p>
				{open > 0 && (
					<p>
						{open === 1 ? 'The other one becomes' : `The other ${count(open)} become`}
						{` unknown and cost${open === 1 ? 's' : ''} nothing: ${plural(job.creditsReserved, 'reserved credit is', 'reserved credits are')} released.`}
					</p>
				)}
				<p class="quiet">
					A finished list can’t be resumed. Answers that arrive before you confirm still count.
				</p>
				<div class="actions">
					<Button kind="danger">Finish now</Button>
					<CancelLink href={`/dashboard/jobs/${job.jobId}`} />
				</div>
			</Form>
		</ActionPage>
	);
}

/** Says what asking the unknown addresses again costs, before it is asked. */
export function AgainPage(props: OneList & { readonly addresses: number; readonly available: number }) {
	const { view, job, addresses, available } = props;
	const cost = addresses * PRICE.verification;
	const short = cost - available;
	return (
		<ActionPage view={view} job={job} title="Ask again">
			<Form view={view} action={`/dashboard/jobs/${job.jobId}/again`}>
				<p>
					{plural(addresses, 'address', 'addresses')} without an answer, at most{' '}
					<strong>{plural(cost, 'credit')}</strong>; you have {count(available)}. Unknown answers are
					refunded.
				</p>
				{short > 0 && (
					<Notice kind="warning">
						<p>
							You are {plural(short, 'credit')} short. <a href="/dashboard/credits/add">Add credits</a>
						</p>
					</Notice>
				)}
				<div class="actions">
					<Button disabled={short > 0 || addresses === 0}>
						Ask {plural(addresses, 'address', 'addresses')} again
					</Button>
					<CancelLink href={`/dashboard/jobs/${job.jobId}`} />
				</div>
			</Form>
		</ActionPage>
	);
}

/** Asks for a list's name before it is deleted. */
export function DeletePage({ view, job, error }: ActionPageProps) {
	const name = nameOf(job);
	if (job.status === 'processing') {
		return (
			<ActionPage view={view} job={job} title={`Delete “${name}”`}>
				<Notice kind="info" title="This list is still being verified">
					<p>Finish it early, or wait until it is done. Then you can delete it.</p>
					<ButtonLink kind="quiet" href={`/dashboard/jobs/${job.jobId}/finish`}>
						Finish early
					</ButtonLink>
				</Notice>
			</ActionPage>
		);
	}
	return (
		<ActionPage view={view} job={job} title={`Delete “${name}”`}>
			<Form view={view} action={`/dashboard/jobs/${job.jobId}/delete`}>
				<p>
					We delete the file, its addresses and all results at once. You can’t undo this. The ledger keeps the
					cost.
				</p>
				<Field
					name="confirm"
					label={`Type the name to confirm: ${name}`}
					error={error ?? undefined}
					autocomplete="off"
					required
				/>
				<div class="actions">
					<Button kind="danger">Delete list</Button>
					<CancelLink href={`/dashboard/jobs/${job.jobId}`} />
				</div>
			</Form>
		</ActionPage>
	);
}

/** A page with one question about a list. */
export function ActionPage(
	props: OneList & {
		readonly title: string;
		readonly islands?: readonly Island[];
		readonly children: Child;
	},
) {
	const { view, job, title, children } = props;
	return (
		<DashboardPage
			view={view}
			place="Lists"
			title={title}
			islands={props.islands ?? []}
			up={{ name: nameOf(job), href: `/dashboard/jobs/${job.jobId}` }}
		>
			<div class="form-narrow stack">{children}</div>
		</DashboardPage>
	);
}
