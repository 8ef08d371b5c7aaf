import { PRICE } from '../../core/credits/price.ts';
import { retentionInWords } from '../../core/jobs/retention.ts';
import { SUB_STATUSES } from '../../core/verification/sub-status.ts';
import type { Examined } from '../../engine/examined.ts';
import { examplesOf } from '../code-examples.ts';
import { PublicPage } from '../layout.tsx';
import { Shape, StatusBadge } from '../parts/badge.tsx';
import { Button, ButtonLink } from '../parts/button.tsx';
import { CodeTabs } from '../parts/code.tsx';
import { Field, Form } from '../parts/form.tsx';
import { Mono, breakable } from '../parts/long-text.tsx';
import { ResultCard } from '../parts/result-card.tsx';
import { count, plural } from '../format.ts';
import type { View } from '../view.ts';

export interface LandingProps {
	readonly view: View;
	/** The public address of the API. */
	readonly baseUrl: string;
	readonly trialCredits: number;
	readonly resultsTtlMs: number;
	/** Addresses to try in the sandbox; empty with real DNS. */
	readonly samples: readonly string[];
	readonly tried: {
		readonly email: string;
		readonly error: string | null;
		readonly answer: Pick<Examined, 'result' | 'answeredBy' | 'breakdown'> | null;
	} | null;
}

/** The front page, with a box to try an address. */
export function LandingPage(props: LandingProps) {
	return (
		<PublicPage
			view={props.view}
			title="Email verification that says how it knows"
			description="Verify one address or 50,000. An honest answer for catch-all domains and secure gateways; what nobody can know costs nothing."
			islands={['choice', 'copy']}
		>
			<div class="hero">
				<div>
					<h1>Email verification that says how it knows</h1>
					<p class="lead">
						Ask about one address or {count(50_000)}. Mailsonar talks to the mail server itself and tells you
						what it said. Where a server would not say, the answer is <em>unknown</em>, names whose doing that
						was, and costs nothing.
					</p>
					<div class="actions">
						<ButtonLink href="/dashboard/sign-up" size="large">
							Create account
						</ButtonLink>
						<ButtonLink kind="quiet" href="/docs" size="large">
							Read the docs
						</ButtonLink>
					</div>
					<p class="quiet hero-note">
						{plural(props.trialCredits, 'credit')} to begin with. No card. A definite answer costs{' '}
						{plural(PRICE.single, 'credit')}.
					</p>
				</div>
				<TryIt {...props} />
			</div>
			<Outcomes />
			<Promises resultsTtlMs={props.resultsTtlMs} />
			<section class="band" aria-labelledby="first-call">
				<h2 id="first-call">One call, one answer</h2>
				<p class="lead">
					A key in the header, an address in the body. The answer holds the status, the reason in words, a
					code for your program and the mail server that spoke.
				</p>
				<div class="band-body">
					<CodeTabs
						id="first"
						examples={examplesOf(props.baseUrl, {
							method: 'POST',
							path: '/v1/verify',
							body: { email: props.samples[0] ?? 'jane@acme.com' },
						})}
					/>
				</div>
			</section>
		</PublicPage>
	);
}

function TryIt({ view, tried, samples }: LandingProps) {
	return (
		<section class="stack" id="try" aria-labelledby="try-title">
			<div class="card stack">
				<h2 id="try-title">Try it</h2>
				<Form view={view} action="/try#try" layout="inline">
					<Field
						name="email"
						type="email"
						label="Email address"
						value={tried?.email ?? ''}
						placeholder={samples[0] ?? 'jane@acme.com'}
						autocomplete="off"
						mono
						required
						error={tried?.error ?? undefined}
						hint="We connect to its mail server and never send a mail."
					/>
					<Button>Verify address</Button>
				</Form>
				{samples.length > 0 && (
					<p class="small quiet">
						This is a development sandbox. Addresses that exist in it:{' '}
						{samples.map((sample, index) => (
							<>
								{index > 0 && ', '}
								<code>{breakable(sample)}</code>
							</>
						))}
						.
					</p>
				)}
			</div>
			{tried !== null && tried.answer !== null ? (
				<div role="status">
					<ResultCard {...tried.answer} charged={null} />
				</div>
			) : (
				<ExampleAnswer />
			)}
		</section>
	);
}

