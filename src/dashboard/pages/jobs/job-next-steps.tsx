import type { Child } from 'hono/jsx';
import { PRICE } from '../../../core/credits/price.ts';
import type { Report } from '../../../core/jobs/report/report.ts';
import type { SUB_STATUSES, SubStatus } from '../../../core/verification/sub-status.ts';
import type { JobRecord } from '../../../operations/jobs/port.ts';
import { count, ofAddresses, plural } from '../../format.ts';
import { Section } from '../../layout.tsx';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Form } from '../../parts/form.tsx';
import type { View } from '../../view.ts';

export interface NextSteps {
	readonly view: View;
	readonly job: JobRecord;
	/** Credits that can be spent. */
	readonly available: number;
	/** Catch-all checks that were made from this job, newest first. */
	readonly tasks: readonly JobRecord[];
	/** The list that asks its unknown addresses again. */
	readonly again: JobRecord | null;
}

/** The checks that a finished list can still get, and those at work. */
export function JobNextSteps({ report, ...props }: NextSteps & { readonly report: Report }) {
	const { view, job, available, tasks, again } = props;
	const { catchAll } = job.counts;
	// A list that resolved its catch-all addresses itself has had this check.
	const isChecked = job.rescuesCatchAll || tasks.some(({ status }) => status !== 'failed');
	const offersCheck = catchAll > 0 && !isChecked;
	const offersAgain = again === null && report.mayAnswerLater > 0;
	if (!offersCheck && !offersAgain && tasks.length === 0 && again === null) return null;
	const [checkCost, againCost] = [catchAll * PRICE.catchall, report.mayAnswerLater * PRICE.verification];
	return (
		<Section title={offersCheck || offersAgain ? 'Get more out of this list' : 'Later checks'}>
			<LaterChecks job={job} tasks={tasks} again={again} />
			{(offersCheck || offersAgain) && (
				<ul class="steps">
					{offersCheck && (
						<Step
							title={`${plural(catchAll, 'address is', 'addresses are')} on domains that accept everything`}
							text={`A deeper check scores each of them. It costs at most ${plural(checkCost, 'credit')}; you have ${count(available)}. What it can’t decide is refunded, and its verdicts appear in this list.`}
						>
							<Form view={view} action={`/dashboard/jobs/${job.jobId}/catch-all`} layout="plain">
								<Button kind="quiet" disabled={checkCost > available}>
									Check {plural(catchAll, 'address', 'addresses')}
								</Button>
							</Form>
						</Step>
					)}
					{offersAgain && (
						<Step
							title={`${plural(report.mayAnswerLater, 'address has', 'addresses have')} no answer${whyOf(report)}`}
							text={`Asking again costs at most ${plural(againCost, 'credit')}. Unknown answers are refunded. The answers are a list of their own.`}
						>
							<ButtonLink kind="quiet" href={`/dashboard/jobs/${job.jobId}/again`}>
								Ask again
							</ButtonLink>
						</Step>
					)}
				</ul>
			)}
		</Section>
	);
}

/** The reasons that another question may overcome: those with a `retry_after`, and what a finished list left unasked. */
type Later =
	| {
			[K in SubStatus]: (typeof SUB_STATUSES)[K] extends { retryAfterSeconds: unknown } ? K : never;
	  }[SubStatus]
	| 'not_asked';

/** Each of them in words, about several servers. */
const WHY: Readonly<Record<Later, string>> = {
	timeout: 'their servers took too long',
	no_connect: 'their servers could not be reached',
	unavailable_smtp: 'their servers were not available',
	greylisted: 'their servers asked us to come back later',
	rate_limited: 'their servers limit how much we ask',
	probe_blocked: 'their servers block us',
	dns_error: 'their name servers did not work',
	no_capacity: 'we had no capacity left',
	not_asked: 'the list was finished early',
	free_limit: 'the day had no free answers left',
	unexpected_error: 'something failed on our side',
};

/** The reason of all of them, or of most. */
function whyOf({ reasons, mayAnswerLater: open }: Report): string {
	const most = reasons.find(({ reason }) => Object.hasOwn(WHY, reason));
	if (most === undefined) return '';
	const why = WHY[most.reason as Later];
	return most.count >= open ? `: ${why}` : `, most often because ${why}`;
}

/** The checks at work and their findings. A script renews this part of the page, and the whole page once there are findings. */
export function LaterChecks({ job, tasks, again }: Pick<NextSteps, 'job' | 'tasks' | 'again'>) {
	const checks = again === null ? tasks : [...tasks, again];
	if (checks.length === 0) return null;
	const isWorking = checks.some(({ status }) => status === 'processing');
	return (
		<ul
			class="steps"
			data-live={`/dashboard/jobs/${job.jobId}/checks`}
			data-reload
			data-done={isWorking ? undefined : ''}
			data-says={isWorking ? undefined : 'The later check is done'}
		>
			{tasks.map((task) => (
				<LaterCheck
					check={task}
					title="Catch-all check"
					href={`/dashboard/tasks/${task.jobId}`}
					word="Show scores"
				/>
			))}
			{again !== null && (
				<LaterCheck
					check={again}
					title="Asked again"
					href={`/dashboard/jobs/${again.jobId}`}
					word="Show that list"
				/>
			)}
		</ul>
	);
}

/** A check that runs, or what it brought. */
function LaterCheck(props: {
	readonly check: JobRecord;
	readonly title: string;
	readonly href: string;
	readonly word: string;
}) {
	return (
		<Step title={props.title} text={stateOf(props.check)}>
			<ButtonLink kind="quiet" href={props.href}>
				{props.word}
			</ButtonLink>
		</Step>
	);
}

function stateOf({ status, processed, accepted, counts, creditsUsed }: JobRecord): string {
	if (status === 'failed') return 'It could not be finished and cost nothing.';
	if (status === 'processing') return `Running: ${ofAddresses(processed, accepted)} done.`;
	const { deliverable, undeliverable } = counts;
	return `Of ${plural(accepted, 'address', 'addresses')}, ${count(deliverable)} turned out deliverable and ${count(undeliverable)} undeliverable, for ${plural(creditsUsed, 'credit')}.`;
}

function Step(props: { readonly title: string; readonly text: string; readonly children: Child }) {
	return (
		<li>
			<div>
				<h3>{props.title}</h3>
				<p class="quiet">{props.text}</p>
			</div>
			{props.children}
		</li>
	);
}
