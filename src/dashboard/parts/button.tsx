import type { Child } from 'hono/jsx';
import { Icon } from './icon.tsx';
import type { IconName } from './icon.tsx';

export interface Looks {
	/** `row`: acts on the row of a table, and looks like its other links. */
	readonly kind?: 'primary' | 'quiet' | 'danger' | 'row';
	readonly size?: 'small';
	readonly icon?: IconName;
	readonly children: Child;
}

function classOf({ kind = 'primary', size }: Looks): string {
	if (kind === 'row') return 'row-action';
	return `button button-${kind}${size === undefined ? '' : ' button-small'}`;
}

/** Submits its form. The label is a verb and its object: "Create key". */
export function Button(
	props: Looks & {
		readonly name?: string;
		readonly value?: string;
		readonly disabled?: boolean;
		/** For screen readers, in place of the visible text, with which it begins. */
		readonly label?: string;
	},
) {
	return (
		<button
			type="submit"
			class={classOf(props)}
			name={props.name}
			value={props.value}
			disabled={props.disabled}
			aria-label={props.label}
		>
			{props.icon !== undefined && <Icon name={props.icon} />}
			{props.children}
		</button>
	);
}

/** A link that looks like a button. */
export function ButtonLink(
	props: Looks & {
		readonly href: string;
		/** For screen readers, in place of the visible text, with which it begins. */
		readonly label?: string;
	},
) {
	return (
		<a class={classOf(props)} href={props.href} aria-label={props.label}>
			{props.icon !== undefined && <Icon name={props.icon} />}
			{props.children}
		</a>
	);
}

/** A button that unfolds a form below it, in the head of a page or a section. It needs no script. */
export function Opener(props: { readonly label: string; readonly open: boolean; readonly children: Child }) {
	return (
		<details class="opener" open={props.open}>
			<summary class="button button-primary">
				<Icon name="plus" />
				{props.label}
			</summary>
			{props.children}
		</details>
	);
}

/** Copies the text of the element with this id. Only shown if scripts run. */
export function CopyButton({
	of,
	what,
}: {
	readonly of: string;
	/** The name of the copied text, for screen readers: "the key". */
	readonly what: string;
}) {
	return (
		<button type="button" class="button button-quiet button-small" data-copy={of} hidden>
			<Icon name="copy" />
			<span data-word aria-live="polite">
				Copy
			</span>
			<span class="unseen"> {what}</span>
		</button>
	);
}
