import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** A refusal that is shown as a page of its own. Both texts are for the person. */
export class PageError extends Error {
	override readonly name = 'PageError';
	readonly status: ContentfulStatusCode;
	readonly title: string;

	constructor(status: ContentfulStatusCode, title: string, message: string) {
		super(message);
		this.status = status;
		this.title = title;
	}
}

/** What a suspended account is told. */
export function suspended(): PageError {
	return new PageError(
		403,
		'This account is suspended',
		'Nothing was started or charged. Ask your operator why.',
	);
}
