import type { Hono } from 'hono';
import { z } from 'zod';
import { forecast } from '../../core/credits/forecast.ts';
import { CREDITS_LOW_MAX } from '../../core/webhooks/events.ts';
import { downloadLedger, listLedger, namesOf } from '../../operations/accounts/credits.ts';
import { readUsage } from '../../operations/accounts/accounts.ts';
import type { LedgerPlace } from '../../operations/accounts/port.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { leaveFlash, signedInOf, takeFlash } from '../session.ts';
import { withForm } from '../forms.ts';
import type { FormContext } from '../forms.ts';
import { filterOfQuery, LEDGER_PAGE, readLedgerQuery } from '../list-query.ts';
import type { LedgerQuery } from '../list-query.ts';
import { viewOf } from '../make-view.ts';
import { CreditsLive, CreditsPage } from '../pages/credits/credits.tsx';
import type { CreditsProps } from '../pages/credits/credits.tsx';
import { showPage, showPart } from '../show-page.ts';

const PAGE_SIZE = 50;
const FORECAST_DAYS = 30;
const LOW_TEXT = `Enter a whole number from 1 to ${CREDITS_LOW_MAX}, or nothing`;

const lowForm = z.object({
	below: z
		.string()
		.trim()
		.default('')
		.refine(
			(text) => text === '' || (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= CREDITS_LOW_MAX),
			LOW_TEXT,
		),
	mail: z.string().optional(),
});

/** The page of the balance and the ledger. */
export function addCreditsPage(app: Hono<DashboardEnv>): void {
	app.get(LEDGER_PAGE, async (c) => showCredits(c));
	app.get(`${LEDGER_PAGE}/live`, async (c) => showPart(c, <CreditsLive {...await propsOf(c, null)} />));
	app.post(
		`${LEDGER_PAGE}/low`,
		withForm(lowForm, (c, { errors, typed }) =>
			showCredits(c, { typed: typed['below'] ?? '', error: errors['below'] ?? LOW_TEXT }),
		),
		(c) => takeLow(c),
	);
	app.get(`${LEDGER_PAGE}.csv`, (c) => {
		const query = queryOf(c);
		const filter = filterOfQuery(query);
		const name = ['credits', query.kind, query.from, query.to].filter(Boolean).join('-');
		return c.body(downloadLedger(c.var.services, signedInOf(c).user, { filter }), 200, {
			'Content-Type': 'text/csv; charset=utf-8',
			'Content-Disposition': `attachment; filename="${name}.csv"`,
		});
	});
}

async function takeLow(c: FormContext<typeof lowForm>): Promise<Response> {
	const { below, mail } = c.req.valid('form');
	const threshold = below === '' ? null : Number(below);
	const account = c.var.services.accounts(signedInOf(c).user.accountId);
	await account.setCreditsLow({ below: threshold, mails: mail !== undefined });
	const text = threshold === null ? 'We no longer tell you about a low balance' : 'The threshold is saved';
	leaveFlash(c, { kind: 'done', text });
	return c.redirect(`${LEDGER_PAGE}#low-balance`, 303);
}

async function showCredits(c: PageContext, refused: CreditsProps['refused'] = null): Promise<Response> {
	const props = await propsOf(c, readPlace(c), refused);
	// Only a whole page shows the message: a part that a script renews would swallow it.
	const page = <CreditsPage {...props} flash={takeFlash(c)} />;
	return showPage(c, page, refused === null ? 200 : 422);
}

async function propsOf(
	c: PageContext,
	before: LedgerPlace | null,
	refused: CreditsProps['refused'] = null,
): Promise<CreditsProps> {
	const { services } = c.var;
	const { user } = signedInOf(c);
	const account = services.accounts(user.accountId);
	const query = queryOf(c);
	const [ledger, days, low] = await Promise.all([
		listLedger(services, user, { before, pageSize: PAGE_SIZE, filter: filterOfQuery(query) }),
		readUsage(services, user, { days: FORECAST_DAYS, keyId: null }),
		account.creditsLow(),
	]);
	const names = await namesOf(account, ledger.entries);
	return {
		view: viewOf(c),
		ledger,
		lines: ledger.entries.map((entry) => ({ entry, name: names.get(entry.id) ?? null })),
		isNewest: before === null,
		query,
		low,
		forecast: forecast(ledger.balance.availableCredits, days),
		retentionDays: services.config.LEDGER_RETENTION_DAYS,
		refused,
		flash: null,
	};
}

function queryOf(c: PageContext): LedgerQuery {
	return readLedgerQuery((name) => c.req.query(name));
}

/** `?before=` of the ledger, as `ledgerHref` wrote it. Anything else is the newest page. */
function readPlace(c: PageContext): LedgerPlace | null {
	const [, at, id] = /^(\d{1,15})\.(.{1,200})$/.exec(c.req.query('before') ?? '') ?? [];
	return at === undefined || id === undefined ? null : { at: Number(at), id };
}
