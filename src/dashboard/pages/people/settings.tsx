import type { Session, User } from '../../../operations/people/port.ts';
import type { Flash } from '../../session.ts';
import type { FieldErrors } from '../../forms.ts';
import { DashboardPage, Section } from '../../layout.tsx';
import { Tag } from '../../parts/badge.tsx';
import { Button, ButtonLink, Dialog } from '../../parts/button.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { FlashNotice } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/figures.tsx';
import type { View } from '../../view.ts';
import { DeleteForm } from './delete-account.tsx';

type ListedSession = Session & { readonly isThis: boolean };

interface SettingsProps {
	readonly view: View;
	readonly user: User;
	readonly sessions: readonly ListedSession[];
	/** Credits that the account has. */
	readonly credits: number;
	/** The name as stored, or as typed and refused. */
	readonly name: string;
	readonly errors: FieldErrors;
	readonly flash: Flash | null;
}

const PARTS = ['Profile', 'Notifications', 'Sessions'] as const;

/** The person's name and address, mails and sessions. */
export function SettingsPage(props: SettingsProps) {
	const { view, user, sessions, credits, errors, flash } = props;
	const question = { view, email: user.email, credits, errors: {} };
	return (
		<DashboardPage view={view} place="Settings" title="Settings" islands={['dialog']}>
			<FlashNotice flash={flash} />
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
					<Section title="Notifications">
						<p>
							We email {user.email} codes to sign in, and about your address and webhooks that stop working.
							You choose <a href="/dashboard/credits#low-balance">when to hear of a low balance</a>.
						</p>
					</Section>
					<Sessions view={view} sessions={sessions} />
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
