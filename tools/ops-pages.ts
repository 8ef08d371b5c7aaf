import { callOperator } from './operator-client.ts';

/** Every page of an answer that names the `next` one. */
export async function* pagesOf<Page extends { readonly next: string | null }>(
	service: Parameters<typeof callOperator>[0],
	path: string,
): AsyncGenerator<Page> {
	let after: string | null = null;
	do {
		const query: string = after === null ? '' : `?after=${encodeURIComponent(after)}`;
		const page: Page = await callOperator(service, 'GET', `${path}${query}`);
		yield page;
		after = page.next;
	} while (after !== null);
}
