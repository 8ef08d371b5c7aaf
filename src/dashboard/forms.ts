import type { Context, MiddlewareHandler } from 'hono';
import { csrf } from 'hono/csrf';
import type { z } from 'zod';
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

/** A form that was sent from one of our pages, and read. `id` is the same when the same form comes twice. */
export type SentForm<T> = { readonly id: string } & (
	| { readonly ok: true; readonly value: T }
	| {
			readonly ok: false;
			readonly errors: FieldErrors;
			/** What was typed, to be shown again; passwords are not. */
			readonly typed: Readonly<Record<string, string>>;
	  }
);

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

/** Reads a form, checks its token, then its fields against a schema. */
export async function readForm<S extends z.ZodType>(
	c: PageContext,
	schema: S,
): Promise<SentForm<z.output<S>>> {
	const fields = Object.fromEntries(await readFields(c));
	const id = requireFormToken(c, fields[TOKEN_FIELD] ?? '');
	const parsed = schema.safeParse(fields);
	if (parsed.success) return { id, ok: true, value: parsed.data };
	const errors: Record<string, string> = {};
	for (const { path, message } of parsed.error.issues) errors[String(path[0])] ??= message;
	return { id, ok: false, errors, typed: fields };
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
