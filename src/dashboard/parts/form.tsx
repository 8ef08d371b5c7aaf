import type { Child } from 'hono/jsx';
import { useView } from '../view.ts';
import { Icon } from './basic.tsx';

/** A form that changes something. Its hidden token proves that it is ours, and identifies it if it is sent twice. */
export function Form(props: {
	readonly action: string;
	readonly children: Child;
	/** Fields stacked (the default), or in one line. */
	readonly layout?: 'stack' | 'inline' | 'plain';
	readonly withFile?: boolean;
	/** A script sends the form and shows its progress. */
	readonly showsUpload?: boolean;
}) {
	const { csrf } = useView();
	const layout = { stack: 'form stack', inline: 'inline-form', plain: undefined }[props.layout ?? 'stack'];
	return (
		<form
			method="post"
			action={props.action}
			class={layout}
			enctype={props.withFile === true ? 'multipart/form-data' : undefined}
			data-upload={props.showsUpload === true ? '' : undefined}
			novalidate
		>
			{csrf !== '' && <input type="hidden" name="csrf" value={csrf} />}
			{props.children}
		</form>
	);
}

interface Labelled {
	readonly name: string;
	readonly label: string;
	readonly hint?: Child;
	/** The error of the sent value, and the remedy. */
	readonly error?: string | undefined;
	readonly required?: boolean;
	/** Where typing begins, as long as nothing is wrong: a wrong field takes the focus by itself. */
	readonly autofocus?: boolean;
	/** Needed where a page has two fields of the same name. */
	readonly id?: string;
}

/** ARIA attributes that link a control to its hint and error, so that screen readers read them with it, and the focus. */
function described(props: Labelled) {
	const { id = `field-${props.name}` } = props;
	const by = [
		...(props.error === undefined ? [] : [`${id}-wrong`]),
		...(props.hint === undefined ? [] : [`${id}-hint`]),
	];
	return {
		id,
		name: props.name,
		required: props.required,
		'aria-invalid': props.error === undefined ? undefined : ('true' as const),
		'aria-describedby': by.length === 0 ? undefined : by.join(' '),
		// The browser goes to the first of them on the page.
		autofocus: props.autofocus === true || props.error !== undefined,
	};
}

/** The error of a field, to which its control refers. */
export function Wrong({ id, error }: { readonly id: string; readonly error: string | undefined }) {
	return error === undefined ? null : (
		<p class="wrong" id={`${id}-wrong`}>
			<Icon name="warning" />
			<span>{error}</span>
		</p>
	);
}

function Around(props: Labelled & { readonly children: Child }) {
	const { id = `field-${props.name}` } = props;
	return (
		<div class="field">
			<label for={id}>{props.label}</label>
			{props.children}
			<Wrong id={id} error={props.error} />
			{props.hint !== undefined && (
				<p class="hint small quiet" id={`${id}-hint`}>
					{props.hint}
				</p>
			)}
		</div>
	);
}

/** A line of text with its label, hint and error. */
export function Field(
	props: Labelled & {
		/** `date`: a day, written by hand or chosen in the browser's calendar. */
		readonly type?: 'text' | 'email' | 'search' | 'date';
		readonly value?: string;
		readonly placeholder?: string;
		readonly autocomplete?: string;
		readonly maxlength?: number;
		/** Which keyboard a phone shows. */
		readonly inputmode?: 'numeric';
		/** For keys, addresses and ids. */
		readonly mono?: boolean;
	},
) {
	const { type = 'text', value, placeholder, autocomplete, maxlength, inputmode } = props;
	return (
		<Around {...props}>
			<input
				{...described(props)}
				class={props.mono === true ? 'input mono' : 'input'}
				{...{ type, value, placeholder, autocomplete, maxlength, inputmode }}
				autocapitalize={type === 'email' ? 'none' : undefined}
			/>
		</Around>
	);
}

/** Several lines of text with their label, hint and error. */
export function TextArea(props: Labelled & { readonly value: string; readonly rows: number }) {
	return (
		<Around {...props}>
			<textarea {...described(props)} class="input mono" rows={props.rows} spellcheck={false}>
				{props.value}
			</textarea>
		</Around>
	);
}

/** One of a few choices. */
export function Select(
	props: Labelled & {
		/** Each with its words. */
		readonly options: readonly (readonly [value: string, words: string])[];
		readonly value?: string;
	},
) {
	return (
		<Around {...props}>
			<select {...described(props)} class="input">
				{props.options.map(([value, words]) => (
					<option value={value} selected={value === props.value}>
						{words}
					</option>
				))}
			</select>
		</Around>
	);
}

/** A checkbox. */
export function Checkbox(props: {
	readonly name: string;
	readonly label: Child;
	readonly checked?: boolean;
	readonly value?: string;
}) {
	return (
		<label class="check">
			<input type="checkbox" name={props.name} value={props.value ?? 'yes'} checked={props.checked} />
			<span>{props.label}</span>
		</label>
	);
}

// The dialog of the browser offers files of these kinds first.
const LIST_FILES =
	'.xlsx,.csv,.txt,.tsv,text/csv,text/plain,text/tab-separated-values,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** A file with addresses, chosen or dropped. Its children say which files will do. */
export function FileDrop(props: { readonly error: string | undefined; readonly children: Child }) {
	const { error, children } = props;
	const control = described({ name: 'file', label: '', hint: children, error, required: true });
	return (
		<div class="field">
			<label class="drop" data-drop for={control.id}>
				<Icon name="upload" />
				<strong data-chosen>Drop a file here, or choose one</strong>
				<span class="hint small quiet" id={`${control.id}-hint`}>
					{children}
				</span>
				<input {...control} type="file" accept={LIST_FILES} aria-label="File with addresses" />
			</label>
			<Wrong id={control.id} error={error} />
		</div>
	);
}
