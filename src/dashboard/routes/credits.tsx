import type { Hono } from 'hono';
import { isJobNoun } from '../../core/jobs/kinds/kinds.ts';
import { downloadLedgerMonth } from '../../operations/accounts/download-ledger-month.ts';
import { downloadLedger } from '../../operations/accounts/download-ledger.ts';
import { listLedger } from '../../operations/accounts/list-ledger.ts';
import type { LedgerPlace } from '../../operations/accounts/port.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { viewOf } from '../make-view.ts';
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
		const before = readPlace(c);
		const ledger = await listLedger(services, user, { before, pageSize: PAGE_SIZE });
		const lines = await Promise.all(
			ledger.entries.map(async (entry) => ({
				entry,
				name: isJobNoun(entry.kind) ? ((await account.findJob(entry.id))?.name ?? null) : null,
			})),
		);
		return showPage(
			c,
			<CreditsPage view={viewOf(c)} ledger={ledger} lines={lines} isNewest={before === null} />,
		);
	});
	app.get('/dashboard/credits.csv', (c) =>
		c.body(downloadLedger(c.var.services, signedInOf(c).user), 200, {
			'Content-Type': 'text/csv; charset=utf-8',
			'Content-Disposition': 'attachment; filename="credits.csv"',
		}),
	);
	app.get('/dashboard/credits/:file{\\d{4}-\\d{2}\\.csv}', async (c) => {
		const month = c.req.param('file').slice(0, 7);
		const csv = await downloadLedgerMonth(c.var.services, signedInOf(c).user, { month });
		if (csv === null) return c.notFound();
		return c.body(csv, 200, {
			'Content-Type': 'text/csv; charset=utf-8',
			'Content-Disposition': `attachment; filename="credits-${month}.csv"`,
		});
	});
}

/** `?before=` of the ledger, as `placeText` wrote it. Anything else is the newest page. */
function readPlace(c: PageContext): LedgerPlace | null {
	const [, at, id] = /^(\d{1,15})\.(.{1,200})$/.exec(c.req.query('before') ?? '') ?? [];
	return at === undefined || id === undefined ? null : { at: Number(at), id };
}
