import type { Hono } from 'hono';
import { z } from 'zod';
import {
	beginTwoFactor,
	lookAtSetup,
	remakeRecoveryCodes,
	turnOffTwoFactor,
	turnOnTwoFactor,
} from '../../../operations/people/two-factor.ts';
import type { FactorSetup } from '../../../operations/people/two-factor.ts';
import { clientAndDevice } from '../../context.ts';
import type { DashboardEnv, PageContext } from '../../context.ts';
import { codeField, passwordField, withForm } from '../../forms.ts';
import type { FieldErrors, FormContext } from '../../forms.ts';
import { leaveFlash, signedInOf } from '../../session.ts';
import { publicBase, viewOf } from '../../make-view.ts';
import {
	RecoveryCodesPage,
	TwoFactorOffPage,
	TwoFactorOnPage,
	TwoFactorSetupPage,
} from '../../pages/people/two-factor.tsx';
import { proofOf, wrongProof } from '../../prove.ts';
import { showPage } from '../../show-page.ts';

const TWO_FACTOR = '/dashboard/settings/two-factor';
const WRONG_CODE = 'This code is wrong. Check that your phone’s clock is right, and enter the next one';
const SETUP_ENDED = 'That took too long. Enter your password and scan a new code';

const beginForm = z.object({ current: passwordField });
const confirmForm = z.object({
	code: codeField,
	offer: z.string().max(200),
});
const proofForm = z.object({ current: passwordField, code: codeField });

type Status = 200 | 422 | 429;
interface Shown {
	readonly errors?: FieldErrors;
	readonly problem?: string | null;
	/** The form that was refused. */
	readonly refused?: 'codes' | 'off';
}

/** Two-factor sign-in: turning it on and off, and recovery codes. */
export function addTwoFactor(app: Hono<DashboardEnv>): void {
	app.get(TWO_FACTOR, async (c) => showTwoFactor(c, {}));
	app.post(
		TWO_FACTOR,
		withForm(beginForm, (c, { errors }) => showTwoFactor(c, { errors }, 422)),
		(c) => takeBegin(c),
	);
	app.post(
		`${TWO_FACTOR}/confirm`,
		withForm(confirmForm, (c, { errors, typed }) =>
			showSetupAgain(c, { offer: typed['offer'] ?? '' }, { errors }, 422),
		),
		(c) => takeConfirmation(c),
	);
	app.post(
		`${TWO_FACTOR}/codes`,
		withForm(proofForm, (c, { errors }) => showTwoFactor(c, { errors, refused: 'codes' }, 422)),
		(c) => takeRemake(c),
	);
	app.post(
		`${TWO_FACTOR}/off`,
		withForm(proofForm, (c, { errors }) => showTwoFactor(c, { errors, refused: 'off' }, 422)),
		(c) => takeOff(c),
	);
}

async function takeBegin(c: FormContext<typeof beginForm>): Promise<Response> {
	const { client } = clientAndDevice(c);
	const request = { password: c.req.valid('form').current, client };
	const result = await beginTwoFactor(c.var.services, signedInOf(c), request);
	if (result.kind === 'begun') return showSetup(c, result.setup, {});
	const { draft, status } = wrongProof(c, result);
	return showTwoFactor(c, draft, status);
}

async function takeConfirmation(c: FormContext<typeof confirmForm>): Promise<Response> {
	const { code, offer } = c.req.valid('form');
	const { formId, sessionToken } = c.var;
	const request = { offer, code, formId, sessionToken, base: publicBase(c), ...clientAndDevice(c) };
	const result = await turnOnTwoFactor(c.var.services, signedInOf(c), request);
	switch (result.kind) {
		case 'on':
			// Shown in the answer itself: for a redirect they would have to be stored.
			return showPage(c, <RecoveryCodesPage view={viewOf(c)} codes={result.recoveryCodes} isNew />);
		case 'on_already':
			leaveFlash(c, { kind: 'info', text: 'Two-factor sign-in is already on' });
			return c.redirect('/dashboard/settings', 303);
		case 'password_needed':
			return showTwoFactor(c, { problem: SETUP_ENDED }, 422);
		case 'wrong_code':
			return showSetupAgain(c, { offer }, { errors: { code: WRONG_CODE } }, 422);
		case 'throttled': {
			const { draft, status } = wrongProof(c, result);
			return showSetupAgain(c, { offer }, draft, status);
		}
	}
}

async function takeRemake(c: FormContext<typeof proofForm>): Promise<Response> {
	const { formId, sessionToken } = c.var;
	const request = { ...proofOf(c, c.req.valid('form')), formId, sessionToken };
	const result = await remakeRecoveryCodes(c.var.services, signedInOf(c), request);
	if (result.kind === 'off') return showTwoFactor(c, {});
	if (result.kind === 'made')
		return showPage(c, <RecoveryCodesPage view={viewOf(c)} codes={result.recoveryCodes} isNew={false} />);
	const { draft, status } = wrongProof(c, result);
	return showTwoFactor(c, { ...draft, refused: 'codes' }, status);
}

async function takeOff(c: FormContext<typeof proofForm>): Promise<Response> {
	const result = await turnOffTwoFactor(c.var.services, signedInOf(c), proofOf(c, c.req.valid('form')));
	if (result.kind === 'off') {
		leaveFlash(c, { kind: 'done', text: 'Two-factor sign-in is off' });
		return c.redirect('/dashboard/settings', 303);
	}
	const { draft, status } = wrongProof(c, result);
	return showTwoFactor(c, { ...draft, refused: 'off' }, status);
}

async function showTwoFactor(c: PageContext, draft: Shown, status: Status = 200): Promise<Response> {
	const { errors = {}, problem = null, refused = null } = draft;
	const { user } = signedInOf(c);
	const { secondFactors } = c.var.services;
	const factor = await secondFactors.find(user.id);
	const common = { view: viewOf(c), email: user.email, errors, problem };
	if (factor === null) return showPage(c, <TwoFactorOffPage {...common} />, status);
	const on = { factor, codesLeft: await secondFactors.countCodes(user.id), refused };
	return showPage(c, <TwoFactorOnPage {...common} {...on} />, status);
}

async function showSetupAgain(
	c: PageContext,
	offered: Pick<FactorSetup, 'offer'>,
	draft: Shown,
	status: Status,
): Promise<Response> {
	const signedIn = signedInOf(c);
	const { secondFactors } = c.var.services;
	// Once it is on, no page shows its key again.
	if ((await secondFactors.find(signedIn.user.id)) !== null) return showTwoFactor(c, {});
	const setup = lookAtSetup(c.var.services, signedIn, offered);
	return setup === null
		? showTwoFactor(c, { problem: SETUP_ENDED }, 422)
		: showSetup(c, setup, draft, status);
}

async function showSetup(
	c: PageContext,
	setup: FactorSetup,
	{ errors = {}, problem = null }: Shown,
	status: Status = 200,
): Promise<Response> {
	return showPage(c, <TwoFactorSetupPage view={viewOf(c)} {...{ setup, errors, problem }} />, status);
}
