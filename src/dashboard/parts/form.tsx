import type { Child } from 'hono/jsx';
import type { View } from '../view.ts';

/** A form that changes something. It carries the token that proves it was ours and names it, so that twice is once. */
export function Form(props: {
	readonly view: Pick<View, 'csrf'>;
	readonly action: string;
	/** None: its button stands elsewhere and names it by `id`. */
	readonly children?: Child;
	/** Layout: fields below each other (the usual), or one line. */
	readonly layout?: 'stack' | 'narrow' | 'inline' | 'plain';
	readonly id?: string;
	readonly withFile?: boolean;
}) {
	const layout = { stack: 'form', narrow: 'form form-narrow', inline: 'inline-form', plain: undefined }[
		props.layout ?? 'stack'
	];
	return (
		<form
			method="post"
			action={props.action}
			class={layout}
			id={props.id}
			enctype={props.withFile === true ? 'multipart/form-data' : undefined}
			novalidate
		>
			{props.view.csrf !== '' && <input type="hidden" name="csrf" value={props.view.csrf} />}
			{props.children}
		</form>
	);
}
