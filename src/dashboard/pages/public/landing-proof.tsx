import { inCredits, PRICE } from '../../../core/credits/price.ts';
import { SUB_STATUSES } from '../../../core/verification/sub-status.ts';
import { ScoreWaterfall } from '../../charts/score-waterfall.tsx';
import { count } from '../../format.ts';
import { StatusBadge, VerdictBadge } from '../../parts/badge.tsx';
import { Mono } from '../../parts/table.tsx';
import { Reasons, ReportPicture } from '../../parts/report-picture.tsx';
import { SampleFrame } from '../../parts/code.tsx';
import {
	ANSWERS,
	BREAKDOWN,
	CONVERSATION,
	OTHER_SCORE,
	REPORT,
	SCORE,
	SCORED,
	TALK_ABOUT,
} from './landing-samples.ts';
import type { SpokenLine } from './landing-samples.ts';

// The parts of the front page that show the product at work, with samples.

/** The report of a list, drawn as its page draws it. */
export function SampleReport() {
	return (
		<SampleFrame title="July newsletter" id="report">
			<ReportPicture id="sample-headline" report={REPORT} />
			<Reasons report={REPORT} />
			<p class="small quiet">
				{count(REPORT.total - REPORT.counts.unknown)} credits used, {count(REPORT.counts.unknown)} refunded
				because the servers would not say.
			</p>
		</SampleFrame>
	);
}

/** One answer of each status. */
export function SampleAnswers() {
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
			<p class="small quiet">The addresses are samples.</p>
		</section>
	);
}

/** A score with its working. */
export function SampleScore() {
	return (
		<section class="band split split-score" aria-labelledby="scores">
			<div class="stack">
				<h2 id="scores">Catch-all domains get a score you can check</h2>
				<p class="lead">
					Some domains accept every address. We weigh the other evidence, and show you every point of the
					score.
				</p>
				<ul class="same-domain">
					<li>
						<Mono text={SCORED} />
						<span class="row">
							<strong>{SCORE}</strong> <VerdictBadge verdict="valid" />
						</span>
					</li>
					<li>
						<Mono text="xq7zr9kk@navy.example" />
						<span class="row">
							<strong>{OTHER_SCORE}</strong> <VerdictBadge verdict="unknown" />
						</span>
					</li>
				</ul>
				<p class="quiet">
					Same domain, same reply from its server. The second name looks typed at random, so it stays unknown
					and free.
				</p>
				<p>
					<a href="/docs/guides/catch-all-score">How a score adds up</a>
				</p>
			</div>
			<div class="wide-head">
				<SampleFrame title={`Why ${SCORED} scores ${SCORE}`}>
					<ScoreWaterfall breakdown={BREAKDOWN} score={SCORE} />
				</SampleFrame>
			</div>
		</section>
	);
}

/** The conversation behind an answer, line by line. */
export function SampleConversation() {
	return (
		<section class="band" aria-labelledby="how">
			<h2 id="how">How it knows: it asks, and you can read along</h2>
			<p class="lead">
				Only the mail server knows whether a mailbox exists. This is our conversation about{' '}
				<Mono text={TALK_ABOUT.target} />, and what each line proves.
			</p>
			<ol class="talk">
				{CONVERSATION.map((spoken) => (
					<Spoken {...spoken} />
				))}
				<li class="talk-verdict">
					<p class="talk-line">
						<span class="talk-who small quiet">Answer</span>
						<span>
							<StatusBadge status="deliverable" />
						</span>
					</p>
					<p class="talk-proves">{SUB_STATUSES.accepted_email.reason}, and not every other.</p>
				</li>
			</ol>
		</section>
	);
}

// A phone shows the two questions and the answers that decide.
function Spoken({ by, line, proves, decides }: SpokenLine) {
	const isAside = decides !== true && !line.startsWith('RCPT');
	return (
		<li class={`talk-${by} ${decides === true ? 'talk-decides' : ''} ${isAside ? 'wide-head' : ''}`.trim()}>
			<p class="talk-line">
				<span class="talk-who small quiet">{by === 'us' ? 'We say' : 'Server'}</span>
				<code>
					<Mono text={line} />
				</code>
			</p>
			<p class="talk-proves">{proves}</p>
		</li>
	);
}
