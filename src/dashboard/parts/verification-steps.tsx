import { domainOf } from '../../core/address/parse-address.ts';
import type { Progress } from '../../core/verification/trace.ts';
import { Icon } from './icon.tsx';
import { Mono } from './table.tsx';

type StepState = 'done' | 'current' | 'waiting';

const STATE_WORDS = { done: 'Done', current: 'Under way', waiting: 'Not begun' } as const satisfies Record<
	StepState,
	string
>;
const PLACES = ['domain', 'server', 'mailbox'] as const satisfies readonly Progress['at'][];

/** The steps of a verification that is under way: those that are over, the one that is being taken, those to come. */
export function VerificationSteps(props: { readonly email: string; readonly progress: Progress }) {
	const { email, progress } = props;
	const reached = PLACES.indexOf(progress.at);
	return (
		<ol class="stages" aria-label={`Verifying ${email}`}>
			{PLACES.map((place, index) => {
				const state: StepState = index < reached ? 'done' : index === reached ? 'current' : 'waiting';
				return (
					<li class={`stage-${state}`}>
						<span class="stage-mark">{state === 'done' && <Icon name="done" />}</span>
						<div>
							<strong>{NAMES[place]}</strong> <span class="unseen">{STATE_WORDS[state]}</span>
							<p class="quiet small">
								<StepWords place={place} progress={progress} email={email} />
							</p>
						</div>
					</li>
				);
			})}
		</ol>
	);
}

const NAMES = { domain: 'DNS', server: 'Mail server', mailbox: 'Mailbox' } as const;

function StepWords(props: {
	readonly place: Progress['at'];
	readonly progress: Progress;
	readonly email: string;
}) {
	const { place, progress } = props;
	const host = progress.at === 'domain' ? null : <Mono text={progress.host} />;
	switch (place) {
		case 'domain':
			if (host === null)
				return (
					<>
						Looking up where mail for <Mono text={domainOf(props.email)} /> goes
					</>
				);
			return <>Mail goes to {host}</>;
		case 'server':
			if (progress.at === 'mailbox')
				return (
					<>
						{host} {progress.replied ? 'replied' : 'did not reply'}
					</>
				);
			return host === null ? <>Next: the mailbox</> : <>Asking {host} about the mailbox</>;
		case 'mailbox':
			return progress.at === 'mailbox' ? <>Weighing the evidence</> : <>The answer comes last</>;
	}
}
