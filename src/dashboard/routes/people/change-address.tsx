import type { Hono } from 'hono';
import { z } from 'zod';
import {
	changeAddress,
	lookAtAddressChange,
	requestAddressChange,
} from '../../../operations/people/change-address.ts';
import { clientAndDevice } from '../../context.ts';
import type { DashboardEnv, PageContext } from '../../context.ts';
import { addressField, codeField, linkToken, passwordField, withForm } from '../../forms.ts';
import type { FieldErrors, FormContext } from '../../forms.ts';
import { keepBrowser, leaveFlash, signedInOf } from '../../session.ts';
import { mailboxHere, viewOf } from '../../make-view.ts';
import {
	AddressLinkEndedPage,
	AddressLinkSentPage,
	ChangeAddressPage,
	ConfirmAddressPage,
} from '../../pages/people/change-address.tsx';
import { proofOf, wrongProof } from '../../prove.ts';
import { showPage } from '../../show-page.ts';
import { NO_MAIL, THROW_AWAY } from './sign-up.tsx';

const ADDRESS = '/dashboard/settings/address';

const addressForm = z.object({
	email: addressField,
	current: passwordField,
	code: codeField.optional(),
	/** The address for which our suggestion was shown. */
	keep: z.string().optional(),
});
const confirmForm = z.object({ token: linkToken });

/** Changing the address of the person who is signed in. */
export function addChangeAddress(app: Hono<DashboardEnv>): void {
	app.get(ADDRESS, async (c) => showForm(c, {}));
	app.post(
		ADDRESS,
		withForm(addressForm, (c, { errors, typed }) =>
			showForm(c, { typed: typed['email'] ?? '', errors }, 422),
		),
		(c) => takeForm(c),
	);
	app.get(`${ADDRESS}/sent`, async (c) =>
		showPage(c, <AddressLinkSentPage view={viewOf(c)} mailboxHere={mailboxHere(c) !== null} />),
	);
	app.get(`${ADDRESS}/confirm`, async (c) => {
		const token = c.req.query('token') ?? '';
		const signedIn = signedInOf(c);
		const link = await lookAtAddressChange(c.var.services, signedIn, { token });
		if (link === null) return showEnded(c);
		const page = { token, from: signedIn.user.email, to: link.email };
		return showPage(c, <ConfirmAddressPage view={viewOf(c)} {...page} />);
	});
	app.post(`${ADDRESS}/confirm`, withForm(confirmForm, showEnded), (c) => takeConfirmation(c));
}

async function takeForm(c: FormContext<typeof addressForm>): Promise<Response> {
	const { email: address, keep, ...proof } = c.req.valid('form');
	const result = await requestAddressChange(c.var.services, signedInOf(c), {
		...proofOf(c, proof),
		address,
		keepsAddress: keep === address.email,
		formId: c.var.formId,
	});
	const typed = address.email;
	switch (result.kind) {
		case 'look_in_mail':
			return c.redirect(`${ADDRESS}/sent`, 303);
		case 'same':
			return showForm(c, { typed, errors: { email: 'This is already your address' } }, 422);
		case 'disposable':
			return showForm(c, { typed, errors: { email: THROW_AWAY } }, 422);
		case 'no_mail':
			return showForm(c, { typed, errors: { email: NO_MAIL } }, 422);
		case 'typo':
			return showForm(c, { typed, suggestion: result.suggestion }, 422);
		case 'wrong_password':
		case 'wrong_code':
		case 'throttled': {
			const { draft, status } = wrongProof(c, result);
			return showForm(c, { typed, ...draft }, status);
		}
	}
}

async function showForm(
	c: PageContext,
	draft: { typed?: string; errors?: FieldErrors; suggestion?: string; problem?: string },
	status: 200 | 422 | 429 = 200,
): Promise<Response> {
	const { typed = '', errors = {}, suggestion = null, problem = null } = draft;
	const { user } = signedInOf(c);
	const hasFactor = (await c.var.services.secondFactors.find(user.id)) !== null;
	const page = { email: user.email, typed, hasFactor, errors, suggestion, problem };
	return showPage(c, <ChangeAddressPage view={viewOf(c)} {...page} />, status);
}

async function takeConfirmation(c: FormContext<typeof confirmForm>): Promise<Response> {
	const { token } = c.req.valid('form');
	const { device } = clientAndDevice(c);
	const result = await changeAddress(c.var.services, signedInOf(c), { token, device });
	if (result.kind === 'link_ended') return showEnded(c);
	keepBrowser(c, result.browserToken);
	leaveFlash(c, { kind: 'done', text: `Your address is now ${result.email}` });
	return c.redirect('/dashboard/settings', 303);
}

async function showEnded(c: PageContext): Promise<Response> {
	return showPage(c, <AddressLinkEndedPage view={viewOf(c)} />, 410);
}
