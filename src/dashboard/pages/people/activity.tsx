import { ACTIVITIES_MAX, ACTIVITY_DAYS } from '../../../core/identity/activity.ts';
import type { ActivityKind } from '../../../core/identity/activity.ts';
import type { Activity } from '../../../operations/people/port.ts';
import { count } from '../../format.ts';
import { DashboardPage } from '../../layout.tsx';
import { Time } from '../../parts/figures.tsx';
import { Cut, Empty, Table } from '../../parts/table.tsx';
import type { View } from '../../view.ts';

const WORDS: Readonly<Record<ActivityKind, string>> = {
	signed_in: 'Signed in',
	code_refused: 'Wrong code after the right password',
	recovery_code_used: 'Recovery code used',
	password_changed: 'Password changed',
	password_reset: 'Password reset by mail',
	sessions_ended: 'Other browsers signed out',
	two_factor_on: 'Two-factor sign-in turned on',
	two_factor_off: 'Two-factor sign-in turned off',
	recovery_codes_made: 'New recovery codes made',
	address_change_asked: 'Change of address requested',
	address_changed: 'Address changed',
	key_created: 'API key created',
	key_revoked: 'API key revoked',
	list_deleted: 'List deleted',
	credits_added: 'Credits added',
	account_suspended: 'Account suspended',
	account_resumed: 'Account resumed',
};

const WHO = { operator: 'Mailsonar', api: 'API' } as const;

/** The account's events, newest first. */
export function ActivityTable({
	view,
	activities,
}: {
	readonly view: View;
	readonly activities: readonly Activity[];
}) {
	return (
		<Table
			caption="What happened to your account"
			rows={activities}
			columns={[
				{ head: 'When', width: 104, cell: ({ at }) => <Time at={at} now={view.now} /> },
				{ head: 'What', names: true, width: 216, cell: ({ kind }) => WORDS[kind] },
				{ head: 'About', width: 216, cell: aboutOf },
				{
					head: 'From',
					width: 152,
					cell: ({ device, by }) => device ?? (by === null ? '' : WHO[by]),
				},
			]}
			empty={<Empty title="Nothing yet" text="Sign-ins, keys and changes of your account are listed here." />}
		/>
	);
}

function aboutOf({ kind, about }: Activity) {
	if (about === null) return null;
	return <Cut text={kind === 'credits_added' ? count(Number(about)) : about} />;
}

/** All events of the account. */
export function ActivityPage({
	view,
	activities,
}: {
	readonly view: View;
	readonly activities: readonly Activity[];
}) {
	return (
		<DashboardPage
			view={view}
			place="Settings"
			title="Activity"
			up={{ name: 'Settings', href: '/dashboard/settings' }}
			lead={`We keep the last ${ACTIVITIES_MAX} events for ${ACTIVITY_DAYS} days, without IP addresses.`}
		>
			<ActivityTable view={view} activities={activities} />
		</DashboardPage>
	);
}
