import { abbreviateKey } from '../../../core/keys/api-key.ts';
import { isExpired, SCOPE_MEANINGS, SCOPES } from '../../../core/keys/scopes.ts';
import type { DayUsage } from '../../../core/credits/usage.ts';
import type { OwnKey } from '../../../operations/accounts/keys.ts';
import { UsageByDay } from '../../charts/usage-by-day.tsx';
import { count, shortDay } from '../../format.ts';
import { DashboardPage, Section } from '../../layout.tsx';
import { Tag } from '../../parts/badge.tsx';
import { Button, ButtonLink, CancelLink, Dialog } from '../../parts/button.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Empty, Mono, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/figures.tsx';
import { FlashNotice } from '../../parts/notice.tsx';
import type { Flash } from '../../session.ts';
import type { View } from '../../view.ts';

/** One key and its usage by day. */
export function KeyPage(props: {
	readonly view: View;
	readonly apiKey: OwnKey;
	readonly days: readonly DayUsage[];
	/** The refused new label; null: none was refused. */
	readonly refused: { readonly typed: string; readonly error: string } | null;
	readonly flash: Flash | null;
}) {
	const { view, apiKey, days } = props;
	return (
		<DashboardPage
			view={view}
			place="API keys"
			title={apiKey.label}
			up={{ name: 'API keys', href: '/dashboard/keys' }}
			islands={['dialog']}
			action={
				apiKey.revoked ? undefined : (
					<ButtonLink
						kind="quiet"
						href={`/dashboard/keys/${apiKey.id}/revoke`}
						dialog={`revoke-${apiKey.id}`}
					>
						Revoke key
					</ButtonLink>
				)
			}
		>
			<FlashNotice flash={props.flash} />
			<KeyFacts {...props} />
			{days.some(({ outcomes }) => Object.values(outcomes).some((value) => value > 0)) && (
				<Section title="Verifications, last 30 days" aside={<span class="quiet">Days are UTC</span>}>
					<UsageByDay days={days.slice(-30)} />
				</Section>
			)}
			<ByDay days={days} />
			{!apiKey.revoked && (
				<Dialog id={`revoke-${apiKey.id}`} title={`Revoke “${apiKey.label}”`}>
					<RevokeForm view={view} apiKey={apiKey} error={null} />
				</Dialog>
			)}
		</DashboardPage>
	);
}

function KeyFacts({ view, apiKey, refused }: Omit<Parameters<typeof KeyPage>[0], 'days' | 'flash'>) {
	const { now } = view;
	return (
		<dl class="facts">
			<dt>Label</dt>
			<dd>
				<p class="wraps">{apiKey.label}</p>
				<details class="more" open={refused !== null}>
					<summary>Rename</summary>
					<Form view={view} action={`/dashboard/keys/${apiKey.id}`} layout="inline">
						<Field
							name="label"
							label="New label"
							value={refused?.typed ?? apiKey.label}
							error={refused?.error}
							maxlength={100}
							autocomplete="off"
							required
						/>
						<Button kind="quiet">Save label</Button>
					</Form>
				</details>
			</dd>
			<dt>Status</dt>
			<dd>
				<KeyStatus apiKey={apiKey} now={now} />
			</dd>
			<dt>Key</dt>
			<dd>
				<code>{abbreviateKey(apiKey.mode, apiKey.ending)}</code>
			</dd>
			<dt>Scopes</dt>
			<dd>
				{SCOPES.filter((scope) => apiKey.scopes.includes(scope)).map((scope) => (
					<div>
						{SCOPE_MEANINGS[scope]} <code class="scope-name">{scope}</code>
					</div>
				))}
			</dd>
			<dt>Last used</dt>
			<dd>
				{apiKey.usage === null || apiKey.usage.lastUsedAt === 0 ? (
					'Never'
				) : (
					<Time at={apiKey.usage.lastUsedAt} now={now} />
				)}
			</dd>
			<dt>Expires</dt>
			<dd>{apiKey.expiresAt === null ? 'Never' : <Time at={apiKey.expiresAt} now={now} />}</dd>
			<dt>Type</dt>
			<dd>{apiKey.mode === 'test' ? 'Test: free, made-up answers' : 'Live: real addresses'}</dd>
			<dt>Id</dt>
			<dd>
				<Mono text={apiKey.id} />
			</dd>
			<dt>Created</dt>
			<dd>
				<Time at={apiKey.createdAt} now={now} />
			</dd>
			{apiKey.revokedAt !== null && (
				<>
					<dt>Revoked</dt>
					<dd>
						<Time at={apiKey.revokedAt} now={now} />
					</dd>
				</>
			)}
		</dl>
	);
}

/** Whether a key is accepted, in a word. */
export function KeyStatus({ apiKey, now }: { readonly apiKey: OwnKey; readonly now: number }) {
	if (apiKey.revoked) return <Tag>Revoked</Tag>;
	if (isExpired(apiKey, now)) return <Tag>Expired</Tag>;
	return apiKey.mode === 'test' ? <Tag>Test</Tag> : <Tag tone="deliverable">Active</Tag>;
}

/** Asks for the label before a key is revoked: the dialog as a page. */
export function KeyRevokePage(props: {
	readonly view: View;
	readonly apiKey: OwnKey;
	readonly error: string | null;
}) {
	return (
		<DashboardPage
			view={props.view}
			place="API keys"
			title={`Revoke “${props.apiKey.label}”`}
			up={{ name: 'API keys', href: '/dashboard/keys' }}
		>
			<div class="form-narrow stack">
				<RevokeForm view={props.view} apiKey={props.apiKey} error={props.error} />
			</div>
		</DashboardPage>
	);
}

/** Asks for confirmation before a key is revoked. */
export function RevokeForm(props: {
	readonly view: View;
	readonly apiKey: OwnKey;
	readonly error: string | null;
}) {
	const { view, apiKey, error } = props;
	return (
		<Form view={view} action={`/dashboard/keys/${apiKey.id}/revoke`}>
			<p>
				<code>{abbreviateKey(apiKey.mode, apiKey.ending)}</code>
			</p>
			<p>Programs that use this key get a 401 on their next call. You can’t restore a revoked key.</p>
			<Field
				name="confirm"
				id={`confirm-${apiKey.id}`}
				label={`Type the label to confirm: ${apiKey.label}`}
				error={error ?? undefined}
				autocomplete="off"
				required
				autofocus
			/>
			<div class="actions">
				<Button kind="danger">Revoke key</Button>
				<CancelLink href="/dashboard/keys" />
			</div>
		</Form>
	);
}

/** Requests and credits by day, folded: up to 90 lines. */
function ByDay({ days }: { readonly days: readonly DayUsage[] }) {
	const used = days.filter(({ requests, credits }) => requests > 0 || credits > 0);
	if (used.length === 0) return <Unused />;
	return (
		<details class="more">
			<summary>Show requests and credits by day</summary>
			<Table
				caption="Requests and credits by day"
				rows={used.toReversed()}
				columns={[
					{
						head: 'Day',
						names: true,
						width: 96,
						cell: ({ day }) => <time datetime={day}>{shortDay(day)}</time>,
					},
					{ head: 'Requests', align: 'right', width: 96, cell: ({ requests }) => count(requests) },
					{ head: 'Credits', align: 'right', width: 96, cell: ({ credits }) => count(credits) },
				]}
				empty={null}
			/>
		</details>
	);
}

function Unused() {
	return (
		<Empty
			title="Not used yet"
			text="The first call with this key appears here at once."
			action={
				<ButtonLink kind="quiet" href="/docs">
					Read the docs
				</ButtonLink>
			}
		/>
	);
}
