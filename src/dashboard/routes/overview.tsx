import type { Hono } from 'hono';
import { readUsage } from '../../operations/accounts/read-usage.ts';
import type { DashboardEnv } from '../context.ts';
import { takeFlash } from '../flash.ts';
import { exampleBase, sandboxSamples, viewOf } from '../make-view.ts';
import { OverviewPage } from '../pages/overview.tsx';
import { signedInOf } from '../session.ts';
import { showPage } from '../show-page.ts';

const JOBS = 5;
const DAYS = 30;
const EXAMPLE_ADDRESS = 'jane@acme.com';

/** The overview page. */
export function addOverview(app: Hono<DashboardEnv>): void {
	app.get('/dashboard', async (c) => {
		const { services } = c.var;
		const { user } = signedInOf(c);
		const account = services.accounts(user.accountId);
		const [{ balance, keys }, days, { jobs }] = await Promise.all([
			account.show(),
			readUsage(services, user, { days: DAYS, keyId: null }),
			account.listJobs({ kind: 'verification', page: 1, pageSize: JOBS }),
		]);
		const page = {
			baseUrl: exampleBase(c),
			balance,
			days,
			jobs,
			keys: keys.filter(({ revoked }) => !revoked).length,
			sample: sandboxSamples(c)[0] ?? EXAMPLE_ADDRESS,
			flash: takeFlash(c),
		};
		return showPage(c, <OverviewPage view={viewOf(c)} {...page} />);
	});
}
