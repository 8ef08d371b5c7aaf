import type { Child } from 'hono/jsx';
import { listEffectOf } from '../../core/catchall/breakdown.ts';
import { displayNameOf } from '../../core/mail-operators/operators.ts';
import type { VerificationResult } from '../../core/verification/render.ts';
import { SUB_STATUSES, isUnknown } from '../../core/verification/sub-status.ts';
import type { Silence, Status, SubStatus } from '../../core/verification/sub-status.ts';
import { ScoreWaterfall } from '../charts/score-waterfall.tsx';
import type { ScoreBreakdown } from '../charts/score-waterfall.tsx';
import { plural } from '../format.ts';
import { STATUS_WORDS, Shape, VerdictBadge } from './badge.tsx';
import { ButtonLink } from './button.tsx';
import { CodeBlock } from './code.tsx';
import { Conversation } from './conversation.tsx';
import { Mono } from './table.tsx';
import { Notice } from './notice.tsx';

const ADVICE = {
	deliverable: 'Mail to this address should arrive.',
	undeliverable: 'Mail to this address will bounce. Leave it out.',
	risky: 'Mail to this address may or may not arrive. Send only where a bounce does no harm.',
} as const satisfies Record<Exclude<Status, 'unknown'>, string>;
// The domain or the mailbox takes mail today, or we only estimate that it does not.
const UNDELIVERABLE: Partial<Record<SubStatus, string>> = {
	disposable: 'Its owner will soon stop reading it. Leave it out.',
	catch_all_invalid: 'Mail to this address most likely reaches nobody. Leave it out.',
};
const NOT_PASSING = 'Asking again will hardly help: check the domain of the address, or send with care.';

/** An explained verification: the outcome, the reason, the server that answered, and what to do. */
export function ResultCard(props: {
	readonly result: VerificationResult;
	/** The mail server that replied, if any. */
	readonly answeredBy?: string | undefined;
	/** Credits charged; null where verification is free. */
	readonly charged: number | null;
	readonly breakdown: ScoreBreakdown | null;
	/** The URL of the same form with another address. */
	readonly hrefOf?: (email: string) => string;
	/** The gaps of the conversation, and their reason. */
	readonly evidenceNote?: string;
	/** A form that verifies another address at once, where there is no link to one. */
	readonly again?: (email: string) => Child;
}) {
	const { breakdown } = props;
	const { evidence = [], ...result } = props.result;
	const { status, details, did_you_mean: meant } = result;
	return (
		<article class="card stack" aria-label={`Result for ${result.email}`}>
			<div class="verdict">
				<span class={`disc tone-${status}`}>
					<Shape tone={status} />
				</span>
				<div class="stack-small">
					<p class="address" id="answer-address">
						<Mono text={result.email} />
					</p>
					<h2 class={`ink-${status}`}>{STATUS_WORDS[status]}</h2>
					<p>{details.general.reason}.</p>
					<p class="quiet">{adviceOn(result)}</p>
				</div>
			</div>
			{meant !== null && (
				<Notice kind="warning">
					<div class="spread">
						<p>
							Did you mean{' '}
							<strong>
								<Mono text={meant} />
							</strong>
							?
						</p>
						{props.again?.(meant)}
						{props.hrefOf !== undefined && (
							<ButtonLink kind="quiet" size="small" href={props.hrefOf(meant)} label={`Verify ${meant}`}>
								Verify
							</ButtonLink>
						)}
					</div>
				</Notice>
			)}
			<Facts
				result={result}
				answeredBy={props.answeredBy}
				replied={evidence.some(({ step }) => step === 'rcpt')}
				charged={props.charged}
			/>
			<Flags result={result} />
			{breakdown !== null && result.catch_all_score !== undefined && (
				<CatchAll result={result} breakdown={breakdown} score={result.catch_all_score} />
			)}
			<Conversation email={result.email} evidence={evidence} note={props.evidenceNote} />
			<details class="more">
				<summary>Show the answer as JSON</summary>
				<CodeBlock id="answer" code={JSON.stringify(result, null, 2)} what="The answer as JSON" />
			</details>
		</article>
	);
}

interface Answered {
	readonly result: VerificationResult;
	readonly answeredBy: string | undefined;
	/** A mail server replied about the address, whichever it was. */
	readonly replied: boolean;
}

