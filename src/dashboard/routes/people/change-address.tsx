import type { Hono } from 'hono';
import { z } from 'zod';
import { changeAddress, requestAddressChange } from '../../../operations/people/change-address.ts';
import { lookAtCode } from '../../../operations/people/codes.ts';
import { clientAndDevice } from '../../context.ts';
import type { DashboardEnv, PageContext } from '../../context.ts';
import { addressField, codeField, withForm } from '../../forms.ts';
import type { FieldErrors, FormContext } from '../../forms.ts';
import { mailboxHere, publicBase, viewOf } from '../../make-view.ts';
import { describeThrottled } from '../../page-error.ts';
import {
	AddressCodeEndedPage,
	ChangeAddressPage,
	NewAddressCodePage,
} from '../../pages/people/change-address.tsx';
import { clearCookie, leaveFlash, readCookie, signedInOf, writeCookie } from '../../session.ts';
import { showPage } from '../../show-page.ts';
import { askRequestOf, WRONG_CODE, wrongAddress } from './sign-in.tsx';

const ADDRESS = '/dashboard/settings/address';

const addressForm = z.object({
	email: addressField,
	/** The address for which our suggestion was shown. */
	keep: z.string().optional(),
});
const codeForm = z.object({ code: codeField });

type Status = 200 | 422 | 429;

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
	app.get(`${ADDRESS}/code`, async (c) => showCode(c, { code: c.req.query('code') ?? '' }));
	app.post(
		`${ADDRESS}/code`,
		withForm(codeForm, (c, { errors, typed }) => showCode(c, { code: typed['code'] ?? '', errors }, 422)),
		(c) => takeCode(c),
	);
}

async function takeForm(c: FormContext<typeof addressForm>): Promise<Response> {
	const { email: address, keep } = c.req.valid('form');
	const page = `${ADDRESS}/code`;
	const result = await requestAddressChange(c.var.services, signedInOf(c), {
		...askRequestOf(c, address, { keepsAddress: keep === address.email, page }),
		settingsLink: new URL('/dashboard/settings#sessions', publicBase(c)).href,
	});
	const typed = address.email;
	if (result.kind === 'same')
		return showForm(c, { typed, errors: { email: 'This is already your address' } }, 422);
	if (result.kind === 'sent') {
		writeCookie(c, 'code', result.challenge);
		return c.redirect(page, 303);
	}
	const { draft, status } = wrongAddress(c, result);
	return showForm(c, { typed, ...draft }, status);
}

async function showForm(
	c: PageContext,
	draft: { typed?: string; errors?: FieldErrors; suggestion?: string; problem?: string },
	status: Status = 200,
): Promise<Response> {
	const { typed = '', errors = {}, suggestion = null, problem = null } = draft;
	const page = { email: signedInOf(c).user.email, typed, errors, suggestion, problem };
	return showPage(c, <ChangeAddressPage view={viewOf(c)} {...page} />, status);
}

async function takeCode(c: FormContext<typeof codeForm>): Promise<Response> {
	const { code } = c.req.valid('form');
	const { client } = clientAndDevice(c);
	const challenge = readCookie(c, 'code');
	const result = await changeAddress(c.var.services, signedInOf(c), { challenge, typed: code, client });
	switch (result.kind) {
		case 'changed':
			clearCookie(c, 'code');
			leaveFlash(c, { kind: 'done', text: `Your address is now ${result.email}` });
			return c.redirect('/dashboard/settings', 303);
		case 'wrong_code':
			return showCode(c, { code, errors: { code: WRONG_CODE } }, 422);
		case 'code_ended':
			return showEnded(c);
		case 'throttled':
			return showCode(c, { code, problem: describeThrottled(c, result) }, 429);
	}
}

async function showCode(
	c: PageContext,
	{ code, errors = {}, problem = null }: { code: string; errors?: FieldErrors; problem?: string | null },
	status: Status = 200,
): Promise<Response> {
	const { user: mover } = signedInOf(c);
	const awaited = await lookAtCode(c.var.services, { challenge: readCookie(c, 'code'), mover });
	if (awaited === null) return showEnded(c);
	const page = { email: awaited.email, code, errors, problem, mailboxHere: mailboxHere(c) !== null };
	return showPage(c, <NewAddressCodePage view={viewOf(c)} {...page} />, status);
}

async function showEnded(c: PageContext): Promise<Response> {
	return showPage(c, <AddressCodeEndedPage view={viewOf(c)} />, 410);
}
