import { retentionInWords } from '../../../core/jobs/retention.ts';
import type { Examined } from '../../../engine/case.ts';
import { examplesOf } from '../../code-examples.ts';
import { count, plural } from '../../format.ts';
import { PublicPage } from '../../layout.tsx';
import { Button } from '../../parts/button.tsx';
import { CodeBlock, CodeTabs } from '../../parts/code.tsx';
import { Field, Form } from '../../parts/form.tsx';
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
	/** Addresses of the sandbox; empty with real DNS. */
	readonly samples: readonly string[];
	readonly tried: {
		readonly email: string;
		readonly error: string | null;
		readonly answer: Pick<Examined, 'result' | 'answeredBy' | 'breakdown'> | null;
	} | null;
}

/** Where the browser scrolls after an address was tried: to the answer, or to the form that was refused. */
const TRY = '/try#tried';

/** The front page: an address to try, the product at work on samples, and what it costs. */
export function LandingPage(props: LandingProps) {
	const { tried } = props;
	return (
		<PublicPage
			view={props.view}
			title="Email verification that says how it knows"
			description="Verify one address or 50,000. Honest answers for catch-all domains and security gateways. Unknowns are free."
			address="/"
			islands={['choice', 'copy']}
		>
			<div class="hero">
				<div>
					<h1>Email verification that says how it knows</h1>
					<p class="lead">
						Check one address or a list of {count(50_000)}. We ask the mail server, show you what it said, and
						charge only for answers. <em>Unknown</em> is free.
					</p>
					<TryIt {...props} />
				</div>
				{tried !== null && tried.answer !== null ? (
					<div id="tried" role="status">
						<ResultCard
							{...tried.answer}
							charged={null}
							again={(email) => (
								<Form view={props.view} action={TRY} layout="plain">
									<Button kind="quiet" size="small" name="email" value={email} label={`Verify ${email}`}>
										Verify
									</Button>
								</Form>
							)}
						/>
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
		</PublicPage>
	);
}

function TryIt({ view, tried, samples, trialCredits }: LandingProps) {
	const isRefused = tried !== null && tried.error !== null;
	return (
		<section class="try stack-small" id={isRefused ? 'tried' : 'try'} aria-label="Try it">
			<Form view={view} action={TRY} layout="inline">
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
				<Form view={view} action={TRY} layout="plain">
					<div class="row">
						<span class="small quiet">Sandbox samples:</span>
						{samples.map((sample) => (
							<Button kind="quiet" size="small" name="email" value={sample}>
								{sample}
							</Button>
						))}
					</div>
				</Form>
			)}
			<p class="try-more">
				<a href="/dashboard/sign-in">Create an account</a> for lists and the API
				{trialCredits > 0 && `. ${plural(trialCredits, 'credit')} free, no card`}.
			</p>
		</section>
	);
}

const [ANSWER] = ANSWERS;

function FirstCall({ baseUrl, samples }: LandingProps) {
	return (
		<section class="band split split-even" aria-labelledby="first-call">
			<div class="stack">
				<h2 id="first-call">One call, one answer</h2>
				<p class="lead">The answer has the status, the reason in words, and a code for your program.</p>
				<CodeTabs
					id="first"
					examples={examplesOf(baseUrl, {
						method: 'POST',
						path: '/v1/verify',
						body: { email: samples[0] ?? ANSWER.email },
					})}
				/>
				<p>
					<a href="/docs">Quickstart</a> in curl, TypeScript and Python, with free test keys.{' '}
					<a href="/docs/guides/client">TypeScript client and command line</a>
				</p>
			</div>
			<div class="wide-head">
				<CodeBlock id="first-answer" code={JSON.stringify(ANSWER, null, 2)} what="The answer as JSON" />
			</div>
		</section>
	);
}

const PROMISES = [
	{
		title: 'Lists come back whole',
		text: 'Your columns stay, in CSV or Excel. Duplicates and malformed rows cost nothing, and you see which they are.',
	},
	{
		title: 'Credits add up',
		text: 'We refund every unknown. The ledger shows each line, and its sum is your balance.',
	},
	{
		title: 'Deleted after {kept}',
		text: 'We delete lists and results {kept} after a job ends. The ledger keeps counts, no addresses.',
	},
	{
		title: 'No message is ever sent',
		text: 'We leave before a message would begin. Nobody on your list receives anything.',
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
