import * as z from 'zod';
import type { Child } from 'hono/jsx';
import type { Context } from 'hono';
import { csrf } from 'hono/csrf';
import { bareAddress, describeFault, parseAddress } from '../core/address/parse-address.ts';
import type { Address } from '../core/address/parse-address.ts';
import type { ThrottledAction } from '../core/identity/throttles.ts';
import { readFormToken, TOKEN_FIELD } from '../core/identity/tokens.ts';
import { Button, Meaning, QuietLink } from './parts/basic.tsx';
import type { Looks } from './parts/basic.tsx';
import { Checkbox, Field, Form as FormFrame, Select, Wrong } from './parts/form.tsx';
import { suspended, refuseTooMany, PageError, bindingOf } from './view.ts';
import type { Visit, PageContext } from './view.ts';
import { ServiceError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { discard, readOctets } from '../lib/streams.ts';
import { inOneLine } from '../lib/text.ts';

/** The sent or stored values of a form, by the names of its controls. */
export type Typed = Readonly<Record<string, string>>;

/** Error messages, by field. */
export type FieldErrors = Readonly<Record<string, string>>;

/**
 * A form that did nothing. Its page is shown again, with what was typed and these errors beside the fields. The error of
 * `''`, or of a field that is not shown, stands at the top of the page.
 */
export interface Refusal {
	readonly errors: FieldErrors;
	readonly status?: RefusedStatus;
	/** Values of hidden fields for the next time. */
	readonly typed?: Typed;
}

export type RefusedStatus = 422 | 429 | 503;

/** One field of a form: how it looks, and which value it stands for. */
export interface FieldSpec<T> {
	/** The words beside the field, with which a refusal of it begins; null: it is hidden. */
	readonly label: string | null;
	readonly read: (name: string, typed: Typed) => z.ZodSafeParseResult<T>;
	/** The controls that show a stored value. */
	readonly write: (name: string, value: T) => Typed;
	readonly draw: (bound: BoundField) => Child;
}

interface BoundField {
	readonly name: string;
	readonly label: string;
	readonly id: string;
	readonly typed: Typed;
	readonly error: string | undefined;
	readonly autofocus: boolean;
}

/** A field with one control of its own name. */
function single<T>(label: string | null, schema: z.ZodType<T>, draw: FieldSpec<T>['draw']): FieldSpec<T> {
	return {
		label,
		read: (name, typed) => schema.safeParse(typed[name] ?? ''),
		// A value that is not set yet is an empty field.
		write: (name, value) => ({ [name]: String(value ?? '') }),
		draw,
	};
}

type TextLooks = Omit<Parameters<typeof Field>[0], 'name' | 'label' | 'id' | 'value' | 'error'>;

/** A line of text. `schema` says what it must be; without one it may be empty. */
export function text<T = string>(
	label: string,
	{ schema, ...looks }: TextLooks & { readonly schema?: z.ZodType<T> } = {},
): FieldSpec<T> {
	const any = z.string().trim() as z.ZodType as z.ZodType<T>;
	return single(label, schema ?? any, ({ typed, name, autofocus, ...bound }) => (
		<Field
			autocomplete="off"
			{...looks}
			{...bound}
			name={name}
			value={typed[name] ?? ''}
			autofocus={autofocus || looks.autofocus === true}
		/>
	));
}

/** One of a few choices. The first of them stands for none. */
export function select<const K extends string>(
	label: string,
	options: readonly [readonly [K, string], ...(readonly [K, string])[]],
): FieldSpec<K> {
	const values = options.map(([value]) => value);
	const [[none]] = options;
	const schema = z.enum(values, { error: 'Choose one of these' });
	return single(
		label,
		z.preprocess((sent) => (sent === '' ? none : sent), schema),
		({ typed, name, ...bound }) => (
			<Select {...bound} name={name} value={typed[name] ?? none} options={options} />
		),
	);
}

/**
 * Any of a few choices, each with its meaning and a box named `<field>_<choice>`. `needs`: the error where none is ticked.
 */
export function choices<K extends string>(
	legend: string,
	meanings: Readonly<Record<K, string>>,
	needs: string,
): FieldSpec<readonly K[]> {
	const values = Object.keys(meanings) as K[];
	const schema = z.array(z.custom<K>()).min(1, needs);
	return {
		label: legend,
		read: (name, typed) =>
			schema.safeParse(values.filter((value) => typed[`${name}_${value}`] !== undefined)),
		write: (name, chosen) => Object.fromEntries(chosen.map((value) => [`${name}_${value}`, 'yes'])),
		draw: ({ name, label, id, typed, error }) => (
			<fieldset class="field" id={id} aria-describedby={error === undefined ? undefined : `${id}-wrong`}>
				<legend>{label}</legend>
				{values.map((value) => (
					<Checkbox
						name={`${name}_${value}`}
						label={<Meaning of={value} words={meanings[value]} />}
						checked={typed[`${name}_${value}`] !== undefined}
					/>
				))}
				<Wrong id={id} error={error} />
			</fieldset>
		),
	};
}

/** A box to tick. */
export function tick(label: Child): FieldSpec<boolean> {
	return {
		label: '',
		read: (name, typed) => z.boolean().safeParse(typed[name] !== undefined),
		write: (name, value): Typed => (value ? { [name]: 'yes' } : {}),
		draw: ({ name, typed }) => <Checkbox name={name} label={label} checked={typed[name] !== undefined} />,
	};
}

/** A value of the page's own, such as the id of a row. */
export function hidden(): FieldSpec<string> {
	return single(null, z.string().max(200), ({ name, typed }) => (
		<input type="hidden" name={name} value={typed[name] ?? ''} />
	));
}

/** A form's own page: it asks before something is done, and says with which consequence. */
export interface Question {
	readonly title: string;
	readonly text: Child;
	/** The name to type, if the form asks for one. `anyCase`: an address is the same in any case. */
	readonly name?: string;
	readonly anyCase?: boolean;
}

type Outcome = Response | Refusal | undefined | void;

interface FormSpec<V> {
	/** A verb and its object: "Create key". */
	readonly button: string;
	readonly kind?: Looks['kind'];
	readonly icon?: Looks['icon'];
	readonly fields?: { readonly [N in keyof V]: FieldSpec<V[N]> };
	/** Fields stacked (the default), or in one line. A form without fields is its button. */
	readonly layout?: 'inline';
	/** Where it is sent, below the path of its place; its name if left out. `''`: the place itself. */
	readonly at?: string;
	/** The part of the page to which the browser scrolls then. */
	readonly hash?: string;
	/** Counts it under this action and refuses too many, and suspended accounts. */
	readonly calm?: ThrottledAction;
	/** The form has a page of its own, which asks this. A Response: there is nothing to ask. */
	readonly asks?: (visit: Visit) => Promise<Question | Response>;
	/** It can't be undone, so the person types the `name` of the question: "the label". */
	readonly names?: string;
	/** Does it. A Response is the answer; else the browser goes to `to`, or back to the place, which says `says`. */
	readonly run: (visit: Visit, values: V) => Promise<Outcome>;
	readonly says?: string;
	/** The result is still to come, so that `says` is no success. */
	readonly isPending?: boolean;
	readonly to?: string;
	/** Errors of operations that stand at the first field, with what to do about them. */
	readonly remedies?: Readonly<Partial<Record<ErrorCode, string>>>;
}

/** A form of a place, drawn and taken by the pattern. */
export interface AnyForm extends Omit<FormSpec<never>, 'run' | 'fields'> {
	readonly draw: (bound: BoundForm) => Child;
	/** Stored values, as the controls show them. */
	readonly fill: (values: Readonly<Record<string, unknown>>) => Typed;
	readonly take: (visit: Visit, typed: Typed) => Promise<Outcome>;
}

/** A form of a place, with the type of its values. */
export interface Form<V> extends AnyForm {
	readonly valuesOf?: V;
}

export interface BoundForm {
	readonly action: string;
	/** The form's name on its place, which makes the ids of its fields. */
	readonly name: string;
	readonly typed: Typed;
	readonly errors: FieldErrors;
	/** Its question, above the fields: it has a page of its own. `cancel`: where Cancel leads. */
	readonly asks?: Question & { readonly cancel: string };
	/** Other words on the button. */
	readonly button?: Child;
}

type Named = readonly (readonly [string, FieldSpec<unknown>])[];

/** Declares a form: its fields, what it does and what it says then. */
export function form<V = unknown>(spec: FormSpec<V>): Form<V> {
	const { fields, run, names, ...rest } = spec;
	const named: Named = [
		...(Object.entries(fields ?? {}) as [string, FieldSpec<unknown>][]),
		...(names === undefined
			? []
			: [['confirm', text<unknown>(`Type ${names} to confirm`, { required: true })] as const]),
	];
	const [first = null] = named.find(([, { label }]) => label !== null) ?? [];
	return {
		...rest,
		fill: (values) => {
			const shown = named.filter(([name]) => Object.hasOwn(values, name));
			return Object.assign({}, ...shown.map(([name, field]) => field.write(name, values[name]))) as Typed;
		},
		draw: (bound) => drawForm(spec, named, bound),
		take: async (visit, typed) => {
			const read = named.map(([name, field]) => [name, field.read(name, typed)] as const);
			const wrong = read.flatMap(([name, { error }]) =>
				error === undefined ? [] : [[name, error.issues[0]?.message ?? ''] as const],
			);
			if (wrong.length > 0) return inSight({ errors: Object.fromEntries(wrong) }, named);
			if (spec.calm !== undefined) {
				if (visit.signedIn.suspendedAt !== null) throw suspended();
				const refused = await refuseTooMany(visit, spec.calm);
				if (refused !== null) return { errors: { [first ?? '']: refused }, status: 429 };
			}
			const unnamed = names === undefined ? null : await askName(spec, visit, typed);
			if (unnamed !== null) return unnamed;
			try {
				const values = Object.fromEntries(read.map(([name, { data }]) => [name, data]));
				const outcome = await run(visit, values as V);
				return outcome === undefined || outcome instanceof Response ? outcome : inSight(outcome, named);
			} catch (error) {
				return refusalOf(error, spec, named, first);
			}
		},
	};
}

/** Refuses a name that is not the one of the question, as a page shows it: white space is one space, the invisible nothing. */
async function askName<V>({ asks, names }: FormSpec<V>, visit: Visit, typed: Typed): Promise<Outcome | null> {
	const question = await asks?.(visit);
	if (question === undefined || question instanceof Response) return question;
	const { name = '', anyCase = false } = question;
	const asShown = (one: string) =>
		inOneLine(anyCase ? one.toLowerCase() : one)
			.replaceAll(/\p{Cf}/gu, '')
			.trim();
	return asShown(typed['confirm'] ?? '') === asShown(name)
		? null
		: { errors: { confirm: `That is not ${names}: ${name}` } };
}

function drawForm<V>(spec: FormSpec<V>, named: Named, bound: BoundForm) {
	const { action, name: formName, typed, errors, asks } = bound;
	const isBare = asks === undefined && named.every(([, { label }]) => label === null);
	const button = (
		<Button kind={spec.kind ?? 'primary'} {...(spec.icon === undefined ? {} : { icon: spec.icon })}>
			{bound.button ?? spec.button}
		</Button>
	);
	return (
		<FormFrame action={action} layout={isBare ? 'plain' : (spec.layout ?? 'stack')}>
			{asks?.text}
			{named.map(([name, field], index) =>
				field.draw({
					name,
					label: `${field.label ?? ''}${name === 'confirm' && asks?.name !== undefined ? `: ${asks.name}` : ''}`,
					id: `${formName}-${name}`,
					typed,
					error: errors[name],
					autofocus: asks !== undefined && index === 0,
				}),
			)}
			{isBare || spec.layout === 'inline' ? (
				button
			) : (
				<div class="row">
					{button}
					{asks !== undefined && <QuietLink href={asks.cancel}>Cancel</QuietLink>}
				</div>
			)}
		</FormFrame>
	);
}

/** Moves errors of what is not shown to the top of the page. */
function inSight({ errors, ...rest }: Refusal, named: Named): Refusal {
	const isShown = (field: string) => named.some(([name, { label }]) => name === field && label !== null);
	const moved = Object.entries(errors).map(([name, error]) => [isShown(name) ? name : '', error]);
	return { ...rest, errors: Object.fromEntries(moved) as FieldErrors };
}

/** The error of an operation, beside the field that it is about; any other is thrown. */
function refusalOf<V>(error: unknown, spec: FormSpec<V>, named: Named, first: string | null): Refusal {
	if (!(error instanceof ServiceError)) throw error;
	const remedy = spec.remedies?.[error.code];
	if (remedy !== undefined && first !== null) return { errors: { [first]: `${error.message}. ${remedy}` } };
	const { param } = error.details;
	const field = named.find(([name]) => name === param)?.[1];
	if (field === undefined || param === undefined) throw error;
	const prefix = `Invalid parameter: ${param} `;
	const words = error.message.startsWith(prefix)
		? `The ${field.label} ${error.message.slice(prefix.length)}`
		: error.message;
	return { errors: { [param]: words } };
}

// Fields that several forms share. The messages are shown next to the field.

/** A parsed address. */
export const addressField = z
	.string({ error: 'Enter your email address' })
	.trim()
	.min(1, 'Enter your email address')
	.transform((typed, context) => {
		const bare = bareAddress(typed);
		const parsed = parseAddress(bare);
		if (parsed.ok) return parsed.address;
		context.addIssue({ code: 'custom', message: describeFault(parsed.reason, bare) });
		return z.NEVER;
	});

/** An address to verify. */
export function addressText(label: string, hint: string): FieldSpec<Address> {
	const looks = { type: 'email', placeholder: 'jane@acme.com', mono: true, required: true } as const;
	return text(label, { schema: addressField, hint, ...looks });
}

const BODY_OCTETS_MAX = 64 * 1024;

/** True unless one of the browser's headers names another site. */
function isFromOurPages(_: string, c: Context): boolean {
	const origin = c.req.header('origin');
	const site = c.req.header('sec-fetch-site') ?? 'same-origin';
	return site === 'same-origin' && (origin === undefined || origin === new URL(c.req.url).origin);
}

/** Refuses forms from other sites, and those without Origin and Sec-Fetch-Site: all current browsers send them. */
export const refuseForeignForms = csrf({ origin: isFromOurPages, secFetchSite: isFromOurPages });

/** The id of a form, from its hidden token. Refuses a form that we did not render for this browser. */
export function requireFormToken(c: PageContext, token: string): string {
	// A token that is bound to no browser could come from anyone.
	const isBound = c.var.signedIn !== null || (c.var.visitor ?? '') !== '';
	const id = isBound ? readFormToken(bindingOf(c), token) : null;
	if (id !== null) return id;
	throw new PageError(
		403,
		'This page is out of date',
		'Nothing was changed. You may have signed in or out since you opened it. Go back, load it again and repeat what you did.',
	);
}

/** The fields of a form of ours, the last of repeated ones. Sets `c.var.formId`, which is the same when it is sent twice. */
export async function readForm(c: PageContext): Promise<Readonly<Record<string, string>>> {
	const fields = await readFields(c);
	c.set('formId', requireFormToken(c, fields.getAll(TOKEN_FIELD).at(-1) ?? ''));
	return Object.fromEntries(fields);
}

/** Reads the fields of a form of at most 64 KiB, whose token is not checked yet. */
export async function readFields(c: PageContext): Promise<URLSearchParams> {
	const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
	if (type !== 'application/x-www-form-urlencoded')
		throw new PageError(400, 'This form could not be read', 'It was not sent as a form.');
	const { octets, isWhole } = await readOctets(c.req.raw, BODY_OCTETS_MAX);
	if (isWhole) return new URLSearchParams(new TextDecoder().decode(octets));
	// The browser shows no answer before it has sent the whole body.
	await discard(c.req.raw.body);
	throw new PageError(413, 'This form is too long', `A form has at most ${BODY_OCTETS_MAX / 1024} KiB.`);
}
