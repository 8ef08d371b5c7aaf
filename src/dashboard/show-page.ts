import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { PageContext } from './context.ts';

/** Answers with a whole document. */
export async function showPage(
	c: PageContext,
	page: Child,
	status: ContentfulStatusCode = 200,
): Promise<Response> {
	return c.html(html`<!doctype html>${page}`, status);
}

/** Answers with a part of a page, with which a script replaces the old one. */
export async function showPart(c: PageContext, part: Child): Promise<Response> {
	return c.html(html`${part}`);
}
