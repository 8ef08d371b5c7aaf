import type { ErrorHandler, NotFoundHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ServiceError } from '../errors.ts';
import { describeError, log } from '../lib/log.ts';
import type { DashboardEnv, PageContext } from './context.ts';
import { NarrowPage } from './layout.tsx';
import { viewOf, showPage } from './view.ts';
import { PageError } from './context.ts';
import { ButtonLink } from './parts/button.tsx';

interface Problem {
	readonly status: ContentfulStatusCode;
	readonly title: string;
	readonly text: string;
	readonly link?: PageError['link'];
}

/** Turns every error into a page. */
export const showError: ErrorHandler<DashboardEnv> = (error, c) => {
	if (error instanceof PageError)
		return show(c, { status: error.status, title: error.title, text: error.message, link: error.link });
	if (error instanceof ServiceError && error.status === 404) return showMissing(c);
	if (error instanceof ServiceError && error.status === 503) {
		log('page_unavailable', { requestId: c.var.requestId, why: error.message });
		c.header('Retry-After', '10');
		return show(c, {
			status: 503,
			title: 'A service we depend on is not answering',
			text: `Nothing was changed. Try again in a minute. If it keeps happening, tell us this number: ${c.var.requestId}`,
		});
	}
	if (error instanceof ServiceError)
		return show(c, { status: 400, title: 'This did not work', text: error.message });
	// Only the check of a form's origin answers 403.
	if (error instanceof HTTPException && error.status === 403)
		return show(c, {
			status: 403,
			title: 'This form came from another site',
			text: 'Nothing was changed.',
		});
	if (error instanceof HTTPException && error.status < 500)
		return show(c, {
			status: error.status,
			title: 'This did not work',
			text: 'We could not read what your browser sent. Go back, reload the page and try again.',
		});
	log('unexpected_error', { requestId: c.var.requestId, ...describeError(error) });
	return show(c, {
		status: 500,
		title: 'Something went wrong on our side',
		text: `Try again in a minute. If it keeps happening, tell us this number: ${c.var.requestId}`,
	});
};

/** A page that does not exist: the API answers programs. */
export const showNotFound: NotFoundHandler<DashboardEnv> = (c) =>
	isPerson(c) ? showMissing(c) : c.body(null, 404);

/** Whether the client reads pages, as browsers do. */
export function isPerson(c: PageContext): boolean {
	return c.req.header('accept')?.includes('text/html') === true;
}

function showMissing(c: PageContext): Response | Promise<Response> {
	return show(c, {
		status: 404,
		title: 'There is no such page',
		text: 'The address may be mistyped, or the page was deleted.',
	});
}

function show(c: PageContext, { status, title, text, link = null }: Problem): Response | Promise<Response> {
	// The configuration could not be read, so there are neither services nor a session.
	if (c.var.services === undefined || c.var.signedIn === undefined)
		return c.text(`${title}. ${text}\n`, status);
	const usual =
		c.var.signedIn === null
			? { href: '/', word: 'Go to the front page' }
			: { href: '/dashboard', word: 'Go home' };
	const { href, word } = link ?? usual;
	return showPage(
		c,
		<NarrowPage view={viewOf(c)} title={title} lead={text}>
			<p>
				<ButtonLink href={href}>{word}</ButtonLink>
			</p>
		</NarrowPage>,
		status,
	);
}
