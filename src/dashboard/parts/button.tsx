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

interface Labelled extends Looks {
	/** For screen readers, in place of the visible text, with which it begins. */
	readonly label?: string;
}

/** Submits its form. The label is a verb and its object: "Create key". */
export function Button(
	props: Labelled & { readonly name?: string; readonly value?: string; readonly disabled?: boolean },
) {
	const { name, value, disabled, label } = props;
	return (
		<button type="submit" class={classOf(props)} {...{ name, value, disabled }} aria-label={label}>
			<Content {...props} />
		</button>
	);
}

/** A link that looks like a button. */
export function ButtonLink(props: Labelled & { readonly href: string }) {
	return (
		<a class={classOf(props)} href={props.href} aria-label={props.label}>
			<Content {...props} />
		</a>
	);
}

function Content({ icon, children }: Looks) {
	return (
		<>
			{icon !== undefined && <Icon name={icon} />}
			{children}
		</>
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
