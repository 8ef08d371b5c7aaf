import { changeAddress, requestAddressChange } from '../../operations/people/change-address.ts';
import { lookAtCode } from '../../operations/people/codes.ts';
import { clientAndDevice, describeThrottled } from '../context.ts';
import { form, hidden, text } from '../form.tsx';
import { addressField } from '../forms.ts';
import { mailboxHere, publicBase } from '../view.ts';
import { place } from '../place.tsx';
import { clearCookie, leaveFlash, readCookie, writeCookie } from '../session.ts';
import { askRequestOf, codeEnded, codeText, MailboxHint, WRONG_CODE, wrongAddress } from './sign-in.tsx';

const SETTINGS = '/dashboard/settings';
const ADDRESS = '/dashboard/settings/address';
const ENDED = 'It was used, has expired, or was asked for in another browser. Your address has not changed.';
const UP = { name: 'Settings', href: SETTINGS };

/** Asks for a new address. */
export const changeAddressPlace = place(ADDRESS, {
	nav: 'Settings',
	load: async ({ signedIn }) => Promise.resolve({ email: signedIn.user.email }),
	view: ({ email }, { Page, Form }) => (
		<Page
			title="Change your address"
			up={UP}
			lead="We email a code to the new address. Nothing changes until you enter it."
		>
			<div class="form-narrow stack">
				<p>
					Current address: <strong>{email}</strong>
				</p>
				<Form of="ask" />
			</div>
		</Page>
	),
	forms: {
		ask: form({
			at: '',
			button: 'Email a code',
			fields: {
				email: text('New address', {
					schema: addressField,
					type: 'email',
					autocomplete: 'email',
					autofocus: true,
					required: true,
				}),
				/** The address for which our suggestion was shown. */
				keep: hidden(),
			},
			run: async ({ c, services, signedIn }, { email: address, keep }) => {
				const page = `${ADDRESS}/code`;
				const result = await requestAddressChange(services, signedIn, {
					...askRequestOf(c, address, { keepsAddress: keep === address.email, page }),
					settingsLink: new URL(`${SETTINGS}#sessions`, publicBase(c)).href,
				});
				if (result.kind === 'same') return { errors: { email: 'This is already your address' } };
				if (result.kind !== 'sent') return wrongAddress(c, address, result);
				writeCookie(c, 'code', result.challenge);
				return c.redirect(page, 303);
			},
		}),
	},
});

/** Asks for the code from the new mailbox. It is shown whether or not another person has the address. */
export const newAddressPlace = place(`${ADDRESS}/code`, {
	nav: 'Settings',
	load: async ({ c, services, signedIn }) => {
		const awaited = await lookAtCode(services, { challenge: readCookie(c, 'code'), mover: signedIn.user });
		if (awaited === null) throw codeEnded(ENDED, ADDRESS);
		const code = c.req.query('code') ?? '';
		return { code, email: awaited.email, hasMailbox: mailboxHere(c) !== null };
	},
	view: ({ code, email, hasMailbox }, { Page, Form }) => (
		<Page
			title="Check your new mailbox"
			up={UP}
			lead={`We sent a code to ${email}, and told your current address. The change signs out all other browsers.`}
		>
			<Form of="code" typed={{ code }} />
			{hasMailbox && <MailboxHint />}
		</Page>
	),
	forms: {
		code: form({
			at: '',
			button: 'Change address',
			fields: { code: codeText() },
			run: async ({ c, services, signedIn }, { code: typed }) => {
				const { client } = clientAndDevice(c);
				const challenge = readCookie(c, 'code');
				const result = await changeAddress(services, signedIn, { challenge, typed, client });
				switch (result.kind) {
					case 'changed':
						clearCookie(c, 'code');
						leaveFlash(c, { kind: 'done', text: `Your address is now ${result.email}` });
						return c.redirect(SETTINGS, 303);
					case 'wrong_code':
						return { errors: { code: WRONG_CODE } };
					case 'code_ended':
						throw codeEnded(ENDED, ADDRESS);
					case 'throttled':
						return { errors: { '': describeThrottled(c, result) }, status: 429 };
				}
			},
		}),
	},
});
