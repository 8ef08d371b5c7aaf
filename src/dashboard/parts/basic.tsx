import type { Child } from 'hono/jsx';
import type { BalanceView } from '../../core/credits/balance.ts';
import type { CreditsLowView } from '../../operations/webhooks/port.ts';
import { useView } from '../view.ts';
import { count, plural } from '../format.ts';
import type { examplesOf } from './code-examples.ts';

// Icons, buttons, messages and blocks of code.

const PATHS = {
	overview: 'M2.5 2.5h4.5v4.5H2.5zM9 2.5h4.5v4.5H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z',
	lists: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
	keys: 'M10.5 9.5a4 4 0 1 0-3.8-2.7L2 11.5V14h2.5v-1.5H6V11l1.2-1.2A4 4 0 0 0 10.5 9.5zM11.3 4.8h.01',
	credits:
		'M8 6.5c3 0 5.5-1 5.5-2.25S11 2 8 2 2.5 3 2.5 4.25 5 6.5 8 6.5zM2.5 4.25v7.5C2.5 13 5 14 8 14s5.5-1 5.5-2.25v-7.5M2.5 8c0 1.25 2.5 2.25 5.5 2.25s5.5-1 5.5-2.25',
	settings:
		'M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6M10 6.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 13.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
	docs: 'M8 4c-1.5-1.2-3.5-1.5-5.5-1.5v10c2 0 4 .3 5.5 1.5 1.5-1.2 3.5-1.5 5.5-1.5v-10C11.5 2.5 9.5 2.8 8 4zM8 4v10',
	menu: 'M2 4.5h12M2 8h12M2 11.5h12',
	sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.5v1M8 13.5v1M3.4 3.4l.7.7M11.9 11.9l.7.7M1.5 8h1M13.5 8h1M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
	moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
	system: 'M2 3h12v8H2zM6 13.5h4M8 11v2.5',
	upload: 'M8 10.5v-8M4.5 6L8 2.5 11.5 6M2.5 11v2.5h11V11',
	download: 'M8 2.5v8M4.5 7L8 10.5 11.5 7M2.5 11v2.5h11V11',
	copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
	plus: 'M8 3v10M3 8h10',
	info: 'M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 7.5v3.5M8 5h.01',
	warning: 'M8 2L1.5 13.5h13zM8 6.5v3M8 11.5h.01',
	done: 'M3 8.5l3.2 3.2L13 4.5',
	failed: 'M4 4l8 8M12 4l-8 8',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon next to a text, never without one. */
export function Icon({ name }: { readonly name: IconName }) {
	return (
		<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
			<path d={PATHS[name]} />
		</svg>
	);
}

/** The mark of Mailsonar: an envelope's flap that sends out a wave. */
export function Mark() {
	return (
		<svg
			viewBox="0 0 24 24"
			fill="none"
			stroke="currentColor"
			stroke-width="2"
			stroke-linecap="round"
			aria-hidden="true"
		>
			<path d="M4 20V9l8 6 8-6v11" stroke-linejoin="round" />
			<path d="M8.5 6a5 5 0 0 1 7 0" />
			<path d="M5.5 3a9.2 9.2 0 0 1 13 0" />
		</svg>
	);
}

export interface Looks {
	/** `row`: acts on the row of a table, and looks like its other links. */
	readonly kind?: 'primary' | 'quiet' | 'danger' | 'row';
	readonly size?: 'small';
	readonly icon?: IconName;
	readonly children: Child;
}

function classOf({ kind = 'primary', size }: Pick<Looks, 'kind' | 'size'>): string {
	if (kind === 'row') return 'row-action';
	return `button button-${kind}${size === undefined ? '' : ' button-small'}`;
}

interface Labelled extends Looks {
	/** For screen readers, in place of the visible text, with which it begins. */
	readonly label?: string;
}

/** Submits its form. The label is a verb and its object: "Create key". */
export function Button(
	props: Labelled & { readonly name?: string; readonly value?: string; readonly disabled?: boolean },
) {
	const { name, value, disabled, label, icon } = props;
	return (
		<button type="submit" class={classOf(props)} {...{ name, value, disabled }} aria-label={label}>
			{icon !== undefined && <Icon name={icon} />}
			{props.children}
		</button>
	);
}

/** A link that looks like a button. */
export function ButtonLink(props: Labelled & { readonly href: string }) {
	const { href, label, icon } = props;
	return (
		<a class={classOf(props)} href={href} aria-label={label}>
			{icon !== undefined && <Icon name={icon} />}
			{props.children}
		</a>
	);
}

/** The same for what is not the main action of its page. */
export function QuietLink({ href, children }: { readonly href: string; readonly children: Child }) {
	return <ButtonLink kind="quiet" {...{ href, children }} />;
}

/** A button that unfolds a form below it, in the head of a page or a section. It needs no script. */
export function Opener(props: {
	readonly label: string;
	readonly open: boolean;
	readonly kind?: 'primary' | 'quiet';
	readonly children: Child;
}) {
	return (
		<details class="opener" open={props.open}>
			<summary class={`button button-${props.kind ?? 'primary'}`}>
				<Icon name="plus" />
				{props.label}
			</summary>
			{props.children}
		</details>
	);
}

const LOOKS = {
	info: { icon: 'info', ink: 'ink-unknown' },
	done: { icon: 'done', ink: 'ink-deliverable' },
	warning: { icon: 'warning', ink: 'ink-risky' },
	failed: { icon: 'failed', ink: 'ink-undeliverable' },
} as const satisfies Record<string, { icon: IconName; ink: string }>;

interface NoticeProps {
	readonly kind: keyof typeof LOOKS;
	readonly title?: string;
	readonly children?: Child;
	/** Screen readers read it out, as the answer to an action. */
	readonly announce?: boolean;
}

/** A message about an event and the next step, in a paragraph. */
export function Notice({ children, ...props }: NoticeProps) {
	return <NoticeFrame {...props}>{children !== undefined && <p>{children}</p>}</NoticeFrame>;
}

/** The same, with more than a paragraph in it. */
export function NoticeFrame(props: NoticeProps) {
	const { icon, ink } = LOOKS[props.kind];
	const role = props.kind === 'failed' ? 'alert' : 'status';
	return (
		<div class={`notice ${ink}`} role={props.announce === true ? role : undefined}>
			<Icon name={icon} />
			<div class="body stack-small">
				{props.title !== undefined && (
					<p>
						<strong>{props.title}</strong>
					</p>
				)}
				{props.children}
			</div>
		</div>
	);
}

/** The message of the last action. */
export function FlashNotice() {
	const { flash = null } = useView();
	return flash === null ? null : <Notice kind={flash.kind} announce title={flash.text} />;
}

/** Says that nothing is left to spend, or that the balance is below the threshold that its owner set. */
export function CreditsNotice(props: { readonly balance: BalanceView; readonly low: CreditsLowView }) {
	const { availableCredits, reservedCredits } = props.balance;
	const { isLow, below } = props.low;
	if (availableCredits <= 0) {
		return (
			<Notice kind="warning" title="No credits are available">
				We verify nothing new until you add some
				{reservedCredits > 0 &&
					` or ${plural(reservedCredits, 'reserved credit comes', 'reserved credits come')} free`}
				. The API answers 402. <a href="/dashboard/credits/add">Add credits</a>
			</Notice>
		);
	}
	if (!isLow || below === null) return null;
	return (
		<Notice kind="warning" title={`${plural(availableCredits, 'credit is', 'credits are')} available`}>
			{reservedCredits === 0 ? 'This' : `Together with the ${count(reservedCredits)} reserved, this`} is below{' '}
			{plural(below, 'credit')}, the threshold you set. <a href="/dashboard/credits/add">Add credits</a>
		</Notice>
	);
}

/** What a word of the API means, and the word. */
export function Meaning({ of, words }: { readonly of: string; readonly words: string }) {
	return (
		<>
			{words} <code class="quiet">{of}</code>
		</>
	);
}

/** A block of code with a copy button. */
export function CodeBlock(props: {
	/** Unique on the page. */
	readonly id: string;
	readonly code: string;
	/** The name of the code, for screen readers: "the key". */
	readonly what: string;
	/** Long single values (keys) break instead of scrolling. */
	readonly wrap?: boolean;
}) {
	return (
		<div class={props.wrap === true ? 'code code-wrap' : 'code'}>
			<pre tabindex={0} role="region" aria-label={props.what}>
				<code id={props.id}>{props.code}</code>
			</pre>
			{/* Only shown if scripts run. */}
			<button type="button" class="button button-quiet button-small" data-copy={props.id} hidden>
				<Icon name="copy" />
				<span data-word aria-live="polite">
					Copy
				</span>
				<span class="unseen"> {props.what}</span>
			</button>
		</div>
	);
}

/** The same call in several languages. Radio buttons switch them without a script. */
export function CodeTabs(props: {
	/** Unique on the page. */
	readonly id: string;
	readonly examples: ReturnType<typeof examplesOf>;
}) {
	return (
		<div class="tabs">
			<div class="choices" role="radiogroup" aria-label="Language of the example">
				{props.examples.map(({ language }, index) => (
					<label>
						<input type="radio" name={`${props.id}-language`} value={language} checked={index === 0} />
						{language}
					</label>
				))}
			</div>
			{props.examples.map(({ language, code }, index) => (
				<div class="panel">
					<CodeBlock id={`${props.id}-${index}`} code={code} what={`${language} example`} />
				</div>
			))}
		</div>
	);
}
