import type { Hono } from 'hono';
import { readUsage } from '../../operations/accounts/accounts.ts';
import { listVerifications } from '../../operations/verify/verify-for-owner.ts';
import type { JobRecord } from '../../operations/jobs/port.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { signedInOf, takeFlash } from '../session.ts';
import { viewOf } from '../make-view.ts';
import { OverviewLive, OverviewPage, RANGES } from '../pages/overview.tsx';
import type { Range } from '../pages/overview.tsx';
import { showPage, showPart } from '../show-page.ts';

const RUNNING_MAX = 5;
const ENDED_MAX = 5;
const ANSWERS_MAX = 5;
const LONGEST = Math.max(...RANGES);
const USUAL: Range = 30;

/** The overview page. */
export function addOverview(app: Hono<DashboardEnv>): void {
	app.get('/dashboard', async (c) => {
		const { services } = c.var;
		const { user } = signedInOf(c);
		const account = services.accounts(user.accountId);
		const [{ balance }, low, days, lists, { verifications: answers }] = await Promise.all([
			account.show(),
			account.creditsLow(),
			readUsage(services, user, { days: LONGEST, keyId: null }),
			listsOf(c),
			listVerifications(services, user, { page: 0, pageSize: ANSWERS_MAX }),
		]);
		const page = { balance, low, days, answers, range: rangeOf(c), ...lists, flash: takeFlash(c) };
		return showPage(c, <OverviewPage view={viewOf(c)} {...page} />);
	});
	app.get('/dashboard/live', async (c) =>
		showPart(c, <OverviewLive view={viewOf(c)} {...await listsOf(c)} />),
	);
}

/** `?days=`. Anything else is the usual range. */
function rangeOf(c: PageContext): Range {
	return RANGES.find((range) => String(range) === c.req.query('days')) ?? USUAL;
}

async function listsOf(
	c: PageContext,
): Promise<{ running: readonly JobRecord[]; ended: readonly JobRecord[] }> {
	const account = c.var.services.accounts(signedInOf(c).user.accountId);
	const kind = 'verification';
	const [{ jobs: running }, { jobs: newest }] = await Promise.all([
		account.listJobs({ kind, status: 'processing', page: 1, pageSize: RUNNING_MAX }),
		account.listJobs({ kind, page: 1, pageSize: RUNNING_MAX + ENDED_MAX }),
	]);
	const ended = newest.filter(({ status }) => status !== 'processing').slice(0, ENDED_MAX);
	return { running, ended };
}
