import type { Child } from 'hono/jsx';
import type { Breakdown } from '../../core/catchall/breakdown.ts';
import { inCredits, PRICE } from '../../core/credits/price.ts';
import { displayNameOf } from '../../core/mail-operators/operators.ts';
import type { Evidence } from '../../core/verification/evidence.ts';
import type { VerificationResult } from '../../core/verification/render.ts';
import { SUB_STATUSES, isUnknown } from '../../core/verification/sub-status.ts';
import type { CatchAllVerdict, Silence, Status, SubStatus } from '../../core/verification/sub-status.ts';
import { change, list, plural } from '../format.ts';
import { Button, CodeBlock, NoticeFrame } from './basic.tsx';
import { Form } from './form.tsx';
import { STATUS_WORDS, Shape, Badge, Facts, Mono, Table } from './table.tsx';

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
		/** Where another address is verified. */
		readonly tryAt: string;
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
				<NoticeFrame kind="warning">
					<div class="spread">
						<p>
							Did you mean{' '}
							<strong>
								<Mono text={meant} />
							</strong>
							?
						</p>
						<VerifyNow at={props.tryAt} email={meant} words="Verify" />
					</div>
				</NoticeFrame>
			)}
			<Explanation {...props} />
			<details class="more">
				<summary>Show the answer as JSON</summary>
				<CodeBlock id="answer" code={JSON.stringify(result, null, 2)} what="The answer as JSON" />
			</details>
		</article>
	);
}

