import { getCookie } from 'hono/cookie';
import type { Config } from '../config.ts';
import { ServiceError } from '../errors.ts';
import { isLoopbackHost } from '../lib/ip-address.ts';
import type { SignedIn } from '../operations/people/port.ts';
import type { Services } from '../services.ts';
import { ASSET_PATHS } from './assets.ts';
import type { PageContext } from './context.ts';
import { formToken } from './forms.ts';
import { THEMES } from './view.ts';
import type { Site, View, Viewer } from './view.ts';

/** The data that every page needs besides its own content. */
export function viewOf(c: PageContext): View {
	const { pathname, search } = new URL(c.req.url);
	const { signedIn } = c.var;
	const viewer = signedIn === null ? null : viewerOf(signedIn);
	return {
		path: pathname + search,
		theme: THEMES.find((theme) => theme === getCookie(c, 'theme')) ?? 'system',
		now: c.var.services.clock.now(),
		viewer,
		csrf: formToken(c),
		assets: ASSET_PATHS,
		site: siteOf(c.var.services.config),
	};
}

/** Our own terms, which say what the software does. */
export const OWN_TERMS = '/terms';

/** The data of the frame of every public page. */
export function siteOf(config: Config): Site {
	const { PUBLIC_URL, LEGAL_NAME, CONTACT_ADDRESS, CONTACT_URL, TERMS_URL } = config;
	return {
		base: PUBLIC_URL === undefined ? null : PUBLIC_URL.replace(/\/$/, ''),
		hasOperator: LEGAL_NAME !== undefined,
		terms: TERMS_URL ?? (LEGAL_NAME === undefined ? null : OWN_TERMS),
		hasContact: CONTACT_ADDRESS !== undefined || CONTACT_URL !== undefined,
	};
}

function viewerOf({ user, suspendedAt }: SignedIn): Viewer {
	const { email, name } = user;
	return { email, name: name === '' ? null : name, suspended: suspendedAt !== null };
}

/** `?page=` of a list, from 1. Anything invalid is the first page. */
export function readPage(c: PageContext): number {
	const text = c.req.query('page') ?? '';
	return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}

/** Our public URL: PUBLIC_URL, never a request's Host header. On a developer's machine, the request's origin. */
export function publicBase(c: PageContext): string {
	const { PUBLIC_URL, DEVELOPMENT } = c.var.services.config;
	if (PUBLIC_URL !== undefined) return PUBLIC_URL;
	const { origin, hostname } = new URL(c.req.url);
	if (DEVELOPMENT && isLoopbackHost(hostname)) return origin;
	throw new ServiceError('upstream_unavailable', 'PUBLIC_URL is not configured');
}

/**
 * The mailbox of a developer's machine; null in production, and for requests that reach the machine by another name
 * than localhost: through a tunnel, or by DNS rebinding.
 */
export function mailboxHere(c: PageContext): Services['developmentMailbox'] {
	return isLoopbackHost(new URL(c.req.url).hostname) ? c.var.services.developmentMailbox : null;
}

/** The URL in code examples; a placeholder where PUBLIC_URL is not configured. */
export function exampleBase(c: PageContext): string {
	const { PUBLIC_URL, DEVELOPMENT } = c.var.services.config;
	if (PUBLIC_URL === undefined && !DEVELOPMENT) return 'https://your-mailsonar.example';
	return publicBase(c).replace(/\/$/, '');
}

const SANDBOX_SAMPLES = [
	'ada@inbox.test',
	'nobody@inbox.test',
	'ada@catch-all.test',
	'jane.doe@outlok.com',
] as const;

/** Addresses that exist in a developer's sandbox; none with real DNS. */
export function sandboxSamples(c: PageContext): readonly string[] {
	const { DEVELOPMENT, DOH_URL } = c.var.services.config;
	return DEVELOPMENT && DOH_URL.every((url) => isLoopbackHost(new URL(url).hostname)) ? SANDBOX_SAMPLES : [];
}
