import { inCredits, PRICE } from '../../../core/credits/price.ts';
import { retentionInWords } from '../../../core/jobs/retention.ts';
import type { Examined } from '../../../engine/examination.ts';
import { examplesOf } from '../../code-examples.ts';
import { count, plural } from '../../format.ts';
import { PublicPage } from '../../layout.tsx';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { CodeBlock, CodeTabs } from '../../parts/code.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { breakable } from '../../parts/table.tsx';
import { ResultCard } from '../../parts/result-card.tsx';
import type { View } from '../../view.ts';
import { Measured, Prices } from './landing-prices.tsx';
import type { PricesProps } from './landing-prices.tsx';
import { ANSWERS } from './landing-samples.ts';
import { SampleAnswers, SampleConversation, SampleReport, SampleScore } from './landing-proof.tsx';

export interface LandingProps extends PricesProps {
	readonly view: View;
	/** The public address of the API. */
	readonly baseUrl: string;
	readonly resultsTtlMs: number;
	/** Addresses to try in the sandbox; empty with real DNS. */
	readonly samples: readonly string[];
	readonly tried: {
		readonly email: string;
		readonly error: string | null;
		readonly answer: Pick<Examined, 'result' | 'answeredBy' | 'breakdown'> | null;
	} | null;
}

/** The front page: an address to try, the product at work on samples, and what it costs. */
export function LandingPage(props: LandingProps) {
	const { tried } = props;
	return (
		<PublicPage
			view={props.view}
			title="Email verification that says how it knows"
			description="Verify one address or 50,000. An honest answer for catch-all domains and secure gateways; what nobody can know costs nothing."
			address="/"
			islands={['choice', 'copy']}
		>
			<div class="hero">
				<div>
					<h1>Email verification that says how it knows</h1>
					<p class="lead">
						Check one address or a list of {count(50_000)}. We ask the mail server, show you what it said, and
						charge for answers only: <em>unknown</em> is free.
					</p>
					<TryIt {...props} />
				</div>
				{tried !== null && tried.answer !== null ? (
					<div role="status">
						<ResultCard {...tried.answer} charged={null} />
					</div>
				) : (
					<SampleReport />
				)}
			</div>
			<SampleAnswers />
			<SampleScore />
			<SampleConversation />
			<Measured />
			<Promises resultsTtlMs={props.resultsTtlMs} />
			<FirstCall {...props} />
			<Prices {...props} />
			<section class="band closing" aria-labelledby="begin">
				<h2 id="begin">See what your list is worth</h2>
				<p class="lead">
					Upload it and look at the preview: nothing is charged until you start.
					{props.trialCredits > 0 &&
						` The first ${plural(props.trialCredits, 'credit is', 'credits are')} free, no card needed.`}
				</p>
				<div class="actions">
					<ButtonLink href="/dashboard/sign-up" size="large">
						Create account
					</ButtonLink>
					<ButtonLink kind="quiet" href="/docs" size="large">
						Read the docs
					</ButtonLink>
				</div>
			</section>
		</PublicPage>
	);
}

function TryIt({ view, tried, samples, trialCredits }: LandingProps) {
	return (
		<section class="try stack-small" id="try" aria-label="Try it">
			<Form view={view} action="/try#try" layout="inline">
				<Field
					name="email"
					type="email"
					label="Try an email address"
					value={tried?.email ?? ''}
					placeholder={samples[0] ?? 'jane@acme.com'}
					autocomplete="off"
					mono
					required
					error={tried?.error ?? undefined}
					hint="Free, without an account. We ask its mail server and never send a mail."
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
			<p class="try-more">
				<a href="/dashboard/sign-up">Create an account</a> for lists and the API
				{trialCredits > 0 && `: ${plural(trialCredits, 'credit')} to begin with, no card`}. A definite answer
				costs {inCredits(PRICE.single)}.
			</p>
		</section>
	);
}

const { result: ANSWER } = ANSWERS[0];

function FirstCall({ baseUrl, samples }: LandingProps) {
	return (
		<section class="band split split-even" aria-labelledby="first-call">
			<div class="stack">
				<h2 id="first-call">One call, one answer</h2>
				<p class="lead">
					A key in the header, an address in the body. The answer has the status, the reason in words, a code
					for your program, and the mail server that spoke.
				</p>
				<CodeTabs
					id="first"
					examples={examplesOf(baseUrl, {
						method: 'POST',
						path: '/v1/verify',
						body: { email: samples[0] ?? ANSWER.email },
					})}
				/>
				<p>
					<a href="/docs">Quickstart</a>, in five languages, with keys that cost nothing to test. For
					TypeScript and for the command line there is <a href="/docs/guides/client">the package mailsonar</a>
					.
				</p>
			</div>
			<CodeBlock id="first-answer" code={JSON.stringify(ANSWER, null, 2)} what="The answer as JSON" />
		</section>
	);
}

const PROMISES = [
	{
		title: 'Lists that come back whole',
		text: 'Your columns stay, in CSV or Excel. Duplicates and malformed rows are dropped before they cost anything, and you see which.',
	},
	{
		title: 'Credits that add up',
		text: 'Set aside before the work, charged for answers, given back for every unknown. The ledger shows each line and sums to your balance.',
	},
	{
		title: 'Retries that charge once',
		text: 'Repeat a request with its Idempotency-Key as often as your network needs. The first answer comes back.',
	},
	{
		title: 'Patience with busy servers',
		text: 'A server that asks us to come back is asked again later, by itself. Your list does not fail over it.',
	},
	{
		title: 'Kept for {kept}, then gone',
		text: 'Uploaded lists and results are deleted {kept} after a job ends. The ledger keeps counts and no addresses.',
	},
	{
		title: 'No message is ever sent',
		text: 'The conversation ends before a message would begin. Nobody on your list receives anything.',
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
			<p class="band-more">
				<a href="/security">Security and privacy</a>
			</p>
		</section>
	);
}
