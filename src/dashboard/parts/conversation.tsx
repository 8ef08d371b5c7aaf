import type { Child } from 'hono/jsx';
import { inCredits, PRICE } from '../../core/credits/price.ts';
import type { Evidence } from '../../core/verification/evidence.ts';
import { SUB_STATUSES } from '../../core/verification/sub-status.ts';
import { Mono } from './table.tsx';

/** The gap of a list's conversations. */
export const KEPT_OF_A_LIST = `We keep no conversations of lists. Check this address again to see one (${inCredits(PRICE.single)}).`;

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

/**
 * The way to an answer, step by step: what was looked up, what we asked, what the server said, and which rule read it.
 *
 * @param note what is missing, and why
 */
export function Conversation(props: {
	readonly email: string;
	readonly evidence: readonly Evidence[];
	readonly note?: string | undefined;
}) {
	const { email, evidence, note } = props;
	if (evidence.length === 0) return null;
	return (
		<details class="more">
			<summary>The conversation</summary>
			<ol class="conversation wraps small">
				{evidence.map((step) => (
					<Step step={step} email={email} />
				))}
			</ol>
			{note !== undefined && <p class="quiet small">{note}</p>}
		</details>
	);
}

function Step({ step: one, email }: { readonly step: Evidence; readonly email: string }) {
	const { step, at_ms: atMs, host, code, enhanced, text = '', rule, likelihood } = one;
	const [name, line] = TURNS[step];
	const isInvented = text.startsWith(INVENTED);
	const words = isInvented ? text.slice(INVENTED.length) : text;
	const recipient = isInvented ? 'an invented recipient' : email;
	return (
		<li>
			<p class="spread">
				<strong>{name}</strong>
				{atMs > 0 && <span class="quiet">{atMs} ms</span>}
			</p>
			{line !== null && (
				<Line who="Asked">
					<Mono text={line} />
					{step === 'rcpt' && <> {isInvented ? recipient : <Mono text={recipient} />}</>}
				</Line>
			)}
			{step === 'rule' && words !== '' && <p>{words}</p>}
			{step !== 'rule' && (words !== '' || code !== undefined) && (
				<Line who={code === undefined ? 'Found' : 'Said'}>
					<Mono
						text={[code, enhanced, words].filter((word) => word !== undefined && word !== '').join(' ')}
					/>
				</Line>
			)}
			{host !== undefined && (
				<Line who="Host">
					<Mono text={host} />
				</Line>
			)}
			{rule !== undefined && (
				<Line who="Rule">
					<Mono text={rule} />
					{words === '' && isReason(rule) && `: ${SUB_STATUSES[rule].reason}`}
					{likelihood !== undefined && `, likelihood ${likelihood.toFixed(2)}`}
				</Line>
			)}
		</li>
	);
}

function Line({ who, children }: { readonly who: string; readonly children: Child }) {
	return (
		<p>
			<span class="quiet">{who}</span> {children}
		</p>
	);
}

function isReason(rule: string): rule is keyof typeof SUB_STATUSES {
	return Object.hasOwn(SUB_STATUSES, rule);
}
