import type { Activity, SecondFactor, Session, User } from '../../../operations/people/port.ts';
import { PASSWORD_MIN } from '../../../core/identity/passwords.ts';
import type { Flash } from '../../session.ts';
import type { FieldErrors } from '../../forms.ts';
import { DashboardPage, Section } from '../../layout.tsx';
import { Tag } from '../../parts/badge.tsx';
import { Button, ButtonLink, Dialog } from '../../parts/button.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { FlashNotice, Notice } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/figures.tsx';
import type { View } from '../../view.ts';
import { ActivityTable } from './activity.tsx';
import { DeleteForm } from './delete-account.tsx';

type ListedSession = Session & { readonly isThis: boolean };

interface SettingsProps {
	readonly view: View;
	readonly user: User;
	/** Null where two-factor sign-in is off. */
	readonly factor: SecondFactor | null;
	readonly sessions: readonly ListedSession[];
	/** The newest events. */
	readonly activities: readonly Activity[];
	/** Credits that the account has. */
	readonly credits: number;
	/** The name as stored, or as typed and refused. */
	readonly name: string;
	readonly errors: FieldErrors;
	readonly problem: string | null;
	readonly flash: Flash | null;
}

const PARTS = ['Profile', 'Sign-in and security', 'Notifications', 'Sessions', 'Activity'] as const;

/** The person's name and address, sign-in, mails, sessions, and the account's activity. */
export function SettingsPage(props: SettingsProps) {
	const { view, user, factor, sessions, activities, credits, errors, problem, flash } = props;
	const question = {
		view,
		email: user.email,
		hasFactor: factor !== null,
		credits,
		errors: {},
		problem: null,
	};
	return (
		<DashboardPage view={view} place="Settings" title="Settings" islands={['dialog']}>
			<FlashNotice flash={flash} />
			{problem !== null && <Notice kind="failed" announce title={problem} />}
			<div class="settings">
				<nav class="side-nav" aria-label="Settings">
					<ul>
						{PARTS.map((part) => (
							<li>
								<a href={`#${part.toLowerCase().replaceAll(' ', '-')}`}>{part}</a>
							</li>
						))}
					</ul>
				</nav>
				<div class="stack-wide">
					<Profile view={view} user={user} name={props.name} errors={errors} />
					<Section title="Sign-in and security">
						<div class="settings-grid">
							<PasswordForm view={view} user={user} errors={errors} />
							<TwoFactor view={view} factor={factor} />
						</div>
					</Section>
					<Section title="Notifications">
						<p>
							We email {user.email} about sign-ins, your password, your address and webhooks that stop
							working. You choose <a href="/dashboard/credits#low-balance">when to hear of a low balance</a>.
						</p>
					</Section>
					<Sessions view={view} sessions={sessions} />
					<Section
						title="Activity"
						aside={
							activities.length === 0 ? undefined : <a href="/dashboard/settings/activity">All activity</a>
						}
					>
						<ActivityTable view={view} activities={activities} />
					</Section>
					<p class="quiet leave">
						Leaving?{' '}
						<a href="/dashboard/settings/delete" data-dialog="delete-account">
							Delete this account
						</a>
					</p>
				</div>
			</div>
			<Dialog id="delete-account" title="Delete your account">
				<DeleteForm {...question} />
			</Dialog>
		</DashboardPage>
	);
}

function Profile({ view, user, name, errors }: Pick<SettingsProps, 'view' | 'user' | 'name' | 'errors'>) {
	return (
		<Section title="Profile">
			<div class="settings-grid">
				<Form view={view} action="/dashboard/settings/name">
					<Field
						name="name"
						label="Name"
						value={name}
						error={errors['name']}
						hint="Optional. We greet you by it."
						maxlength={100}
						autocomplete="name"
					/>
					<div class="actions">
						<Button kind="quiet">Save name</Button>
					</div>
				</Form>
				<div class="stack-small">
					<h3>Email address</h3>
					<p class="wraps">{user.email}</p>
					<p>
						<ButtonLink kind="quiet" href="/dashboard/settings/address">
							Change address
						</ButtonLink>
					</p>
				</div>
			</div>
		</Section>
	);
}

function PasswordForm({ view, user, errors }: Pick<SettingsProps, 'view' | 'user' | 'errors'>) {
	return (
		<Form view={view} action="/dashboard/settings/password">
			<h3>Password</h3>
			<input type="text" name="username" value={user.email} autocomplete="username" hidden />
			<Field
				name="current"
				label="Current password"
				type="password"
				error={errors['current']}
				autocomplete="current-password"
				required
			/>
			<Field
				name="password"
				label="New password"
				type="password"
				error={errors['password']}
				hint={`At least ${PASSWORD_MIN} characters. We sign out your other browsers.`}
				autocomplete="new-password"
				required
			/>
			<div class="actions">
				<Button kind="quiet">Change password</Button>
			</div>
		</Form>
	);
}

function TwoFactor({ view, factor }: Pick<SettingsProps, 'view' | 'factor'>) {
	return (
		<div class="stack-small">
			<h3>Two-factor sign-in {factor === null ? <Tag>Off</Tag> : <Tag tone="deliverable">On</Tag>}</h3>
			<p>
				{factor === null ? (
					'You sign in with your password and a code from an app. A stolen password alone is then useless.'
				) : (
					<>
						You sign in with a code from your app since <Time at={factor.since} now={view.now} />.
					</>
				)}
			</p>
			<p>
				<ButtonLink kind="quiet" href="/dashboard/settings/two-factor">
					{factor === null ? 'Set up two-factor sign-in' : 'Recovery codes and turning off'}
				</ButtonLink>
			</p>
		</div>
	);
}

function Sessions({ view, sessions }: { readonly view: View; readonly sessions: readonly ListedSession[] }) {
	const others = sessions.filter(({ isThis }) => !isThis).length;
	return (
		<Section
			title="Sessions"
			aside={
				others === 0 ? undefined : (
					<Form view={view} action="/dashboard/settings/sessions/revoke-others" layout="plain">
						<Button kind="quiet" size="small">
							Sign out everywhere else
						</Button>
					</Form>
				)
			}
		>
			<Table
				caption="Browsers that are signed in"
				rows={sessions}
				columns={[
					{
						head: 'Browser',
						names: true,
						width: 176,
						cell: ({ device, isThis }) => (
							<>
								{device} {isThis && <Tag tone="deliverable">This browser</Tag>}
							</>
						),
					},
					{ head: 'Last used', width: 96, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} now={view.now} /> },
					{ head: 'Signed in', width: 96, cell: ({ createdAt }) => <Time at={createdAt} now={view.now} /> },
				]}
				actions={{
					width: 72,
					of: ({ id, isThis }) =>
						isThis ? null : (
							<Form view={view} action={`/dashboard/settings/sessions/${id}/revoke`} layout="plain">
								<Button kind="row">Sign out</Button>
							</Form>
						),
				}}
				empty={null}
			/>
		</Section>
	);
}
