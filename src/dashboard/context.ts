import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { describeDevice } from '../core/identity/device.ts';
import { clientOf } from '../http/keys.ts';
import type { SignedIn } from '../operations/people/port.ts';
import type { Throttled } from '../operations/people/steps/throttle.ts';
import type { Services } from '../services.ts';
import { span } from './format.ts';

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

	constructor(
		status: ContentfulStatusCode,
		title: string,
		message: string,
		link: { readonly href: string; readonly word: string } | null = null,
	) {
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
export function waitOf(c: PageContext, { retryAfterMs }: Throttled): string {
	c.header('Retry-After', String(Math.ceil(retryAfterMs / 1000)));
	return span(retryAfterMs);
}