/** A made-up answer, labelled as such, shown until the visitor tries an address. */
function ExampleAnswer() {
	return (
		<div class="card stack-small" aria-label="What an answer looks like" role="group">
			<p class="small quiet">An answer looks like this</p>
			<div class="verdict">
				<span class="disc tone-unknown">
					<Shape tone="unknown" />
				</span>
				<div class="stack-small">
					<p class="address">
						<Mono text="alan@bletchley.example" />
					</p>
					<p>
						<strong class="ink-unknown">Unknown</strong>
					</p>
					<p>{SUB_STATUSES.greylisted.reason}. The mail server replied 450 4.2.0.</p>
					<p class="quiet">Not charged. In a list, we come back later by ourselves.</p>
				</div>
			</div>
		</div>
	);
}

const OUTCOMES = [
	{
		status: 'deliverable',
		text: 'The mail server accepts this mailbox, on a domain that does not say yes to everything.',
	},
	{
		status: 'undeliverable',
		text: 'The server says that there is no such mailbox, or the domain takes no mail at all. Said only on proof.',
	},
	{
		status: 'risky',
		text: 'The mailbox is full, the domain looks like a slip of the pen, or it accepts everything it is asked.',
	},
	{
		status: 'unknown',
		text: 'The server was out, asked us to come back, or refuses to say. We tell you which, and refund the credit.',
	},
] as const;

function Outcomes() {
	return (
		<section class="band" aria-labelledby="outcomes">
			<h2 id="outcomes">Four answers, each with its reason</h2>
			<p class="lead">
				A wrong verdict costs you a customer or a bounce. So a doubt stays a doubt: a temporary refusal is
				never taken for a dead mailbox, and a block that is about us is never blamed on your address.
			</p>
			<ul class="points points-four">
				{OUTCOMES.map(({ status, text }) => (
					<li>
						<StatusBadge status={status} />
						<p>{text}</p>
					</li>
				))}
			</ul>
		</section>
	);
}

const PROMISES = [
	{
		title: 'Catch-all domains, with the working shown',
		text: 'A domain that accepts everything is scored from 0 to 100 on its mail route, age, the mailbox name and what the server let slip. Every point of the score is listed.',
	},
	{
		title: 'Lists up to 50,000',
		text: 'Upload a CSV or send one request. Duplicates and malformed rows are dropped before they cost anything; servers that ask for patience get it.',
	},
	{
		title: 'Credits that add up',
		text: 'Set aside before the work, charged for answers, given back for every unknown. The ledger shows each line and sums to your balance.',
	},
	{
		title: 'Retries that charge once',
		text: 'Send an Idempotency-Key and repeat a request as often as your network needs. The first answer comes back, and nothing is charged twice.',
	},
	{
		title: 'Kept for {kept}, then gone',
		text: 'Uploaded lists and results are deleted {kept} after a job ends. The ledger keeps counts and no addresses.',
	},
	{
		title: 'Never a mail',
		text: 'A check ends before the message would begin. Nobody on your list receives anything.',
	},
] as const;

function Promises({ resultsTtlMs }: Pick<LandingProps, 'resultsTtlMs'>) {
	const kept = retentionInWords(resultsTtlMs);
	return (
		<section class="band" aria-labelledby="promises">
			<h2 id="promises">What you can rely on</h2>
			<ul class="points">
				{PROMISES.map(({ title, text }) => (
					<li>
						<h3>{title.replace('{kept}', kept)}</h3>
						<p>{text.replace('{kept}', kept)}</p>
					</li>
				))}
			</ul>
		</section>
	);
}
