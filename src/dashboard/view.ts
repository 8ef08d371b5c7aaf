import { getCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Config } from '../config.ts';
import type { ThrottledAction } from '../core/identity/throttles.ts';
import { ServiceError } from '../errors.ts';
import { hmacSha256 } from '../lib/digest.ts';
import { isLoopbackHost } from '../lib/ip-address.ts';
import type { Admitted } from '../operations/accounts/port.ts';
import type { SignedIn } from '../operations/people/port.ts';
import { throttle } from '../operations/people/steps/throttle.ts';
import type { Services } from '../services.ts';
import { describeThrottled } from './context.ts';
import type { PageContext } from './context.ts';
import { formToken } from './forms.ts';
import { ownerOf, signedInOf } from './session.ts';
import type { Flash } from './session.ts';

// How a request becomes what a page reads, and what it shows.

export const THEMES = ['light', 'dark', 'system'] as const;
export type Theme = (typeof THEMES)[number];

/** The data that every page needs besides its own content. */
export interface View {
	/** The path of the page, to which the theme switch returns. */
	readonly path: string;
	readonly theme: Theme;
	/** Epoch milliseconds. */
	readonly now: number;
	/** The person who is signed in. If the account is suspended, every page says so. */
	readonly viewer: {
		readonly email: string;
		readonly name: string | null;
		readonly suspended?: boolean;
	} | null;
	/** The token for every form; empty where nothing needs protection. */
	readonly csrf: string;
	readonly site: ReturnType<typeof siteOf>;
	/** The message of the last action, shown once. */
	readonly flash?: Flash | null;
}

export function viewOf(c: PageContext): View {
	const { pathname, search } = new URL(c.req.url);
	const { signedIn, services } = c.var;
	return {
		path: pathname + search,
		theme: THEMES.find((theme) => theme === getCookie(c, 'theme')) ?? 'system',
		now: services.clock.now(),
		viewer:
			signedIn === null
				? null
				: {
						email: signedIn.user.email,
						name: signedIn.user.name === '' ? null : signedIn.user.name,
						suspended: signedIn.suspendedAt !== null,
					},
		csrf: formToken(c),
		site: siteOf(services.config),
	};
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
export interface Visit {
	readonly c: PageContext;
	readonly services: Services;
	/** The session and its person, on pages behind the sign-in. */
	readonly signedIn: SignedIn;
	/** Their account, in which they act without a key. */
	readonly account: Admitted;
	/** A parameter of the path. */
	readonly param: (name: string) => string;
	/** `?page=` of a list, from 1. Anything invalid is the first page. */
	readonly page: number;
}

export function visitOf(c: PageContext): Visit {
	const page = c.req.query('page') ?? '';
	return {
		c,
		services: c.var.services,
		get signedIn() {
			return signedInOf(c);
		},
		get account() {
			return ownerOf(c);
		},
		param: (name) => c.req.param(name) ?? '',
		page: /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1,
	};
}

const encoder = new TextEncoder();

/** A seed from the session and the form: the same form sent twice makes the same secret. Neither is stored. */
export function seedOf({ c }: Visit, what: string): Uint8Array {
	return hmacSha256(encoder.encode(`${what} ${c.var.sessionToken}`), encoder.encode(c.var.formId));
}

/** Counts an action of an account; says how long to wait when there were too many. */
export async function refuseTooMany(
	{ c, services, account: { accountId } }: Visit,
	action: ThrottledAction,
): Promise<string | null> {
	const throttled = await throttle(services, action, { account: accountId });
	return throttled === null ? null : describeThrottled(c, throttled);
}

/** Answers with a whole document. */
export async function showPage(
	c: PageContext,
	page: Child,
	status: ContentfulStatusCode = 200,
): Promise<Response> {
	return c.html(html`<!doctype html>${page}`, status);
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
