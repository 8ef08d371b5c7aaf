import { z } from 'zod';
import { fromBase64Url, toBase64Url } from '../lib/base-encodings.ts';
import type { PageContext } from './context.ts';
import { clearCookie, readCookie, writeCookie } from './cookies.ts';

const schema = z.object({ kind: z.enum(['done', 'failed', 'info']), text: z.string().max(500) });

/** A message about what was just done, for the page after a redirect. */
export type Flash = z.infer<typeof schema>;

/** Leaves a message for the next page that this browser loads. */
export function leaveFlash(c: PageContext, flash: Flash): void {
	writeCookie(c, 'flash', toBase64Url(new TextEncoder().encode(JSON.stringify(flash))));
}

/** Takes the message that the last page left; it is shown once. */
export function takeFlash(c: PageContext): Flash | null {
	const text = readCookie(c, 'flash');
	if (text === null) return null;
	clearCookie(c, 'flash');
	const bytes = fromBase64Url(text);
	if (bytes === null) return null;
	try {
		const parsed = schema.safeParse(JSON.parse(new TextDecoder().decode(bytes)));
		return parsed.success ? parsed.data : null;
	} catch {
		return null;
	}
}
