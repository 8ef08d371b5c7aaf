import { z } from 'zod';
import { deleteAccount } from '../../operations/people/settings.ts';
import { form, hidden, text } from '../form.tsx';
import { plural } from '../format.ts';
import { Section } from '../layout.tsx';
import { Tag } from '../parts/badge.tsx';
import { ButtonLink } from '../parts/button.tsx';
import { Time } from '../parts/figures.tsx';
import { Table } from '../parts/table.tsx';
import { place } from '../place.tsx';
import { endSession } from '../session.ts';

const nameSchema = z
	.string()
	.trim()
	.max(100, 'A name has at most 100 characters')
	.regex(/^[^\p{Cc}\p{Cf}]*$/u, 'A name has no invisible characters');

/** The person's name and address, and the browsers that are signed in. */
export const settingsPlace = place('/dashboard/settings', {
	nav: 'Settings',
	load: async ({ services, signedIn: { user, session } }) => {
		const sessions = await services.sessions.list(user.id, services.clock.now());
		const others = sessions.filter(({ id }) => id !== session.id);
		return { user, thisId: session.id, sessions: [session, ...others] };
	},
	view: ({ user, thisId, sessions }, { view, Page, Form }) => (
		<Page title="Settings">
			<Section title="Email address">
				<div class="stack-small">
					<p class="wraps">{user.email}</p>
					<p class="quiet">
						We email it codes to sign in, and about webhooks that stop working. You choose{' '}
						<a href="/dashboard/credits#low-balance">when to hear of a low balance</a>.
					</p>
					<p>
						<ButtonLink kind="quiet" href="/dashboard/settings/address">
							Change address
						</ButtonLink>
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
					columns={[
						{
							head: 'Browser',
							names: true,
							phone: true,
							width: 176,
							cell: ({ device, id }) => (
								<>
									{device} {id === thisId && <Tag tone="deliverable">This browser</Tag>}
								</>
							),
						},
						{
							head: 'Last used',
							width: 96,
							cell: ({ lastSeenAt }) => <Time at={lastSeenAt} now={view.now} />,
						},
						{
							head: 'Signed in',
							width: 96,
							cell: ({ createdAt }) => <Time at={createdAt} now={view.now} />,
						},
					]}
					actions={{
						width: 72,
						of: ({ id }) => id !== thisId && <Form of="revoke" values={{ sessionId: id }} />,
					}}
				/>
			</Section>
			<p class="quiet">
				Leaving? <a href="/dashboard/settings/delete">Delete this account</a>
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
			asks: async ({ services, account, signedIn }) => {
				const { balance } = await services.accounts(account.accountId).show();
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
				endSession(c);
			},
			to: '/dashboard/sign-in',
			says: 'Your account is deleted',
		}),
	},
});
