import * as z from 'zod';
import { changeAddress, deleteAccount, requestAddressChange } from '../../operations/people/settings.ts';
import { clientAndDevice, clearCookie, leaveFlash, readCookie, publicBase } from '../view.ts';
import { form, hidden, text } from '../form.tsx';
import { plural } from '../format.ts';
import { Section } from '../layout.tsx';
import { Tag, Time, Table } from '../parts/table.tsx';
import { QuietLink } from '../parts/basic.tsx';
import { Place } from '../place.tsx';
import { addressFields, awaitCode, codeText, mailCode, MailboxHint, refusedCode } from './sign-in.tsx';

const SETTINGS = '/dashboard/settings';

const nameSchema = z
	.string()
	.trim()
	.max(100, 'A name has at most 100 characters')
	.regex(/^[^\p{Cc}\p{Cf}]*$/u, 'A name has no invisible characters');

/** The person's name and address, and the browsers that are signed in. */
export const settingsPlace = new Place(SETTINGS, {
	nav: 'Settings',
	load: async ({ services, signedIn: { user, session } }) => {
		const sessions = await services.sessions.list(user.id, services.clock.now());
		const others = sessions.filter(({ id }) => id !== session.id);
		return { user, thisId: session.id, sessions: [session, ...others] };
	},
	view: ({ user, thisId, sessions }, { Page, Form }) => (
		<Page title="Settings">
			<Section title="Email address">
				<div class="stack-small">
					<p class="wraps">{user.email}</p>
					<p class="quiet">
						We email it codes to sign in, and about webhooks that stop working. You choose{' '}
						<a href="/dashboard/credits#low-balance">when to hear of a low balance</a>.
					</p>
					<p>
						<QuietLink href={`${SETTINGS}/address`}>Change address</QuietLink>
					</p>
				</div>
			</Section>
			<Section title="Name">
				<Form of="name" values={user} />
			</Section>
			<Section title="Sessions" aside={sessions.length > 1 && <Form of="revokeOthers" />}>
				<Table
					caption="Browsers that are signed in"
					rows={sessions}
					columns={(column, actions) => [
						column('Browser', { width: 176, names: true, phone: true }, ({ device, id }) => (
							<>
								{device} {id === thisId && <Tag tone="deliverable">This browser</Tag>}
							</>
						)),
						column('Last used', 96, ({ lastSeenAt }) => <Time at={lastSeenAt} />),
						column('Signed in', 96, ({ createdAt }) => <Time at={createdAt} />),
						actions(72, ({ id }) => id !== thisId && <Form of="revoke" values={{ sessionId: id }} />),
					]}
				/>
			</Section>
			<p class="quiet">
				Leaving? <a href={`${SETTINGS}/delete`}>Delete this account</a>
			</p>
		</Page>
	),
	forms: {
		name: form({
			button: 'Save name',
			kind: 'quiet',
			layout: 'inline',
			fields: {
				name: text('Name', {
					schema: nameSchema,
					hint: 'Optional. We greet you by it.',
					maxlength: 100,
					autocomplete: 'name',
				}),
			},
			run: async ({ services, signedIn }, { name }) => services.people.rename(signedIn.user.id, name),
			says: 'Your name is saved',
		}),
		revokeOthers: form({
			at: 'sessions/revoke-others',
			button: 'Sign out everywhere else',
			kind: 'quiet',
			run: async ({ services, signedIn: { user, session } }) =>
				services.sessions.revokeOthers(user.id, session.tokenHash),
			says: 'All other browsers are signed out',
		}),
		revoke: form({
			at: 'sessions/revoke',
			button: 'Sign out',
			kind: 'row',
			fields: { sessionId: hidden() },
			run: async ({ services, signedIn }, { sessionId }) =>
				services.sessions.revoke(signedIn.user.id, sessionId),
			says: 'That browser is signed out',
		}),
		delete: form({
			button: 'Delete account',
			kind: 'danger',
			names: 'your address',
			asks: async ({ own, signedIn }) => {
				const { balance } = await own.show();
				const credits = balance.availableCredits;
				return {
					title: 'Delete your account',
					name: signedIn.user.email,
					anyCase: true,
					text: (
						<>
							<p>You can’t undo this:</p>
							<ul class="plain-list">
								<li>All API keys get a 401 on their next call, and running lists stop.</li>
								<li>We delete lists, results, sessions, your name and your address within minutes.</li>
								<li>
									{credits === 0
										? 'There are no credits left.'
										: `Your ${plural(credits, 'remaining credit is', 'remaining credits are')} lost.`}
								</li>
								<li>A ledger of credits stays, without your name or address.</li>
							</ul>
						</>
					),
				};
			},
			run: async ({ c, services, signedIn }) => {
				await deleteAccount(services, signedIn);
				clearCookie(c, 'session');
			},
			to: '/dashboard/sign-in',
			says: 'Your account is deleted',
		}),
	},
});

// Another address.

const ADDRESS = `${SETTINGS}/address`;
const ENDED = 'It was used, has expired, or was asked for in another browser. Your address has not changed.';

/** Asks for a new address. */
export const changeAddressPlace = new Place(ADDRESS, {
	nav: 'Settings',
	load: ({ signedIn }) => ({ email: signedIn.user.email }),
	view: ({ email }, { Page, Form }) => (
		<Page
			title="Change your address"
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
			fields: addressFields('New address', 'email'),
			run: async ({ c, services, signedIn }, { email: address, keep }) => {
				const settingsLink = new URL(`${SETTINGS}#sessions`, publicBase(c)).href;
				const how = { keepsAddress: keep === address.email, page: `${ADDRESS}/code` };
				return mailCode(c, address, how, async (request) =>
					requestAddressChange(services, signedIn, { ...request, settingsLink }),
				);
			},
		}),
	},
});

/** Asks for the code from the new mailbox. It is shown whether or not another person has the address. */
export const newAddressPlace = new Place(`${ADDRESS}/code`, {
	nav: 'Settings',
	load: async ({ c, signedIn }) => awaitCode(c, signedIn.user, ENDED, ADDRESS),
	view: ({ code, email, hasMailbox }, { Page, Form }) => (
		<Page
			title="Check your new mailbox"
			lead={`We sent a code to ${email}, and told your current address. The change signs out all other browsers.`}
		>
			<Form of="code" values={{ code }} />
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
				if (result.kind !== 'changed') return refusedCode(c, result, ENDED, ADDRESS);
				clearCookie(c, 'code');
				leaveFlash(c, { kind: 'done', text: `Your address is now ${result.email}` });
				return c.redirect(SETTINGS, 303);
			},
		}),
	},
});