/** A button that verifies an address at once. */
export function VerifyNow(props: { readonly at: string; readonly email: string; readonly words: string }) {
	const { at, email, words } = props;
	const label = words === email ? {} : { label: `${words} ${email}` };
	return (
		<Form action={at} layout="plain">
			<Button kind="quiet" size="small" name="email" value={email} {...label}>
				{words}
			</Button>
		</Form>
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
}

/** Why an answer is what it is: of a single answer, of a list's row and of a check's. */
export function Explanation({ result, answeredBy, charged, breakdown, listEffect }: Explained) {
	const { details, catch_all_score: score } = result;
	const { mail_server: server, sub_status: code, attributes } = details;
	const host = server.mx_record ?? server.implicit_mx;
	const [tone, word] = VERDICTS[result.catch_all_verdict ?? 'unknown'];
	const flags = FLAGS.filter(([flag]) => attributes[flag] === true).map(([, name]) => name);
	return (
		<>
			<Facts
				of={{
					'Answered by': answererOf(result, answeredBy),
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
						<Badge tone={tone}>{word}</Badge>
					</p>
					<ScoreWaterfall breakdown={breakdown} score={score} />
					{listEffect === undefined && (
						<p class="quiet">
							A list also weighs how the other addresses of the domain are written, so it may come to another
							score. A single verification has nothing to compare with.
						</p>
					)}
				</section>
			)}
			{listEffect !== undefined && listEffect !== 0 && (
				<p class="quiet">
					{change(listEffect)} {Math.abs(listEffect) === 1 ? 'point' : 'points'} of the score come from the
					list’s other addresses at this domain. An address that is verified alone has no list to compare
					with.
				</p>
			)}
			<Conversation result={result} isListed={listEffect !== undefined} />
		</>
	);
}

/** The verdict on an address of a catch-all domain. */
const VERDICTS = {
	valid: ['deliverable', 'Valid'],
	invalid: ['undeliverable', 'Invalid'],
	unknown: ['unknown', 'Unknown'],
} as const satisfies Record<CatchAllVerdict, readonly [Status, string]>;

/** The server or list that answered, or the silent party. */
function answererOf({ details, evidence = [] }: VerificationResult, answeredBy: string | undefined): Child {
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

const INVENTED = '(invented recipient) ';

/** The name of each kind of step, and the line that we sent for it, if any. */
const TURNS = {
	dns: ['DNS', null],
	list: ['Lists', null],
	connect: ['Connection', null],
	banner: ['Greeting', null],
	ehlo: ['Hello', 'EHLO'],
	tls: ['Encryption', 'STARTTLS'],
	mail: ['Sender', 'MAIL FROM'],
	rcpt: ['Recipient', 'RCPT TO'],
	rule: ['Conclusion', null],
	score: ['Score', null],
} as const satisfies Record<Evidence['step'], readonly [string, string | null]>;

/** The way to an answer, step by step: what was looked up, what we asked, what the server said, and which rule read it. */
function Conversation({ result, isListed }: Pick<Explained, 'result'> & { readonly isListed: boolean }) {
	const { email, evidence = [] } = result;
	if (evidence.length === 0) return null;
	return (
		<details class="more">
			<summary>The conversation</summary>
			<ol class="conversation wraps small">
				{evidence.map((step) => (
					<Step step={step} email={email} />
				))}
			</ol>
			{isListed && (
				<p class="quiet small">
					We keep no conversations of lists. Check this address again to see one ({inCredits(PRICE.single)}).
				</p>
			)}
		</details>
	);
}

function Step({ step: one, email }: { readonly step: Evidence; readonly email: string }) {
	const { step, at_ms: atMs, host, code, enhanced, text = '', rule, likelihood } = one;
	const [name, line] = TURNS[step];
	const isInvented = text.startsWith(INVENTED);
	const words = isInvented ? text.slice(INVENTED.length) : text;
	const said = [code, enhanced, words].filter((word) => word !== undefined && word !== '').join(' ');
	const lines: Readonly<Record<string, Child>> = {
		Asked: line !== null && (
			<>
				<Mono text={line} />
				{step === 'rcpt' && <> {isInvented ? 'an invented recipient' : <Mono text={email} />}</>}
			</>
		),
		[code === undefined ? 'Found' : 'Said']: step !== 'rule' && (words !== '' || code !== undefined) && (
			<Mono text={said} />
		),
		Host: host !== undefined && <Mono text={host} />,
		Rule: rule !== undefined && (
			<>
				<Mono text={rule} />
				{words === '' && Object.hasOwn(SUB_STATUSES, rule) && `: ${SUB_STATUSES[rule as SubStatus].reason}`}
				{likelihood !== undefined && `, likelihood ${likelihood.toFixed(2)}`}
			</>
		),
	};
	return (
		<li>
			<p class="spread">
				<strong>{name}</strong>
				{atMs > 0 && <span class="quiet">{atMs} ms</span>}
			</p>
			{step === 'rule' && words !== '' && <p>{words}</p>}
			{Object.entries(lines).map(
				([who, what]) =>
					what !== false && (
						<p>
							<span class="quiet">{who}</span> {what}
						</p>
					),
			)}
		</li>
	);
}

const SECTIONS = [
	['domain_triage', 'Domain and mail route'],
	['domain_age', 'Age of the domain'],
	['mailbox', 'Name of the mailbox'],
	['smtp', 'Mail server’s behaviour'],
	['public_evidence', 'Public evidence'],
	['list', 'Your list and its history'],
] as const;

interface ScoreStep {
	readonly text: string;
	/** The figure at the right: points, or the score. */
	readonly points: string;
	readonly from: number;
	readonly to: number;
	readonly fill: 'unknown' | 'plus' | 'minus' | 'result';
}

/** The breakdown of a score: from the base, finding by finding, to the result. It can be checked by adding. */
export function ScoreWaterfall(props: { readonly breakdown: Breakdown; readonly score: number }) {
	const { breakdown, score } = props;
	const silent = SECTIONS.filter(([section]) => breakdown[section].score === 0).map(([, name]) => name);
	return (
		<div class="stack-small">
			<Table
				caption={`How the score of ${score} is made up`}
				class="waterfall"
				rows={stepsOf(breakdown, score)}
				columns={(column) => [
					column('Finding', { width: 152, names: true }, ({ text }) => text),
					column('Drawing', { width: 76, hidesHead: true, class: 'plot-cell' }, ({ from, to, fill }) => {
						const [left, right] = [onScale(Math.min(from, to)), onScale(Math.max(from, to))];
						const bar = { x: `${left}%`, width: left === right ? 2 : `${right - left}%` };
						return (
							<svg width="100%" height="16" aria-hidden="true">
								<rect class="track" width="100%" height="16" rx="2" />
								<rect class={`fill-${fill}`} {...bar} height="16" />
							</svg>
						);
					}),
					column('Points', { width: 52, class: 'num' }, ({ points }) => points),
				]}
			/>
			{silent.length > 0 && <p class="quiet small">No points: {list(silent)}.</p>}
		</div>
	);
}

function stepsOf({ base, explanations }: Breakdown, score: number): readonly ScoreStep[] {
	let sum = base;
	return [
		{ text: 'Starting score', points: String(base), from: 0, to: base, fill: 'unknown' },
		...explanations.map(({ text, effect }): ScoreStep => {
			const from = sum;
			sum += effect;
			return { text, points: change(effect), from, to: sum, fill: effect < 0 ? 'minus' : 'plus' };
		}),
		{ text: 'Score', points: String(score), from: 0, to: score, fill: 'result' },
	];
}

/** A sum on its way may leave the scale; what is drawn of it does not. */
function onScale(sum: number): number {
	return Math.min(100, Math.max(0, sum));
}
