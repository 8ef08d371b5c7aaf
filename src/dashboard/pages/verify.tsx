import { domainOf } from '../../core/address/parse-address.ts';
import { PRICE } from '../../core/credits/price.ts';
import { AT_WORK_MS } from '../../core/verification/history.ts';
import type { Progress } from '../../core/verification/trace.ts';
import type { ShownVerification } from '../../operations/verify/history-port.ts';
import type { Flash } from '../session.ts';
import { plural } from '../format.ts';
import { DashboardPage } from '../layout.tsx';
import { Button } from '../parts/button.tsx';
import { Field, Form } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { Empty, Mono } from '../parts/table.tsx';
import { FlashNotice, Notice } from '../parts/notice.tsx';
import { ResultCard } from '../parts/result-card.tsx';
import { VerificationHistory } from '../parts/verification-history.tsx';
import type { ShownHistory } from '../parts/verification-history.tsx';
import type { View } from '../view.ts';

export interface VerifyProps {
	readonly view: View;
	readonly email: string;
	readonly error: string | null;
	readonly available: number;
	/** The verification that was asked for; null: none yet. */
	readonly shown: ShownVerification | null;
	readonly history: ShownHistory;
	readonly flash: Flash | null;
}

// Without a script.
const REFRESH_SECONDS = 2;

/** Verifies one address, shows the result in full, and those of the last two days. */
export function VerifyPage({ view, email, error, available, shown, history, flash }: VerifyProps) {
	const works = shown !== null && isAtWork(shown, view.now);
	return (
		<DashboardPage
			view={view}
			place="Verify"
			title="Verify an address"
			lead={`${plural(PRICE.single, 'credit')} for a definite answer, nothing for an unknown. ${plural(available, 'credit')} available.`}
			islands={works ? ['copy', 'live'] : ['copy']}
			refreshSeconds={works ? REFRESH_SECONDS : undefined}
		>
			<FlashNotice flash={flash} />
			<Form view={view} action="/dashboard/verify" layout="inline">
				<Field
					name="email"
					type="email"
					label="Email address"
					value={email}
					error={error ?? undefined}
					hint="We ask its mail server, up to 15 seconds, and never send a mail."
					placeholder="jane@acme.com"
					autocomplete="off"
					mono
					required
					autofocus={shown === null}
				/>
				<Button>Verify address</Button>
			</Form>
			<p id="live-says" class="unseen" role="status" />
			{shown === null ? (
				<Empty
					title="No answer yet"
					text="You will see the status, the reason, the mail server that answered and, for a domain that accepts everything, how its score adds up."
				/>
			) : (
				<VerificationLive view={view} shown={shown} />
			)}
			<VerificationHistory view={view} history={history} current={shown?.id ?? null} />
		</DashboardPage>
	);
}

/** A verification: its steps, which a script renews, then its answer. */
export function VerificationLive({
	view,
	shown,
}: {
	readonly view: View;
	readonly shown: ShownVerification;
}) {
	const works = isAtWork(shown, view.now);
	return (
		<div
			data-live={`/dashboard/verify/${shown.id}/live`}
			data-every="0.5"
			data-reload
			data-done={works ? undefined : ''}
			data-says={works ? undefined : 'The answer is there'}
		>
			<Shown view={view} shown={shown} />
		</div>
	);
}

function Shown({ view, shown }: { readonly view: View; readonly shown: ShownVerification }) {
	const { state } = shown;
	if (state.kind === 'answered')
		return (
			<ResultCard
				{...state.answer}
				hrefOf={(other) => `/dashboard/verify?email=${encodeURIComponent(other)}`}
			/>
		);
	if (state.kind === 'under_way' && isAtWork(shown, view.now))
		return (
			<div class="card stack">
				<p class="address">
					<Mono text={shown.email} />
				</p>
				<Steps email={shown.email} progress={state.progress} />
			</div>
		);
	return (
		<Notice kind="failed" title="This verification could not be finished">
			<p>
				It stopped on our side and says nothing about the address. Nothing was charged, and we release a
				reserved credit within minutes. Verify the address again.
			</p>
		</Notice>
	);
}

function isAtWork({ state, at }: ShownVerification, now: number): boolean {
	return state.kind === 'under_way' && now - at < AT_WORK_MS;
}

type StepState = 'done' | 'current' | 'waiting';

const STATE_WORDS = { done: 'Done', current: 'Under way', waiting: 'Not begun' } as const satisfies Record<
	StepState,
	string
>;
const PLACES = ['domain', 'server', 'mailbox'] as const satisfies readonly Progress['at'][];

/** The steps of a verification that is under way: those that are over, the one that is being taken, those to come. */
function Steps({ email, progress }: { readonly email: string; readonly progress: Progress }) {
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
