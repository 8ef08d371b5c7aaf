import type { Child } from 'hono/jsx';
import type { Address } from '../../core/address/parse-address.ts';
import { inCredits, PRICE } from '../../core/credits/price.ts';
import type { Report } from '../../core/jobs/report/report.ts';
import { retentionInWords } from '../../core/jobs/retention.ts';
import { SUB_STATUSES } from '../../core/verification/sub-status.ts';
import { exampleOf } from '../../http/schemas/verification.ts';
import type { Examined } from '../../operations/verify/verify.ts';
import { tryAddress } from '../../operations/verify/verify.ts';
import { clientAndDevice, waitOf, sandboxSamples, contactUrlOf } from '../view.ts';
import { form, addressText } from '../form.tsx';
import type { Refusal } from '../form.tsx';
import { count, plural } from '../format.ts';
import { PublicPage } from '../layout.tsx';
import { StatusBadge, AskForCredits, Packs, Mono, Tag } from '../parts/table.tsx';
import { ButtonLink, QuietLink } from '../parts/basic.tsx';
import { Reasons, ReportPicture } from '../parts/report-picture.tsx';
import { ResultCard, VerifyNow } from '../parts/result-card.tsx';
import { Place } from '../place.tsx';
import type { Visit } from '../view.ts';

const TRY = '/try#tried';

/** The front page: an address to try, the product at work on samples, and its prices. */
export const landingPlace = new Place('/', {
	load: (visit) => dataOf(visit),
	view: (data, { refused, Form }) => (
		<PublicPage
			title="Email verification that says how it knows"
			description="Verify one address or 50,000. Honest answers for catch-all domains and security gateways. Unknowns are free."
			address="/"
		>
			<div class="hero">
				<div>
					<h1>Email verification that says how it knows</h1>
					<p class="lead">
						Check one address or a list of {count(50_000)}. We ask the mail server, show you what it said, and
						charge only for answers. <em>Unknown</em> is free.
					</p>
					<section class="stack" id={refused === null ? 'try' : 'tried'} aria-label="Try it">
						<Form of="try" values={{ email: data.email }} />
						{data.samples.length > 0 && (
							<div class="row">
								<span class="small quiet">Sandbox samples:</span>
								{data.samples.map((sample) => (
									<VerifyNow at={TRY} email={sample} words={sample} />
								))}
							</div>
						)}
						<p>
							<a href="/dashboard/sign-in">Create an account</a> for lists and the API
							{data.trialCredits > 0 && `. ${plural(data.trialCredits, 'free credit')}, no card`}.
						</p>
					</section>
				</div>
				{data.answer === null ? (
					<SampleReport>
						<Reasons report={REPORT} />
						<p class="small quiet">
							{count(REPORT.total - REPORT.counts.unknown)} credits used, {count(REPORT.counts.unknown)}{' '}
							refunded because the servers would not say.
						</p>
					</SampleReport>
				) : (
					<div id="tried" role="status">
						<ResultCard {...data.answer} charged={null} tryAt={TRY} />
					</div>
				)}
			</div>
			<SampleAnswers />
			<SampleConversation />
			<Facts kept={retentionInWords(data.resultsTtlMs)} />
			<Prices {...data} />
		</PublicPage>
	),
	forms: {
		try: form({
			hash: 'tried',
			button: 'Verify address',
			layout: 'inline',
			fields: {
				email: addressText(
					'Try an email address',
					'Free, without an account. We ask its mail server and never send a mail.',
				),
			},
			run: async (visit, { email }) => tryIt(visit, email),
		}),
	},
});

function Prices({ packs, contactUrl, trialCredits }: ReturnType<typeof dataOf>) {
	return (
		<section class="band" aria-labelledby="prices">
			<h2 id="prices">You pay for answers</h2>
			<p class="lead">
				No subscription, no minimum. {inCredits(PRICE.single)} for a definite answer; unknowns, duplicates and
				malformed rows are free. You see the price of a list before you start it.
			</p>
			<div class="stack">
				{packs.length > 0 ? <Packs packs={packs} /> : <AskForCredits contactUrl={contactUrl} />}
				<div class="row">
					<ButtonLink href="/dashboard/sign-in">
						{trialCredits > 0 ? `Start with ${plural(trialCredits, 'free credit')}` : 'Create account'}
					</ButtonLink>
					<QuietLink href="/docs">Read the docs</QuietLink>
				</div>
			</div>
		</section>
	);
}

