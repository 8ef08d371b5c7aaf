import type { ErrorHandler, NotFoundHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { ServiceError } from '../errors.ts';
import { describeError, log } from '../lib/log.ts';
import type { DashboardEnv, PageContext } from './view.ts';
import { NarrowPage, showPage } from './layout.tsx';
import { PageError } from './view.ts';
import { ButtonLink } from './parts/basic.tsx';

/** Turns every error into a page. */
export const showError: ErrorHandler<DashboardEnv> = (error, c) => {
	if (error instanceof PageError) return show(c, error);
	if (error instanceof ServiceError && error.status === 404) return showMissing(c);
	const number = `If it keeps happening, tell us this number: ${c.var.requestId}`;
	if (error instanceof ServiceError && error.status === 503) {
		log('page_unavailable', { requestId: c.var.requestId, why: error.message });
		c.header('Retry-After', '10');
		const title = 'A service we depend on is not answering';
		return show(c, new PageError(503, title, `Nothing was changed. Try again in a minute. ${number}`));
	}
	if (error instanceof ServiceError) return show(c, new PageError(400, 'This did not work', error.message));
	// Only the check of a form's origin answers 403.
	if (error instanceof HTTPException && error.status === 403)
		return show(c, new PageError(403, 'This form came from another site', 'Nothing was changed.'));
	if (error instanceof HTTPException && error.status < 500) {
		const text = 'We could not read what your browser sent. Go back, reload the page and try again.';
		return show(c, new PageError(error.status, 'This did not work', text));
	}
	log('unexpected_error', { requestId: c.var.requestId, ...describeError(error) });
	return show(c, new PageError(500, 'Something went wrong on our side', `Try again in a minute. ${number}`));
};

/** A page that does not exist: the API answers programs. */
export const showNotFound: NotFoundHandler<DashboardEnv> = (c) =>
	isPerson(c) ? showMissing(c) : c.body(null, 404);

/** Whether the client reads pages, as browsers do. */
export function isPerson(c: PageContext): boolean {
	return c.req.header('accept')?.includes('text/html') === true;
}

function showMissing(c: PageContext): Response | Promise<Response> {
	const text = 'The address may be mistyped, or the page was deleted.';
	return show(c, new PageError(404, 'There is no such page', text));
}

function show(c: PageContext, { status, title, message, link }: PageError): Response | Promise<Response> {
	// The configuration could not be read, so there are neither services nor a session.
	if (c.var.services === undefined || c.var.signedIn === undefined)
		return c.text(`${title}. ${message}\n`, status);
	const usual =
		c.var.signedIn === null
			? { href: '/', word: 'Go to the front page' }
			: { href: '/dashboard', word: 'Go home' };
	const { href, word } = link ?? usual;
	return showPage(
		c,
		<NarrowPage title={title} lead={message}>
			<p>
				<ButtonLink href={href}>{word}</ButtonLink>
			</p>
		</NarrowPage>,
		status,
	);
}
