import type { Hono } from 'hono';
import { setCookie } from 'hono/cookie';
import type { DashboardEnv } from '../context.ts';
import { readFields } from '../forms.ts';
import { THEMES } from '../view.ts';

/** POST /theme: switches the theme. */
export function addTheme(app: Hono<DashboardEnv>): void {
	app.post('/theme', async (c) => {
		const fields = await readFields(c);
		const [theme, back] = [fields.get('theme'), fields.get('back')];
		const chosen = THEMES.find((each) => each === theme);
		if (chosen !== undefined) {
			const secure = new URL(c.req.url).protocol === 'https:';
			setCookie(c, 'theme', chosen, { path: '/', maxAge: 31_536_000, sameSite: 'Lax', secure });
		}
		// Only a path of ours: one leading slash, and no character that browsers treat as a second one.
		const isOwnPath = back !== null && /^\/(?![/\\])[^\s\\]*$/.test(back);
		return c.redirect(isOwnPath ? back : '/', 303);
	});
}
