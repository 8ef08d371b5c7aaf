import { zValidator } from '@hono/zod-validator';
import type { Context, MiddlewareHandler } from 'hono';
import { csrf } from 'hono/csrf';
import { z } from 'zod';
import { FORM_ID_OCTETS, TOKEN_FIELD, issueFormToken, readFormToken } from '../core/identity/form-token.ts';
import { TOKEN_OCTETS } from '../core/identity/one-time-link.ts';
import { toBase64Url } from '../lib/base64url.ts';
import { discard, readOctets } from '../lib/read-body.ts';
import { PageError } from './page-error.ts';
import type { DashboardEnv, PageContext } from './context.ts';
import { writeCookie } from './cookies.ts';

const BODY_OCTETS_MAX = 64 * 1024;

/** What is wrong, by field. */
export type FieldErrors = Readonly<Record<string, string>>;

/** A form whose fields can't be taken. */
export interface RefusedForm {
	readonly errors: FieldErrors;
	/** What was typed, to be shown again; passwords are not. */
	readonly typed: Readonly<Record<string, string>>;
}

/** A request whose form was read and checked: `c.req.valid('form')`. */
export type FormContext<S extends z.ZodType> = Context<DashboardEnv, string, { out: { form: z.output<S> } }>;

/** Goes before a handler, which finds the fields in `c.req.valid('form')`. */
type Checked<S extends z.ZodType> = MiddlewareHandler<DashboardEnv, string, { out: { form: z.output<S> } }>;
type Show = (c: PageContext, form: RefusedForm) => Response | Promise<Response>;

/** The hidden token of the forms on a page: proof that we rendered it, for this browser. */
export function formToken(c: PageContext): string {
	const { secureRandom } = c.var.services;
	if (c.var.signedIn === null && (c.var.visitor ?? '') === '') {
		const visitor = toBase64Url(secureRandom(TOKEN_OCTETS));
		c.set('visitor', visitor);
		writeCookie(c, 'visitor', visitor);
	}
	return issueFormToken(bindingOf(c), secureRandom(FORM_ID_OCTETS));
}

/** Refuses what another site has a browser send. Silence is a no: every browser of the last years says where from. */
export const refuseForeignForms: MiddlewareHandler<DashboardEnv> = csrf({
	origin: (_, c) => isFromOurPages(c),
	secFetchSite: (_, c) => isFromOurPages(c),
});

/** Nothing that the browser says speaks against it. */
function isFromOurPages(c: Context): boolean {
	const origin = c.req.header('origin');
	const site = c.req.header('sec-fetch-site') ?? 'same-origin';
	return site === 'same-origin' && (origin === undefined || origin === new URL(c.req.url).origin);
}

/** The id of a form by its hidden token; refuses one that we did not render for this browser. */
export function requireFormToken(c: PageContext, token: string): string {
	// A token for no browser at all is one that anybody can make.
	const isBound = c.var.signedIn !== null || (c.var.visitor ?? '') !== '';
	const id = isBound ? readFormToken(bindingOf(c), token) : null;
	if (id !== null) return id;
	throw new PageError(
		403,
		'This page is out of date',
		'Nothing was changed. You may have signed in or out since you opened it. Go back, load it again and repeat what you did.',
	);
}

/**
 * Before a handler: reads the form, checks its token, then its fields. `c.var.formId` is the same when the same form comes
 * twice. Where a field is wrong, `show` answers, with the page that the form is on.
 */
export function withForm<S extends z.ZodType>(schema: S, show: Show): Checked<S> {
	const check = checkFields(schema, show);
	return async (c, next) => {
		const fields = await readFields(c);
		c.set('formId', requireFormToken(c, fields.getAll(TOKEN_FIELD).at(-1) ?? ''));
		const sent = new FormData();
		for (const [name, value] of fields) sent.append(name, value);
		// Where Hono looks first. It would read the body itself, without a limit.
		c.req.bodyCache.formData = sent;
		return check(c, next);
	};
}

/** Before a handler: fields that prove nothing; `withForm` has looked at the token. */
function checkFields<S extends z.ZodType>(schema: S, show: Show): Checked<S> {
	return zValidator(
		'form',
		schema as z.ZodType<unknown, Record<string, string>>,
		(result, c: PageContext) => {
			if (result.success) return undefined;
			const errors: Record<string, string> = {};
			for (const { path, message } of result.error.issues) errors[String(path[0])] ??= message;
			return show(c, { errors, typed: lastOf(result.data as Record<string, unknown>) });
		},
		{ validationFunction: (fields, sent) => fields.safeParse(lastOf(sent)) },
	) as Checked<S>;
}

/** Before a handler: a form without fields, checked for its token. */
export const withBareForm = withForm(z.object({}), () => {
	throw new Error('nothing can be wrong with no fields');
});

/** Of fields that come twice the last one counts. */
function lastOf(sent: Readonly<Record<string, unknown>>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(sent).map(([name, value]) => [name, String(Array.isArray(value) ? value.at(-1) : value)]),
	);
}

/** The fields of a form, of 64 KiB at most. Nothing proves yet that we rendered it. */
export async function readFields(c: PageContext): Promise<URLSearchParams> {
	const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
	if (type !== 'application/x-www-form-urlencoded')
		throw new PageError(400, 'This form could not be read', 'It was not sent as a form.');
	const { octets, isWhole } = await readOctets(c.req.raw.body, BODY_OCTETS_MAX);
	if (isWhole) return new URLSearchParams(new TextDecoder().decode(octets));
	// The browser shows nothing before it has sent all of it.
	await discard(c.req.raw.body);
	throw new PageError(413, 'This form is too long', `A form has at most ${BODY_OCTETS_MAX / 1024} KiB.`);
}

function bindingOf(c: PageContext): string {
	return c.var.signedIn === null ? `visitor ${c.var.visitor ?? ''}` : `session ${c.var.sessionToken}`;
}
