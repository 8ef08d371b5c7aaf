import type { Child } from 'hono/jsx';
import { PRICE } from '../../core/credits/price.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import { plural } from '../format.ts';
import { Section } from '../layout.tsx';
import { Button } from '../parts/button.tsx';
import { Form } from '../parts/form.tsx';
import { Time } from '../parts/figures.tsx';
import type { View } from '../view.ts';

export interface NextSteps {
	readonly view: View;
	readonly job: JobRecord;
	/** Credits that can be spent. */
	readonly available: number;
	/** Catch-all checks that were made from this job. */
	readonly tasks: readonly {
		readonly taskId: string;
		readonly name: string | null;
		readonly createdAt: number;
	}[];
}

/** What can be done with a finished list: check its catch-all addresses, ask about the unknown ones again. */
export function JobNextSteps({ view, job, available, tasks }: NextSteps) {
	const { catchAll, unknown } = job.counts;
	const [checkCost, againCost] = [catchAll * PRICE.catchall, unknown * PRICE.verification];
	// A list that resolved its catch-all addresses itself has had this check.
	const offersCheck = catchAll > 0 && tasks.length === 0 && job.rescuesCatchAll !== true;
	if (!offersCheck && unknown === 0 && tasks.length === 0) return null;
	return (
		<Section title="Next">
			<ul class="steps">
				{tasks.map(({ taskId, name, createdAt }) => (
					<li>
						<div>
							<h3>Catch-all check{name === null ? '' : `: ${name}`}</h3>
							<p class="quiet">
								Started <Time at={createdAt} now={view.now} />
							</p>
						</div>
						<a class="button button-quiet" href={`/dashboard/tasks/${taskId}`}>
							Show verdicts
						</a>
					</li>
				))}
				{offersCheck && (
					<Step
						title={`${plural(catchAll, 'address is', 'addresses are')} on domains that accept everything`}
						text={`A deeper check scores each one for ${plural(checkCost, 'credit')} at most, of ${plural(available, 'credit')} available. What it can't decide is refunded.`}
					>
						<Form view={view} action={`/dashboard/jobs/${job.jobId}/catch-all`} layout="plain">
							<Button kind="quiet" disabled={checkCost > available}>
								Check {plural(catchAll, 'address', 'addresses')}
							</Button>
						</Form>
					</Step>
				)}
				{unknown > 0 && (
					<Step
						title={`${plural(unknown, 'address', 'addresses')} got no answer`}
						text={`Their servers were out, slow or would not say, and the credits were refunded. Asking again later often helps; it is a list of its own for ${plural(againCost, 'credit')} at most.`}
					>
						<Form view={view} action={`/dashboard/jobs/${job.jobId}/again`} layout="plain">
							<Button kind="quiet" disabled={againCost > available}>
								Ask again
							</Button>
						</Form>
					</Step>
				)}
			</ul>
		</Section>
	);
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
