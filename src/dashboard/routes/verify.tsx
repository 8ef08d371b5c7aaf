import type { Hono } from 'hono';
import { z } from 'zod';
import { paginate } from '../../core/jobs/pages.ts';
import { HISTORY_WORDS, SEEN_WORDS } from '../../core/verification/history.ts';
import { finished } from '../../lib/log.ts';
import { findVerification, keepHistory, listVerifications } from '../../operations/verify/history.ts';
import type { ShownVerification } from '../../operations/verify/history-port.ts';
import { verifyForOwner } from '../../operations/verify/verify-for-owner.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { addressField, withForm } from '../forms.ts';
import type { FormContext } from '../forms.ts';
import { leaveFlash, signedInOf, takeFlash } from '../session.ts';
import { span } from '../format.ts';
import { readPage, viewOf } from '../make-view.ts';
import { PageError, suspended } from '../page-error.ts';
import { VerificationLive, VerifyPage } from '../pages/verify.tsx';
import type { VerifyProps } from '../pages/verify.tsx';
import { showPage, showPart } from '../show-page.ts';

const verifyForm = z.object({ email: addressField });
const historyForm = z.object({ keep: z.enum(['yes', 'no']) });
const NO_CREDITS = 'No credits are available. Add some under Credits';
const PAGE_SIZE = 25;
// Most answers are there by then, and need no page with steps.
const QUICK_MS = 1_000;
const VERIFICATION = '/dashboard/verify/:verificationId';
const VERIFICATION_ID = /^ver_[\w-]{1,64}$/;

/** The pages that verify one address, and show its answer again. */
export function addVerifyPage(app: Hono<DashboardEnv>): void {
	app.get('/dashboard/verify', async (c) => show(c, { email: (c.req.query('email') ?? '').slice(0, 320) }));
	app.get(VERIFICATION, async (c) => {
		const verification = await requireVerification(c, c.req.param('verificationId'));
		return show(c, { email: verification.email, shown: verification });
	});
	app.get(`${VERIFICATION}/live`, async (c) => {
		const verification = await requireVerification(c, c.req.param('verificationId'));
		return showPart(c, <VerificationLive view={viewOf(c)} shown={verification} />);
	});
	app.post(
		'/dashboard/verify',
		withForm(verifyForm, (c, { errors, typed }) =>
			show(c, { email: typed['email'] ?? '', error: errors['email'] ?? null }, 422),
		),
		(c) => take(c),
	);
	app.post(
		'/dashboard/settings/history',
		withForm(historyForm, () => {
			throw new PageError(400, 'This form could not be read', 'Nothing was changed.');
		}),
		(c) => takeHistory(c),
	);
}

async function take(c: FormContext<typeof verifyForm>): Promise<Response> {
	const { services } = c.var;
	const { email: address } = c.req.valid('form');
	const { email } = address;
	services.requireProber();
	const outcome = await verifyForOwner(services, signedInOf(c).user, { address, formId: c.var.formId });
	switch (outcome.kind) {
		case 'begun':
			// It goes on when the person has been led to its page, or has left.
			c.executionCtx.waitUntil(finished(outcome.ended));
			await Promise.race([outcome.ended, services.clock.sleep(QUICK_MS)]);
			return c.redirect(`/dashboard/verify/${outcome.id}`, 303);
		case 'repeated':
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

async function takeHistory(c: FormContext<typeof historyForm>): Promise<Response> {
	const keep = c.req.valid('form').keep === 'yes';
	await keepHistory(c.var.services, signedInOf(c), { keep });
	leaveFlash(c, {
		kind: 'done',
		text: keep ? 'The history is on' : 'The history is off and deleted',
	});
	return c.redirect('/dashboard/settings', 303);
}

async function requireVerification(c: PageContext, id: string): Promise<ShownVerification> {
	const isId = VERIFICATION_ID.test(id);
	const found = isId ? await findVerification(c.var.services, signedInOf(c).user, { id }) : null;
	if (found !== null) return found;
	throw new PageError(
		404,
		'This answer is no longer here',
		`Answers are kept for ${HISTORY_WORDS}, or for ${SEEN_WORDS} while the history is off. You can verify the address again.`,
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
	const [{ balance }, { isKept, verifications, total }] = await Promise.all([
		services.accounts(user.accountId).show(),
		listVerifications(services, user, { page: page - 1, pageSize: PAGE_SIZE }),
	]);
	const history = { isKept, verifications, pagination: paginate(total, page, PAGE_SIZE) };
	const props = { email: '', error: null, shown: null, ...state, history, flash: takeFlash(c) };
	return showPage(c, <VerifyPage view={viewOf(c)} {...props} available={balance.availableCredits} />, status);
}
