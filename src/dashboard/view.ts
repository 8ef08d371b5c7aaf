import type { Context, Hono, MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { createContext, useContext } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import * as z from 'zod';
import type { Config } from '../config.ts';
import {
	CODE_MS,
	SESSION_MS,
	FORM_ID_OCTETS,
	issueFormToken,
	TOKEN_OCTETS,
} from '../core/identity/tokens.ts';
import { describeDevice } from '../core/identity/device.ts';
import type { ThrottledAction } from '../core/identity/throttles.ts';
import { ServiceError } from '../errors.ts';
import { clientOf } from '../http/admission.ts';
import { hmacSha256 } from '../lib/digest.ts';
import { toBase64Url } from '../lib/encodings.ts';
import { isLoopbackHost } from '../lib/ip-address.ts';
import { parseJson } from '../lib/text.ts';
import type { Admitted } from '../operations/accounts/port.ts';
import type { SignedIn } from '../operations/people/port.ts';
import { findSession } from '../operations/people/sign-in.ts';
import { throttle } from '../operations/people/steps/throttle.ts';
import type { Throttled } from '../operations/people/steps/throttle.ts';
import { OWNERS_KEY_ID } from '../operations/verify/port.ts';
import type { Services } from '../services.ts';
import { span } from './format.ts';

// How a request becomes what a page reads, and what it shows.

/** The variables of a request for a page. */
export interface DashboardEnv {
	Bindings: Env;
	Variables: {
		requestId: string;
		services: Services;
		/** The person who is signed in. */
		signedIn: SignedIn | null;
		/** The token of the session; `''` without a sign-in. */
		sessionToken: string;
		/** The token of the browser (the visitor), set with the first page that has a form. */
		visitor: string | null;
		/** The id of the form that was sent. A form that is sent twice has the same id. */
		formId: string;
	};
}

export type PageContext = Context<DashboardEnv>;
export type PageApp = Hono<DashboardEnv>;

/** The client's IP address, by which attempts are counted, and the browser's name, which the person recognises. */
export function clientAndDevice(c: PageContext): { client: string; device: string } {
	return { client: clientOf(c.req.raw), device: describeDevice(c.req.header('user-agent') ?? '') };
}

/** A refusal that is shown as a page of its own, with title and message. */
export class PageError extends Error {
	override readonly name = 'PageError';
	readonly status: ContentfulStatusCode;
	readonly title: string;
	/** The way on; left out: the front page. */
	readonly link: { readonly href: string; readonly word: string } | null;

	constructor(status: ContentfulStatusCode, title: string, message: string, link: PageError['link'] = null) {
		super(message);
		this.status = status;
		this.title = title;
		this.link = link;
	}
}

/** The refusal for a suspended account. */
export function suspended(): PageError {
	return new PageError(
		403,
		'This account is suspended',
		'Nothing was started or charged. Ask the operator of this service for the reason.',
	);
}

/** Says when to try again, as a text and as Retry-After. The page is a 429. */
export function describeThrottled(c: PageContext, throttled: Throttled): string {
	return `Too many attempts. Try again in ${waitOf(c, throttled)}.`;
}

/** How long to wait: `15 min`, which the answer also says as Retry-After. */
export function waitOf(c: PageContext, { retryAfterMs }: Pick<Throttled, 'retryAfterMs'>): string {
	c.header('Retry-After', String(Math.ceil(retryAfterMs / 1000)));
	return span(retryAfterMs);
}

/**
 * Our cookies, and how long they live. With the prefix `__Host-` the browser enforces Secure, no Domain and Path=/, so that
 * no other host, not even a sibling domain, can set one (RFC 6265bis §4.1.3.2). Browsers also accept them from
 * http://localhost and http://127.0.0.1, which they trust.
 */
const COOKIE_SECONDS = {
	session: SESSION_MS / 1000,
	visitor: 24 * 3_600,
	flash: 300,
	/** The challenge of a browser that asked for a code. */
	code: CODE_MS / 1000,
} as const;

type CookieName = keyof typeof COOKIE_SECONDS;

const SECURE = { secure: true, httpOnly: true, sameSite: 'Lax', path: '/' } as const;

/** The value of one of our cookies, or null. */
export function readCookie(c: PageContext, name: CookieName): string | null {
	return getCookie(c, `__Host-${name}`) ?? null;
}

export function writeCookie(c: PageContext, name: CookieName, value: string): void {
	setCookie(c, `__Host-${name}`, value, { ...SECURE, maxAge: COOKIE_SECONDS[name] });
}

export function clearCookie(c: PageContext, name: CookieName): void {
	deleteCookie(c, `__Host-${name}`, SECURE);
}

const flashSchema = z.object({ kind: z.enum(['done', 'failed', 'info']), text: z.string().max(500) });

/** A message about what was just done, for the page after a redirect. */
export type Flash = z.infer<typeof flashSchema>;

/** Leaves a message for the next page that this browser loads. */
export function leaveFlash(c: PageContext, flash: Flash): void {
	writeCookie(c, 'flash', JSON.stringify(flash));
}

/** Takes the message that the last page left; it is shown once. */
export function takeFlash(c: PageContext): Flash | null {
	const text = readCookie(c, 'flash');
	if (text === null) return null;
	clearCookie(c, 'flash');
	return flashSchema.safeParse(parseJson(text)).data ?? null;
}

/** Middleware that finds out who is signed in. */
export const withSession: MiddlewareHandler<DashboardEnv> = async (c, next) => {
	c.set('visitor', readCookie(c, 'visitor'));
	const token = readCookie(c, 'session');
	const signedIn = token === null || token === '' ? null : await findSession(c.var.services, token);
	c.set('signedIn', signedIn);
	c.set('sessionToken', signedIn === null ? '' : (token ?? ''));
	await next();
};

/** Redirects a stranger to the sign-in page, which leads back here. */
export const requireSignedIn: MiddlewareHandler<DashboardEnv> = async (c, next) => {
	if (c.var.signedIn !== null) return next();
	const back = pageOf(c);
	// A cookie without a session: it has ended since.
	if ((readCookie(c, 'session') ?? '') !== '') {
		clearCookie(c, 'session');
		const text = isRead(c)
			? 'Your session has ended. Sign in to go on'
			: 'Your session had ended, so nothing was changed. Sign in, then send it again';
		leaveFlash(c, { kind: 'info', text });
	}
	const query = back === null ? '' : `?next=${encodeURIComponent(back)}`;
	return c.redirect(`/dashboard/sign-in${query}`, 303);
};

function isRead(c: PageContext): boolean {
	return c.req.method === 'GET' || c.req.method === 'HEAD';
}

/** The page that the person sees: of a form, which a redirect can't repeat, the one that it stands on. */
function pageOf(c: PageContext): string | null {
	const { origin, pathname, search } = new URL(c.req.url);
	if (isRead(c)) return pathname + search;
	const from = c.req.header('referer') ?? '';
	const page = URL.canParse(from) ? new URL(from) : null;
	return page?.origin === origin ? page.pathname + page.search : null;
}

/** The path to go to after signing in, if it is one of the dashboard; else the overview. */
export function safeNext(text: string | undefined): string {
	if (text === undefined || !/^\/dashboard(?:[/?]|$)/.test(text)) return '/dashboard';
	const here = 'https://dashboard.test';
	const url = URL.canParse(text, here) ? new URL(text, here) : null;
	return url?.origin === here && url.pathname.startsWith('/dashboard')
		? url.pathname + url.search
		: '/dashboard';
}

export const THEMES = ['light', 'dark', 'system'] as const;
export type Theme = (typeof THEMES)[number];

/** The data that every page needs besides its own content. `flash`: the message of the last action, shown once. */
export type View = ReturnType<typeof viewOf> & { readonly flash?: Flash | null };

export function viewOf(c: PageContext) {
	const { pathname, search } = new URL(c.req.url);
	const { signedIn, services } = c.var;
	return {
		/** The path of the page, to which the theme switch returns. */
		path: pathname + search,
		theme: THEMES.find((theme) => theme === getCookie(c, 'theme')) ?? 'system',
		/** Epoch milliseconds. */
		now: services.clock.now(),
		/** The person who is signed in. If the account is suspended, every page says so. */
		viewer: signedIn && {
			email: signedIn.user.email,
			name: signedIn.user.name === '' ? null : signedIn.user.name,
			suspended: signedIn.suspendedAt !== null,
		},
		/** The token for every form; empty where nothing needs protection. */
		csrf: formToken(c),
		site: siteOf(services.config),
	};
}

/** Provides the parts of a page with its view. */
export const ViewContext = createContext<View | null>(null);

/** The view of the page that is drawn. */
export function useView(): View {
	const view = useContext(ViewContext);
	if (view === null) throw new Error('A page is drawn within its view');
	return view;
}

/** Our own terms, which say what the software does. */
export const OWN_TERMS = '/terms';

/** The facts about this installation in the frame of a page. */
export function siteOf(config: Config) {
	const { PUBLIC_URL, LEGAL_NAME, CONTACT_ADDRESS, CONTACT_URL, TERMS_URL } = config;
	return {
		/** Its public URL, without a trailing slash; null where none is configured. */
		base: PUBLIC_URL === undefined ? null : PUBLIC_URL.replace(/\/$/, ''),
		/** Its operator is named, so that there is an imprint. */
		hasOperator: LEGAL_NAME !== undefined,
		/** Where the terms are: ours, which name the operator, or the operator's own; null: there are none. */
		terms: TERMS_URL ?? (LEGAL_NAME === undefined ? null : OWN_TERMS),
		/** The operator published a contact. */
		hasContact: CONTACT_ADDRESS !== undefined || CONTACT_URL !== undefined,
	};
}

/** A request for a page or with a form. */
export type Visit = Readonly<ReturnType<typeof visitOf>>;

export function visitOf(c: PageContext) {
	const page = c.req.query('page') ?? '';
	return {
		c,
		services: c.var.services,
		/** The session and its person, on pages behind the sign-in. */
		get signedIn(): SignedIn {
			if (c.var.signedIn === null) throw new Error('This page is behind requireSignedIn');
			return c.var.signedIn;
		},
		/** Their account, in which they act without a key. */
		get account(): Admitted {
			return { accountId: this.signedIn.user.accountId, keyId: OWNERS_KEY_ID };
		},
		/** The same, to be asked and told. */
		get own(): ReturnType<Services['accounts']> {
			return c.var.services.accounts(this.account.accountId);
		},
		/** A parameter of the path. */
		param: (name: string) => c.req.param(name) ?? '',
		/** `?page=` of a list, from 1. Anything invalid is the first page. */
		page: /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1,
	};
}

/** A seed from the session and the form: the same form sent twice makes the same secret. Neither is stored. */
export function seedOf({ c }: Visit, what: string): Uint8Array {
	return hmacSha256(`${what} ${c.var.sessionToken}`, c.var.formId);
}

/** Counts an action of an account; says how long to wait when there were too many. */
export async function refuseTooMany(
	{ c, services, account: { accountId } }: Visit,
	action: ThrottledAction,
): Promise<string | null> {
	const throttled = await throttle(services, action, { account: accountId });
	return throttled === null ? null : describeThrottled(c, throttled);
}

/** Our public URL: PUBLIC_URL, never a request's Host header. On a developer's machine, the request's origin. */
export function publicBase(c: PageContext): string {
	const { PUBLIC_URL, DEVELOPMENT } = c.var.services.config;
	if (PUBLIC_URL !== undefined) return PUBLIC_URL;
	const { origin, hostname } = new URL(c.req.url);
	if (DEVELOPMENT && isLoopbackHost(hostname)) return origin;
	throw new ServiceError('upstream_unavailable', 'PUBLIC_URL is not configured');
}

/** The URL in code examples; a placeholder where PUBLIC_URL is not configured. */
export function exampleBase(c: PageContext): string {
	const { PUBLIC_URL, DEVELOPMENT } = c.var.services.config;
	if (PUBLIC_URL === undefined && !DEVELOPMENT) return 'https://your-mailsonar.example';
	return publicBase(c).replace(/\/$/, '');
}

/** Where people write who want credits, or have a question about a purchase: an https address or mailto:. */
export function contactUrlOf({
	CONTACT_URL,
	CONTACT_ADDRESS,
	MAIL_SENDER,
}: Pick<Config, 'CONTACT_URL' | 'CONTACT_ADDRESS' | 'MAIL_SENDER'>): string | null {
	// Our mails say that an answer to them is read.
	const address = CONTACT_ADDRESS ?? MAIL_SENDER;
	return CONTACT_URL ?? (address === undefined ? null : `mailto:${address}`);
}

/**
 * The mailbox of a developer's machine; null in production, and for requests that reach the machine by another name
 * than localhost: through a tunnel, or by DNS rebinding.
 */
export function mailboxHere(c: PageContext): Services['developmentMailbox'] {
	return isLoopbackHost(new URL(c.req.url).hostname) ? c.var.services.developmentMailbox : null;
}

/** Addresses that exist in a developer's sandbox; none with real DNS. */
export function sandboxSamples(c: PageContext): readonly string[] {
	const { DEVELOPMENT, DOH_URL } = c.var.services.config;
	return DEVELOPMENT && DOH_URL.every((url) => isLoopbackHost(new URL(url).hostname))
		? ['ada@inbox.test', 'nobody@inbox.test', 'ada@catch-all.test', 'jane.doe@outlok.com']
		: [];
}

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

/** A secret of this browser alone: its session, or its visit. */
export function bindingOf(c: PageContext): string {
	return c.var.signedIn === null ? `visitor ${c.var.visitor ?? ''}` : `session ${c.var.sessionToken}`;
}

/** A file that the build made (tools/site.ts), which the platform keeps beside the Worker; null: there is none at the path. */
export async function builtFile({ env }: PageContext, path: string): Promise<Response | null> {
	const file = await env.SITE.fetch(new URL(path, 'https://site.invalid'));
	return file.ok ? file : null;
}

/** The text of a page that the build made. */
export async function builtText(c: PageContext, path: string, ending: 'html' | 'md'): Promise<string> {
	const file = await builtFile(c, `/texts${path}.${ending}`);
	if (file === null) throw new Error(`The build makes no ${path}.${ending}`);
	return file.text();
}
