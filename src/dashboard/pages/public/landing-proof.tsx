import { inCredits, PRICE } from '../../../core/credits/price.ts';
import { SUB_STATUSES } from '../../../core/verification/sub-status.ts';
import { ScoreWaterfall } from '../../charts/score-waterfall.tsx';
import { count } from '../../format.ts';
import { StatusBadge, VerdictBadge } from '../../parts/badge.tsx';
import { Mono } from '../../parts/table.tsx';
import { Reasons, ReportPicture } from '../../parts/report-picture.tsx';
import { ResultCard } from '../../parts/result-card.tsx';
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
				{count(REPORT.total - REPORT.counts.unknown)} credits used. {count(REPORT.counts.unknown)} came back,
				because the servers would not say.
			</p>
		</SampleFrame>
	);
}

/** One answer of each kind, as the dashboard shows it. */
export function SampleAnswers() {
	return (
		<section class="band" aria-labelledby="samples">
			<h2 id="samples">Three answers, and what each one costs</h2>
			<p class="lead">
				Every answer names its reason and who gave it. A temporary refusal is never taken for a dead mailbox,
				and a block that is about us is never blamed on your address.
			</p>
			<ul class="sample-answers">
				{ANSWERS.map(({ result, answeredBy }) => (
					<li>
						<ResultCard
							result={result}
							answeredBy={answeredBy}
							charged={result.status === 'unknown' ? 0 : PRICE.single}
							breakdown={null}
							brief
						/>
					</li>
				))}
			</ul>
			<p class="small quiet">
				Samples: the addresses are invented, the cards are the product’s. The other two answers are{' '}
				<StatusBadge status="undeliverable" /> said only on proof, and <StatusBadge status="risky" /> for a
				full mailbox, a likely typo, or a catch-all that nobody looked into.
			</p>
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
					Some domains say yes to every address. Others call that “accept all” and stop. We weigh what else
					can be known, and list every point.
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
					Same domain, same yes from its server. The second name looks typed at random, and nothing speaks for
					it but its domain: so it is unknown, and free.
				</p>
				<p>
					<a href="/docs/guides/catch-all-score">How a score adds up</a>
				</p>
			</div>
			<SampleFrame title={`Why ${SCORED} scores ${SCORE}`}>
				<ScoreWaterfall breakdown={BREAKDOWN} score={SCORE} />
			</SampleFrame>
		</section>
	);
}

/** The conversation behind an answer, line by line. */
export function SampleConversation() {
	return (
		<section class="band" aria-labelledby="how">
			<h2 id="how">How it knows: it asks, and you can read along</h2>
			<p class="lead">
				Only its mail server knows whether a mailbox exists. This is the whole conversation about{' '}
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
					<p class="talk-proves">
						{SUB_STATUSES.accepted_email.reason}, and not every other. {inCredits(PRICE.single)}.
					</p>
				</li>
			</ol>
		</section>
	);
}

function Spoken({ by, line, proves, decides }: SpokenLine) {
	return (
		<li class={decides === true ? `talk-${by} talk-decides` : `talk-${by}`}>
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