type Answer = Pick<Examined, 'result' | 'answeredBy' | 'breakdown'>;

/** What the page shows. `email` and `answer`: the address that was tried, and its answer. */
function dataOf({ c, services }: Visit, email = '', answer: Answer | null = null) {
	const { trialCredits, jobTiming, config } = services;
	return {
		trialCredits,
		resultsTtlMs: jobTiming.resultsTtlMs,
		/** Addresses of the sandbox; empty with real DNS. */
		samples: sandboxSamples(c),
		/** The prices of credits; empty where the operator shows none. */
		packs: config.CREDIT_PACKS,
		contactUrl: contactUrlOf(config),
		email,
		answer,
	};
}

// Answers itself, without a redirect: the page after one would have to find the answer. Nothing of an anonymous person is
// stored, no URL has an address, and to ask anew whenever a page is loaded would cost us. Sent again, it counts again.
async function tryIt(visit: Visit, address: Address): Promise<Response | Refusal> {
	const { c, services } = visit;
	services.requireProber();
	const tried = await tryAddress(services, { address, client: clientAndDevice(c).client });
	if (tried.kind === 'throttled') {
		const why = tried.isOwn ? 'That was your tenth free check.' : 'All free checks are taken at the moment.';
		const more = services.trialCredits > 0 ? `for ${count(services.trialCredits)} more` : 'to go on';
		const email = `${why} Sign up ${more}, or try again in ${waitOf(c, tried)}.`;
		return { errors: { email }, status: 429 };
	}
	return landingPlace.answer(visit, dataOf(visit, address.email, tried));
}

// The samples of the front page, with invented addresses. test/unit/dashboard/landing.test.tsx checks that the service
// itself answers and speaks like this.

/** The report of a list, as its page begins. */
export const REPORT: Pick<Report, 'total' | 'counts' | 'reasons'> = {
	total: 20_000,
	counts: { deliverable: 16_954, undeliverable: 2_468, risky: 114, unknown: 464 },
	reasons: [
		{ reason: 'accepted_email', count: 16_212 },
		{ reason: 'rejected_email', count: 1_690 },
		{ reason: 'catch_all_valid', count: 742 },
		{ reason: 'no_mx_records', count: 500 },
		{ reason: 'catch_all_invalid', count: 278 },
		{ reason: 'catch_all_unresolved', count: 268 },
		{ reason: 'greylisted', count: 196 },
		{ reason: 'mailbox_full', count: 114 },
	],
};

/** The beginning of the report, in a frame that says whose data it is, and what stands below it. */
export function SampleReport({ children }: { readonly children: Child }) {
	return (
		<div class="sample" id="report" role="group" aria-label="Sample: July newsletter">
			<p class="spread sample-head">
				<span>July newsletter</span>
				<Tag tone="accent">Sample</Tag>
			</p>
			<div class="sample-body stack">
				<ReportPicture id="sample-headline" report={REPORT} />
				{children}
			</div>
		</div>
	);
}

/** One answer of each status, as the service gives it. */
const ANSWERS = [
	exampleOf('ada@lovelace.example', { mxRecord: 'aspmx.l.google.com', smtpProvider: 'google' }),
	exampleOf('old.sales@acme.example', { subStatus: 'rejected_email', mxRecord: 'mx.acme.example' }),
	exampleOf('jane@gmial.com', { subStatus: 'possible_typo' }, 'gmail.com'),
	exampleOf('alan@bletchley.example', { subStatus: 'greylisted', replyCode: '450 4.2.0' }),
];

