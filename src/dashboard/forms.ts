import { z } from 'zod';
import type { Context, MiddlewareHandler } from 'hono';
import { csrf } from 'hono/csrf';
import { bareAddress, describeFault, parseAddress } from '../core/address/parse-address.ts';
import {
	FORM_ID_OCTETS,
	issueFormToken,
	readFormToken,
	TOKEN_FIELD,
	TOKEN_OCTETS,
} from '../core/identity/tokens.ts';
import { toBase64Url } from '../lib/encodings.ts';
import { discard, readOctets } from '../lib/streams.ts';
import { PageError } from './context.ts';
import type { DashboardEnv, PageContext } from './context.ts';
import { writeCookie } from './session.ts';

// Fields that several forms share. The messages are shown next to the field.

/** A parsed address. */
export const addressField = z
	.string({ error: 'Enter your email address' })
	.trim()
	.min(1, 'Enter your email address')
	.transform((typed, context) => {
		const text = bareAddress(typed);
		const parsed = parseAddress(text);
		if (parsed.ok) return parsed.address;
		context.addIssue({ code: 'custom', message: describeFault(parsed.reason, text) });
		return z.NEVER;
	});

const BODY_OCTETS_MAX = 64 * 1024;

/** Error messages, by field. */
export type FieldErrors = Readonly<Record<string, string>>;

/** The hidden token of the forms on a page, which proves that we rendered it for this browser. */
export function formToken(c: PageContext): string {
	const { secureRandom } = c.var.services;
	if (c.var.signedIn === null && (c.var.visitor ?? '') === '') {
		const visitor = toBase64Url(secureRandom(TOKEN_OCTETS));
		c.set('visitor', visitor);
		writeCookie(c, 'visitor', visitor);
	}
	return issueFormToken(bindingOf(c), secureRandom(FORM_ID_OCTETS));
}

/** Refuses forms from other sites, and those without Origin and Sec-Fetch-Site: all current browsers send them. */
export const refuseForeignForms: MiddlewareHandler<DashboardEnv> = csrf({
	origin: (_, c) => isFromOurPages(c),
	secFetchSite: (_, c) => isFromOurPages(c),
});

/** True unless one of the browser's headers names another site. */
function isFromOurPages(c: Context): boolean {
	const origin = c.req.header('origin');
	const site = c.req.header('sec-fetch-site') ?? 'same-origin';
	return site === 'same-origin' && (origin === undefined || origin === new URL(c.req.url).origin);
}

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

/** A secret of this browser alone: its session, or its visit. */
export function bindingOf(c: PageContext): string {
	return c.var.signedIn === null ? `visitor ${c.var.visitor ?? ''}` : `session ${c.var.sessionToken}`;
}
