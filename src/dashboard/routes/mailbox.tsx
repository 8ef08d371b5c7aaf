import type { Hono } from 'hono';
import type { DashboardEnv } from '../context.ts';
import { mailboxHere, viewOf } from '../make-view.ts';
import { MailboxPage } from '../pages/mailbox.tsx';
import { showPage } from '../show-page.ts';

/** GET /dashboard/dev/mailbox: stored mails. Exists on a developer's machine only. */
export function addMailbox(app: Hono<DashboardEnv>): void {
	app.get('/dashboard/dev/mailbox', async (c) => {
		const mailbox = mailboxHere(c);
		if (mailbox === null) return c.notFound();
		const mails = await mailbox.list();
		return showPage(c, <MailboxPage view={viewOf(c)} mails={mails} />);
	});
}
