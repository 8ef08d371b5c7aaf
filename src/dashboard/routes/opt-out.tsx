import type { Hono } from 'hono';
import type { DashboardEnv } from '../context.ts';
import { viewOf } from '../make-view.ts';
import { OptOutPage } from '../pages/opt-out.tsx';
import { showPage } from '../show-page.ts';

/** For those whose mail servers we asked. */
export function addOptOut(app: Hono<DashboardEnv>): void {
	app.get('/opt-out', async (c) => {
		const { CONTACT_ADDRESS: contact = null } = c.var.services.config;
		return showPage(c, <OptOutPage view={viewOf(c)} contact={contact} />);
	});
}
