import type { Hono } from 'hono';
import { z } from 'zod';
import { paginate } from '../../core/jobs/pages.ts';
import { finished } from '../../lib/log.ts';
import { ANSWER_KEPT } from '../../core/jobs/retention.ts';
import {
	findVerification,
	listVerifications,
	verifyForOwner,
} from '../../operations/verify/verify-for-owner.ts';
import type { ShownVerification } from '../../operations/verify/verify-for-owner.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { addressField, withForm } from '../forms.ts';
import type { FormContext } from '../forms.ts';
import { signedInOf, takeFlash } from '../session.ts';
import { span } from '../format.ts';
import { readPage, viewOf } from '../make-view.ts';
import { PageError, suspended } from '../page-error.ts';
import { VerifyPage } from '../pages/verify.tsx';
import type { VerifyProps } from '../pages/verify.tsx';
import { showPage } from '../show-page.ts';

const verifyForm = z.object({ email: addressField });
const NO_CREDITS = 'No credits are available. Add some under Credits';
const PAGE_SIZE = 25;
const REFRESH_SECONDS = '2';
const VERIFICATION = '/dashboard/verify/:verificationId';
const VERIFICATION_ID = /^ver_[\w-]{1,64}$/;

/** The pages that verify one address, and show its answer again. */
export function addVerifyPage(app: Hono<DashboardEnv>): void {
	app.get('/dashboard/verify', async (c) => show(c, { email: (c.req.query('email') ?? '').slice(0, 320) }));
	app.get(VERIFICATION, async (c) => {
		const verification = await requireVerification(c, c.req.param('verificationId'));
		// Only where the form was sent twice: else the answer is there when its page is.
		if (verification.kind === 'under_way') c.header('Refresh', REFRESH_SECONDS);
		const email = verification.kind === 'answered' ? verification.answer.result.email : '';
		return show(c, { email, shown: verification });
	});
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
	// A person who leaves cancels the request: the work and its settlement go on all the same.
	c.executionCtx.waitUntil(finished(verifying));
	const outcome = await verifying;
	switch (outcome.kind) {
		case 'verified':
			return c.redirect(`/dashboard/verify/${outcome.id}`, 303);
		case 'insufficient_credits':
			return show(c, { email, error: NO_CREDITS }, 422);
		case 'rate_limited': {
			c.header('Retry-After', String(outcome.resetSeconds));
			const error = `This account has reached its limit. Try again in ${span(outcome.resetSeconds * 1000)}`;
			return show(c, { email, error }, 429);
		}
		case 'shut':
			throw suspended();
	}
}

async function requireVerification(c: PageContext, id: string): Promise<ShownVerification> {
	const isId = VERIFICATION_ID.test(id);
	const found = isId ? await findVerification(c.var.services, signedInOf(c).user, { id }) : null;
	if (found !== null) return found;
	throw new PageError(
		404,
		'This answer is no longer here',
		`Answers are kept for ${ANSWER_KEPT}. You can verify the address again.`,
	);
}

async function show(
	c: PageContext,
	state: Partial<Pick<VerifyProps, 'email' | 'error' | 'shown'>>,
	status: 200 | 422 | 429 = 200,
): Promise<Response> {
	const { services } = c.var;
	const { user } = signedInOf(c);
	const page = readPage(c);
	const [{ balance }, { verifications, total }] = await Promise.all([
		services.accounts(user.accountId).show(),
		listVerifications(services, user, { page: page - 1, pageSize: PAGE_SIZE }),
	]);
	const history = { verifications, pagination: paginate(total, page, PAGE_SIZE) };
	const props = { email: '', error: null, shown: null, ...state, history, flash: takeFlash(c) };
	return showPage(c, <VerifyPage view={viewOf(c)} {...props} available={balance.availableCredits} />, status);
}
