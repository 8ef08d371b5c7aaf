import type { Hono } from 'hono';
import { z } from 'zod';
import { ServiceError } from '../../errors.ts';
import { throttle } from '../../operations/people/steps/throttle.ts';
import { beginPurchase, listPurchases, showPurchase } from '../../operations/payments/purchases.ts';
import { clientAndDevice } from '../context.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { plural } from '../format.ts';
import { withForm } from '../forms.ts';
import type { FormContext } from '../forms.ts';
import { publicBase, viewOf } from '../make-view.ts';
import { contactUrlOf } from '../view.ts';
import { describeThrottled, suspended } from '../page-error.ts';
import { AddCreditsPage } from '../pages/credits/add-credits.tsx';
import { PurchasePage } from '../pages/credits/purchase.tsx';
import { signedInOf } from '../session.ts';
import { showPage } from '../show-page.ts';

const ADD = '/dashboard/credits/add';
const UNKNOWN_PACK = 'This pack is no longer sold. Choose one of those below.';

const packForm = z.object({ credits: z.string().regex(/^[1-9]\d{0,8}$/, UNKNOWN_PACK) });

/** The pages on which credits are bought. */
export function addPaymentPages(app: Hono<DashboardEnv>): void {
	app.get(ADD, async (c) => showShop(c, null));
	app.post(
		ADD,
		withForm(packForm, (c) => showShop(c, UNKNOWN_PACK, 422)),
		(c) => takePack(c),
	);
	app.get('/dashboard/credits/purchases/:purchaseId', async (c) => {
		const { services } = c.var;
		const { user } = signedInOf(c);
		const purchase = await showPurchase(services, user, { purchaseId: c.req.param('purchaseId') });
		if (purchase === null) return c.notFound();
		const page = { purchase, available: await availableTo(c), contactUrl: contactUrlOf(services.config) };
		return showPage(c, <PurchasePage view={viewOf(c)} {...page} />);
	});
}

async function takePack(c: FormContext<typeof packForm>): Promise<Response> {
	const { services } = c.var;
	const { user, suspendedAt } = signedInOf(c);
	if (suspendedAt !== null) throw suspended();
	const { client } = clientAndDevice(c);
	const throttled = await throttle(services, 'buy_credits', { client, account: user.accountId });
	if (throttled !== null) return showShop(c, describeThrottled(c, throttled), 429);
	const credits = Number(c.req.valid('form').credits);
	const request = {
		credits,
		what: plural(credits, 'Mailsonar credit'),
		email: user.email,
		formId: c.var.formId,
		base: publicBase(c),
	};
	try {
		const begun = await beginPurchase(services, user, request);
		switch (begun.kind) {
			case 'begun':
				return c.redirect(begun.url, 303);
			case 'over':
				return c.redirect(`/dashboard/credits/purchases/${begun.purchaseId}`, 303);
			case 'not_sold':
				return await showShop(c, UNKNOWN_PACK, 422);
		}
	} catch (error) {
		if (!(error instanceof ServiceError) || error.code !== 'upstream_unavailable') throw error;
		return showShop(c, 'The payment page could not be opened. Try again in a minute.', 503);
	}
}

async function showShop(
	c: PageContext,
	problem: string | null,
	status: 200 | 422 | 429 | 503 = 200,
): Promise<Response> {
	const { services } = c.var;
	const page = {
		shop: {
			packs: services.packs,
			takesPayments: services.checkout !== null && services.packs.length > 0,
			contactUrl: contactUrlOf(services.config),
		},
		available: await availableTo(c),
		purchases: await listPurchases(services, signedInOf(c).user),
		problem,
		left: c.req.query('left') === 'yes',
	};
	return showPage(c, <AddCreditsPage view={viewOf(c)} {...page} />, status);
}

async function availableTo(c: PageContext): Promise<number> {
	const { balance } = await c.var.services.accounts(signedInOf(c).user.accountId).show();
	return balance.availableCredits;
}
