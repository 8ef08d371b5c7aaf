import type { PageContext } from './context.ts';

/** `?page=` of a list, from 1. What is no such number is the first page. */
export function readPage(c: PageContext): number {
	const text = c.req.query('page') ?? '';
	return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
}
