import type { Child } from 'hono/jsx';

/** A question that must be answered. Opened by a ButtonLink with its id; that link's page asks the same without a script. */
export function Dialog(props: { readonly id: string; readonly title: string; readonly children: Child }) {
	return (
		<dialog class="dialog" id={props.id} aria-labelledby={`${props.id}-title`}>
			<h2 id={`${props.id}-title`}>{props.title}</h2>
			{props.children}
		</dialog>
	);
}

/** Leaves the dialog, or the page that stands for it. */
export function CancelLink({ href }: { readonly href: string }) {
	return (
		<a class="button button-quiet" href={href} data-close>
			Cancel
		</a>
	);
}
