import type { Hono } from 'hono';
import { isJobNoun } from '../../core/jobs/kinds/kinds.ts';
import { paginate } from '../../core/jobs/pages.ts';
import { downloadLedger } from '../../operations/accounts/download-ledger.ts';
import { listLedger } from '../../operations/accounts/list-ledger.ts';
import type { DashboardEnv } from '../context.ts';
import { readPage, viewOf } from '../make-view.ts';
import { CreditsPage } from '../pages/credits.tsx';
import { signedInOf } from '../session.ts';
import { showPage } from '../show-page.ts';

const PAGE_SIZE = 50;

/** The page of the ledger. */
export function addCreditsPage(app: Hono<DashboardEnv>): void {
	app.get('/dashboard/credits', async (c) => {
		const { services } = c.var;
		const { user } = signedInOf(c);
		const account = services.accounts(user.accountId);
		const page = readPage(c);
		const ledger = await listLedger(services, user, { page, pageSize: PAGE_SIZE });
		const lines = await Promise.all(
			ledger.entries.map(async (entry) => ({
				entry,
				name: isJobNoun(entry.kind) ? ((await account.findJob(entry.id))?.name ?? null) : null,
			})),
		);
		const { balance, reconciled, total } = ledger;
		const shown = { balance, reconciled, lines, pagination: paginate(total, page, PAGE_SIZE) };
		return showPage(c, <CreditsPage view={viewOf(c)} {...shown} />);
	});
	app.get('/dashboard/credits.csv', (c) =>
		c.body(downloadLedger(c.var.services, signedInOf(c).user), 200, {
			'Content-Type': 'text/csv; charset=utf-8',
			'Content-Disposition': 'attachment; filename="credits.csv"',
		}),
	);
}
