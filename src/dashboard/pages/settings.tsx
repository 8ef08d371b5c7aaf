import type { Session, User } from '../../operations/people/port.ts';
import { HISTORY_WORDS, SEEN_WORDS } from '../../core/verification/history.ts';
import { PASSWORD_MIN } from '../../core/identity/password-rules.ts';
import type { Flash } from '../flash.ts';
import { count } from '../format.ts';
import type { FieldErrors } from '../forms.ts';
import { DashboardPage, Section } from '../layout.tsx';
import { Tag } from '../parts/badge.tsx';
import { Button, ButtonLink, CancelLink } from '../parts/button.tsx';
import { Field, Form } from '../parts/form.tsx';
import { FlashNotice, Notice } from '../parts/notice.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/figures.tsx';
import type { View } from '../view.ts';

type ListedSession = Session & { readonly isThis: boolean };

interface SettingsProps {
	readonly view: View;
	readonly user: User;
	readonly sessions: readonly ListedSession[];
	/** The account keeps a history of single verifications. */
	readonly keepsHistory: boolean;
	readonly errors: FieldErrors;
	readonly problem: string | null;
	readonly flash: Flash | null;
}

/** Name, password, sessions, and deleting the account. */
export function SettingsPage({ view, user, sessions, keepsHistory, errors, problem, flash }: SettingsProps) {
	return (
		<DashboardPage view={view} place="Settings" title="Settings" lead={`You are signed in as ${user.email}.`}>
			<FlashNotice flash={flash} />
			{problem !== null && <Notice kind="failed" announce title={problem} />}
			<Section title="Name">
				<Form view={view} action="/dashboard/settings/name" layout="narrow">
					<Field
						name="name"
						label="What shall we call you?"
						value={user.name}
						error={errors['name']}
						maxlength={100}
						autocomplete="name"
					/>
					<div class="actions">
						<Button kind="quiet">Save name</Button>
					</div>
				</Form>
			</Section>
			<Section title="Password">
				<Form view={view} action="/dashboard/settings/password" layout="narrow">
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
						hint={`At least ${PASSWORD_MIN} characters. Other browsers will be signed out.`}
						autocomplete="new-password"
						required
					/>
					<div class="actions">
						<Button kind="quiet">Change password</Button>
					</div>
				</Form>
			</Section>
			<Sessions view={view} sessions={sessions} />
			<HistorySetting view={view} keepsHistory={keepsHistory} />
			<Section title="Delete account">
				<div class="stack-small">
					<p>
						Your keys stop working at once. Lists, results and personal data are deleted, credits that are
						left are lost.
					</p>
					<p>
						<ButtonLink kind="danger" href="/dashboard/settings/delete">
							Delete account
						</ButtonLink>
					</p>
				</div>
			</Section>
		</DashboardPage>
	);
}

/** Switches the history of single verifications on or off, for everybody in the account. */
function HistorySetting({ view, keepsHistory }: Pick<SettingsProps, 'view' | 'keepsHistory'>) {
	return (
		<Section title="History">
			<Form view={view} action="/dashboard/settings/history" layout="narrow">
				<input type="hidden" name="keep" value={keepsHistory ? 'no' : 'yes'} />
				<p>
					{keepsHistory
						? `Addresses that you verify on the Verify page are listed there for ${HISTORY_WORDS}, then deleted. Calls with an API key are never listed.`
						: `The history is off: what you verify on the Verify page is shown for ${SEEN_WORDS}, then deleted.`}
				</p>
				<div class="actions">
					<Button kind="quiet">
						{keepsHistory ? 'Turn off and delete the history' : 'Turn on the history'}
					</Button>
				</div>
			</Form>
		</Section>
	);
}

function Sessions({ view, sessions }: { readonly view: View; readonly sessions: readonly ListedSession[] }) {
	const others = sessions.filter(({ isThis }) => !isThis).length;
	return (
		<Section
			title="Where you are signed in"
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
								{device} {isThis && <Tag tone="deliverable">This one</Tag>}
							</>
						),
					},
					{ head: 'Last used', width: 96, cell: ({ lastSeenAt }) => <Time at={lastSeenAt} now={view.now} /> },
					{ head: 'Signed in', width: 96, cell: ({ createdAt }) => <Time at={createdAt} now={view.now} /> },
					{
						head: 'Actions',
						hidesHead: true,
						align: 'right',
						width: 88,
						cell: ({ id, isThis }) =>
							isThis ? null : (
								<Form view={view} action={`/dashboard/settings/sessions/${id}/revoke`} layout="plain">
									<Button kind="quiet" size="small">
										Sign out
									</Button>
								</Form>
							),
					},
				]}
				empty={null}
			/>
		</Section>
	);
}

interface DeleteProps {
	readonly view: View;
	readonly user: User;
	/** Credits that will be lost. */
	readonly credits: number;
	readonly errors: FieldErrors;
	readonly problem: string | null;
}

/** Asks for the address and the password before the account is deleted for good. */
export function DeleteAccountPage({ view, user, credits, errors, problem }: DeleteProps) {
	return (
		<DashboardPage
			view={view}
			place="Settings"
			title="Delete your account"
			up={{ name: 'Settings', href: '/dashboard/settings' }}
		>
			{problem !== null && <Notice kind="failed" announce title={problem} />}
			<Notice kind="warning" title="This can't be undone">
				<ul>
					<li>All API keys answer 401 from the next call on; running jobs stop.</li>
					<li>Lists, results, sessions, your name and your address are deleted within minutes.</li>
					<li>
						{credits === 0
							? 'There are no credits left.'
							: `${count(credits)} credits that are left are lost.`}
					</li>
					<li>A ledger of credits stays, without your name or address.</li>
				</ul>
			</Notice>
			<Form view={view} action="/dashboard/settings/delete" layout="narrow">
				<Field
					name="email"
					label={`Type your address to confirm: ${user.email}`}
					error={errors['email']}
					autocomplete="off"
					required
					autofocus={Object.keys(errors).length === 0}
				/>
				<Field
					name="password"
					label="Password"
					type="password"
					error={errors['password']}
					autocomplete="current-password"
					required
				/>
				<div class="actions">
					<Button kind="danger">Delete account</Button>
					<CancelLink href="/dashboard/settings" />
				</div>
			</Form>
		</DashboardPage>
	);
}
