import type { Hono } from 'hono';
import { z } from 'zod';
import { verifyForOwner } from '../../operations/verify/verify-for-owner.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { addressField } from '../fields.ts';
import { span } from '../format.ts';
import { withForm } from '../forms.ts';
import type { FormContext } from '../forms.ts';
import { viewOf } from '../make-view.ts';
import { suspended } from '../page-error.ts';
import { VerifyPage } from '../pages/verify.tsx';
import type { VerifyProps } from '../pages/verify.tsx';
import { signedInOf } from '../session.ts';
import { showPage } from '../show-page.ts';

const verifyForm = z.object({ email: addressField });
const NO_CREDITS = 'No credits are available. Add some under Credits';

/** The page that verifies one address. */
export function addVerifyPage(app: Hono<DashboardEnv>): void {
	app.get('/dashboard/verify', async (c) => show(c, { email: (c.req.query('email') ?? '').slice(0, 320) }));
	app.post(
		'/dashboard/verify',
		withForm(verifyForm, (c, { errors, typed }) =>
			show(c, { email: typed['email'] ?? '', error: errors['email'] ?? null }, 422),
		),
		(c) => take(c),
	);
}

async function take(c: FormContext<typeof verifyForm>): Promise<Response> {
	const { services } = c.var;
	const { email: address } = c.req.valid('form');
	const { email } = address;
	services.requireProber();
	const verifying = verifyForOwner(services, signedInOf(c).user, { address, formId: c.var.formId });
	// The verification is settled even if the person leaves in the meantime.
	c.executionCtx.waitUntil(verifying.catch(() => {}));
	const outcome = await verifying;
	switch (outcome.kind) {
		case 'verified':
			return show(c, { email, answer: outcome });
		case 'repeated':
			return show(c, { email, repeated: true });
		case 'insufficient_credits':
			return show(c, { email, error: NO_CREDITS }, 422);
		case 'rate_limited': {
			c.header('Retry-After', String(outcome.resetSeconds));
			const error = `This account has asked as often as it may. Try again in ${span(outcome.resetSeconds * 1000)}`;
			return show(c, { email, error }, 429);
		}
		case 'shut':
			throw suspended();
	}
}

async function show(
	c: PageContext,
	shown: Partial<Omit<VerifyProps, 'view' | 'available'>>,
	status: 200 | 422 | 429 = 200,
): Promise<Response> {
	const { balance } = await c.var.services.accounts(signedInOf(c).user.accountId).show();
	const page = { email: '', error: null, repeated: false, answer: null, ...shown };
	return showPage(c, <VerifyPage view={viewOf(c)} {...page} available={balance.availableCredits} />, status);
}
