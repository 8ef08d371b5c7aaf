import type { Child } from 'hono/jsx';
import type { Breakdown } from '../../core/catchall/breakdown.ts';
import { displayNameOf } from '../../core/mail-operators/operators.ts';
import type { Evidence } from '../../core/verification/evidence.ts';
import type { VerificationResult } from '../../core/verification/render.ts';
import { SUB_STATUSES, isUnknown } from '../../core/verification/sub-status.ts';
import type { Silence, Status, SubStatus } from '../../core/verification/sub-status.ts';
import { ScoreWaterfall } from '../charts/score-waterfall.tsx';
import { change, list, plural } from '../format.ts';
import { STATUS_WORDS, Shape, VerdictBadge } from './badge.tsx';
import { CodeBlock } from './code.tsx';
import { Conversation } from './conversation.tsx';
import { Facts } from './figures.tsx';
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
export function ResultCard(
	props: Explained & {
		/** A form that verifies another address at once. */
		readonly again: (email: string) => Child;
	},
) {
	const { evidence: _, ...result } = props.result;
	const { status, details, did_you_mean: meant } = result;
	return (
		<article class="card stack" aria-label={`Result for ${result.email}`}>
			<div class="verdict">
				<span class={`disc tone-${status}`}>
					<Shape tone={status} />
				</span>
				<div class="stack-small">
					<p id="answer-address">
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
						{props.again(meant)}
					</div>
				</Notice>
			)}
			<Explanation {...props} />
			<details class="more">
				<summary>Show the answer as JSON</summary>
				<CodeBlock id="answer" code={JSON.stringify(result, null, 2)} what="The answer as JSON" />
			</details>
		</article>
	);
}

interface Explained {
	readonly result: VerificationResult;
	/** The mail server that replied, if any. */
	readonly answeredBy?: string | undefined;
	/** Credits charged; null where the answer had no price of its own. */
	readonly charged: number | null;
	readonly breakdown: Breakdown | null;
	/** By how many points the other rows of a list changed the score; left out: it is no row. */
	readonly listEffect?: number;
	/** The gaps of the conversation, and their reason. */
	readonly evidenceNote?: string;
}

/** Why an answer is what it is: of a single answer, of a list's row and of a check's. */
export function Explanation({ result, answeredBy, charged, breakdown, ...props }: Explained) {
	const { evidence = [], details, catch_all_score: score } = result;
	const { mail_server: server, sub_status: code, attributes } = details;
	const host = server.mx_record ?? server.implicit_mx;
	const flags = FLAGS.filter(([flag]) => attributes[flag] === true).map(([, name]) => name);
	return (
		<>
			<Facts
				of={{
					'Answered by': answererOf(result, answeredBy, evidence),
					'Mail server': host !== null && host !== answeredBy && <Mono text={host} />,
					'Security gateway': server.gateway !== null && displayNameOf(server.gateway),
					'Reason code': <Mono text={code} />,
					Score:
						result.status !== 'unknown' && `${result.deliverability_score} of 100, ${result.risk_level} risk`,
					Flags: flags.length > 0 && list(flags),
					Cost:
						charged !== null &&
						(charged === 0 ? 'Nothing, unknowns are refunded' : plural(charged, 'credit')),
				}}
			/>
			{breakdown !== null && score !== undefined && (
				<section class="stack-small" aria-label="The score">
					<h3>How the score of {score} adds up</h3>
					<p class="quiet">
						This domain accepts every address, so its yes says nothing. We weigh other evidence instead;{' '}
						{Math.round(breakdown.coverage * 100)}% of it could be looked at. Verdict:{' '}
						<VerdictBadge verdict={result.catch_all_verdict ?? 'unknown'} />
					</p>
					<ScoreWaterfall breakdown={breakdown} score={score} />
					{props.listEffect === undefined && (
						<p class="quiet">
							A list also weighs how the other addresses of the domain are written, so it may come to another
							score. A single verification has nothing to compare with.
						</p>
					)}
				</section>
			)}
			{props.listEffect !== undefined && props.listEffect !== 0 && (
				<p class="quiet">
					{change(props.listEffect)} {Math.abs(props.listEffect) === 1 ? 'point' : 'points'} of the score come
					from the list’s other addresses at this domain. An address that is verified alone has no list to
					compare with.
				</p>
			)}
			<Conversation email={result.email} evidence={evidence} note={props.evidenceNote} />
		</>
	);
}

/** The server or list that answered, or the silent party. */
function answererOf(
	{ details }: VerificationResult,
	answeredBy: string | undefined,
	evidence: readonly Evidence[],
): Child {
	const { mail_server: server, general, sub_status: code } = details;
	const silence = isUnknown(code) ? SUB_STATUSES[code].silence : 'nobody';
	const replied = answeredBy !== undefined || evidence.some(({ step }) => step === 'rcpt');
	const domain = <Mono text={general.domain} />;
	if (silence === 'names' && !replied) return <>The name servers of {domain} gave no usable answer</>;
	if (silence !== 'nobody' && silence !== 'names' && !replied) return SILENCE[silence];
	if (general.validation_method === 'list') return 'Our lists of domains; no mail server was asked';
	if (general.validation_method === 'dns') return <>The name servers of {domain}; no mail server was asked</>;
	return (
		<>
			{answeredBy === undefined ? <>A mail server of {domain}</> : <Mono text={answeredBy} />}
			{server.smtp_provider !== null && `, ${displayNameOf(server.smtp_provider)}`}
		</>
	);
}

/** The silent party, where there was no answer. */
const SILENCE = {
	server: 'No answer from the mail server',
	unreached: 'No mail server could be reached',
	unasked: 'No mail server was asked',
	ours: 'No answer: it failed on our side',
} as const satisfies Partial<Record<Silence, string>>;

const FLAGS = [
	['free_email', 'free provider'],
	['role_account', 'role account'],
	['disposable', 'disposable'],
	['catch_all', 'catch-all domain'],
	['mailbox_full', 'mailbox full'],
	['no_reply', 'no-reply'],
	['has_plus_tag', 'plus tag'],
	['privacy_relay', 'privacy relay'],
	['gibberish', 'random name'],
] as const satisfies readonly (readonly [keyof VerificationResult['details']['attributes'], string])[];

function adviceOn({ status, details, retry_after: retryAfter }: VerificationResult): string {
	// A server that does not serve the domain says so again.
	if (details.sub_status === 'unavailable_smtp' && retryAfter === null) return NOT_PASSING;
	if (isUnknown(details.sub_status)) return SUB_STATUSES[details.sub_status].advice;
	return UNDELIVERABLE[details.sub_status] ?? (status === 'unknown' ? '' : ADVICE[status]);
}