function Facts({ charged, ...props }: Answered & { readonly charged: number | null }) {
	const { result, answeredBy } = props;
	const { mail_server: server, sub_status: code } = result.details;
	const host = server.mx_record ?? server.implicit_mx;
	return (
		<dl class="facts">
			<dt>Answered by</dt>
			<dd>
				<Answerer {...props} />
			</dd>
			{host !== null && host !== answeredBy && (
				<>
					<dt>Mail server</dt>
					<dd>
						<Mono text={host} />
					</dd>
				</>
			)}
			{server.gateway !== null && (
				<>
					<dt>Security gateway</dt>
					<dd>{displayNameOf(server.gateway)}</dd>
				</>
			)}
			<dt>Reason code</dt>
			<dd>
				<Mono text={code} />
			</dd>
			<dt>Score</dt>
			<dd>
				{result.deliverability_score} of 100, {result.risk_level} risk
			</dd>
			{charged !== null && (
				<>
					<dt>Cost</dt>
					<dd>{charged === 0 ? 'Nothing, unknowns are refunded' : plural(charged, 'credit')}</dd>
				</>
			)}
		</dl>
	);
}

function Answerer(props: Answered) {
	const { mail_server: server, general, sub_status: code } = props.result.details;
	const silence = isUnknown(code) ? SUB_STATUSES[code].silence : 'nobody';
	if (silence !== 'nobody' && props.answeredBy === undefined && !props.replied)
		return <SilenceWords silence={silence} domain={general.domain} />;
	if (general.validation_method === 'list') return <>Our lists of domains; no mail server was asked</>;
	if (general.validation_method === 'dns') {
		return (
			<>
				The name servers of <Mono text={general.domain} />; no mail server was asked
			</>
		);
	}
	return (
		<>
			{props.answeredBy === undefined ? (
				<>
					A mail server of <Mono text={general.domain} />
				</>
			) : (
				<Mono text={props.answeredBy} />
			)}
			{server.smtp_provider !== null && `, ${displayNameOf(server.smtp_provider)}`}
		</>
	);
}

/** The silent party, where there was no answer. */
function SilenceWords(props: { readonly silence: Exclude<Silence, 'nobody'>; readonly domain: string }) {
	switch (props.silence) {
		case 'server':
			return <>No answer from the mail server</>;
		case 'unreached':
			return <>No mail server could be reached</>;
		case 'names':
			return (
				<>
					The name servers of <Mono text={props.domain} /> gave no usable answer
				</>
			);
		case 'unasked':
			return <>No mail server was asked</>;
		case 'ours':
			return <>No answer: it failed on our side</>;
	}
}

const FLAGS = [
	['free_email', 'Free provider'],
	['role_account', 'Role account'],
	['disposable', 'Disposable'],
	['catch_all', 'Catch-all domain'],
	['mailbox_full', 'Mailbox full'],
	['no_reply', 'No-reply'],
	['has_plus_tag', 'Plus tag'],
	['privacy_relay', 'Privacy relay'],
	['gibberish', 'Random name'],
] as const satisfies readonly (readonly [keyof VerificationResult['details']['attributes'], string])[];

function Flags({ result }: { readonly result: VerificationResult }) {
	const { attributes } = result.details;
	return (
		<ul class="flags small" aria-label="More facts">
			{FLAGS.map(([flag, name]) => (
				<li>
					<span class="quiet">{name}</span> <strong>{flagInWords(attributes[flag])}</strong>
				</li>
			))}
		</ul>
	);
}

function CatchAll(props: {
	readonly result: VerificationResult;
	readonly breakdown: ScoreBreakdown;
	readonly score: number;
}) {
	return (
		<section class="stack-small" aria-labelledby="catch-all-title">
			<h3 id="catch-all-title">How the score of {props.score} adds up</h3>
			<p class="quiet">
				This domain accepts every address, so its yes says nothing. We weigh other evidence instead;{' '}
				{Math.round(props.breakdown.coverage * 100)}% of it could be looked at. Verdict:{' '}
				<VerdictBadge verdict={props.result.catch_all_verdict ?? 'unknown'} />
			</p>
			<ScoreWaterfall breakdown={props.breakdown} score={props.score} />
			{listEffectOf(props.breakdown) === 0 && (
				<p class="quiet">
					A list also weighs how the other addresses of the domain are written, so it may come to another
					score. A single verification has nothing to compare with.
				</p>
			)}
		</section>
	);
}

function adviceOn({ status, details, retry_after: retryAfter }: VerificationResult): string {
	// A server that does not serve the domain says so again.
	if (details.sub_status === 'unavailable_smtp' && retryAfter === null) return NOT_PASSING;
	if (isUnknown(details.sub_status)) return SUB_STATUSES[details.sub_status].advice;
	return UNDELIVERABLE[details.sub_status] ?? (status === 'unknown' ? '' : ADVICE[status]);
}

function flagInWords(flag: boolean | null): string {
	if (flag === null) return 'not known';
	return flag ? 'yes' : 'no';
}