function SampleAnswers() {
	return (
		<section class="band" aria-labelledby="samples">
			<h2 id="samples">Four answers, and what each one costs</h2>
			<p class="lead">Every answer gives its reason. Silence is unknown and free, never undeliverable.</p>
			<ul class="sample-answers">
				{ANSWERS.map(({ email, status, did_you_mean: meant, details }) => (
					<li class="card stack-small">
						<p class="spread">
							<StatusBadge status={status} />
							<span class="small quiet">{status === 'unknown' ? 'Free' : inCredits(PRICE.single)}</span>
						</p>
						<p class="address">
							<Mono text={email} />
						</p>
						<p>{details.general.reason}.</p>
						{meant !== null && (
							<p>
								Did you mean <Mono text={meant} />?
							</p>
						)}
					</li>
				))}
			</ul>
			<p class="small quiet">
				The addresses are samples. A catch-all domain gets{' '}
				<a href="/docs/guides/catch-all-score">a score you can check</a>.
			</p>
		</section>
	);
}

export const TALK_ABOUT = { target: 'ada@lovelace.example', invented: 'k7wq2vzt9d@lovelace.example' };

/** A conversation about TALK_ABOUT.target: each line, and what it proves. `us` speaks to `them`. */
export const CONVERSATION: readonly (readonly ['us' | 'them', string, string])[] = [
	['them', '220 mx.lovelace.example ESMTP', 'A mail server answers. Silence would be an unknown.'],
	['us', 'EHLO probe.mailsonar.example', 'Our real name, so that its operator can find us.'],
	['them', '250 mx.lovelace.example', 'It talks to us: we are on no blocklist of theirs.'],
	['us', 'MAIL FROM:<verify@mailsonar.example>', 'A refusal here is about us, and never about the mailbox.'],
	['them', '250 2.1.0 Ok', 'It would take mail from us. Only now does its next answer mean anything.'],
	['us', 'RCPT TO:<ada@lovelace.example>', 'The question.'],
	['them', '250 2.1.5 Ok', 'Yes. By itself this proves nothing: a catch-all domain says it to everybody.'],
	['us', 'RCPT TO:<k7wq2vzt9d@lovelace.example>', 'So we ask for a name that surely does not exist.'],
	['them', '550 5.1.1 No such user', 'No. This server tells names apart, and its yes is worth something.'],
	['us', 'QUIT', 'We leave before DATA. No message was begun, and nobody receives anything.'],
];

function SampleConversation() {
	return (
		<section class="band" aria-labelledby="how">
			<h2 id="how">How it knows: it asks, and you can read along</h2>
			<p class="lead">
				Only the mail server knows whether a mailbox exists. This is our conversation about{' '}
				<Mono text={TALK_ABOUT.target} />, and what each line proves.
			</p>
			<ol class="talk">
				{CONVERSATION.map(([by, line, proves]) => (
					<li>
						<span class="small quiet">{by === 'us' ? 'We say' : 'Server'}</span>
						<code>
							<Mono text={line} />
						</code>
						<span>{proves}</span>
					</li>
				))}
				<li>
					<span class="small quiet">Answer</span>
					<span>
						<StatusBadge status="deliverable" />
					</span>
					<span>{SUB_STATUSES.accepted_email.reason}, and not every other.</span>
				</li>
			</ol>
		</section>
	);
}

function Facts({ kept }: { readonly kept: string }) {
	const facts: Readonly<Record<string, Child>> = {
		'Lists come back whole':
			'Your rows and columns stay. Duplicates and malformed rows cost nothing, and you see which they are.',
		'No message is ever sent':
			'We leave before a message would begin. Nobody on your list receives anything.',
		[`Deleted after ${kept}`]: (
			<>
				We delete lists and results {kept} after a job ends. The ledger keeps counts, no addresses.{' '}
				<a href="/security">Security and privacy</a>
			</>
		),
	};
	return (
		<section class="band" aria-labelledby="facts">
			<h2 id="facts">What you can rely on</h2>
			<ul class="points">
				{Object.entries(facts).map(([title, words]) => (
					<li>
						<h3>{title}</h3>
						<p>{words}</p>
					</li>
				))}
			</ul>
		</section>
	);
}
