import { abbreviateKey } from '../../../core/keys/api-key.ts';
import type { KeyMode } from '../../../core/keys/api-key.ts';
import { SCOPE_MEANINGS, SCOPES } from '../../../core/keys/scopes.ts';
import type { Expiry, Scope } from '../../../core/keys/scopes.ts';
import type { OwnKey } from '../../../operations/accounts/keys.ts';
import { examplesOf } from '../../code-examples.ts';
import type { Flash } from '../../session.ts';
import { count, list } from '../../format.ts';
import { DashboardPage, Section } from '../../layout.tsx';
import { Button, ButtonLink, Dialog, Opener } from '../../parts/button.tsx';
import { CodeBlock, CodeTabs } from '../../parts/code.tsx';
import { FlashNotice, Notice } from '../../parts/notice.tsx';
import { Cut, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/figures.tsx';
import type { View } from '../../view.ts';
import { KeyStatus, RevokeForm } from './key.tsx';
import type { FieldErrors } from '../../forms.ts';
import { Checkbox, DateField, Field, Form, Group, Select } from '../../parts/form.tsx';

interface KeysProps {
	readonly view: View;
	/** Our own URL, and an address that can be verified here, for the sample. */
	readonly baseUrl: string;
	readonly sample: string;
	readonly keys: readonly OwnKey[];
	readonly form: KeyForm;
	readonly flash: Flash | null;
}

/** All keys of an account; a button unfolds the form for a new one. */
export function KeysPage({ view, baseUrl, sample, keys, form, flash }: KeysProps) {
	const living = keys.filter(({ revoked }) => !revoked);
	return (
		<DashboardPage
			view={view}
			place="API keys"
			title="API keys"
			lead="A key lets your program spend this account’s credits. Keep it on your server, never in a page or an app."
			islands={['choice', 'copy', 'dialog']}
			action={
				<Opener label="New key" open={keys.length === 0 || Object.keys(form.errors).length > 0}>
					<NewKeyForm view={view} form={form} />
				</Opener>
			}
		>
			<FlashNotice flash={flash} />
			<Table
				caption="API keys"
				rows={keys}
				columns={columnsOf(view)}
				actions={{
					width: 64,
					of: ({ id, label, revoked }) =>
						revoked ? null : (
							<ButtonLink
								kind="row"
								href={`/dashboard/keys/${id}/revoke`}
								dialog={`revoke-${id}`}
								label={`Revoke ${label}`}
							>
								Revoke
							</ButtonLink>
						),
				}}
				empty={null}
			/>
			<Section
				title="Call the API"
				aside={<span class="quiet">Put one of your keys in place of YOUR_API_KEY</span>}
			>
				<CodeTabs id="first-call" examples={firstCall(baseUrl, sample)} />
			</Section>
			{living.map((key) => (
				<Dialog id={`revoke-${key.id}`} title={`Revoke “${key.label}”`}>
					<RevokeForm view={view} apiKey={key} error={null} />
				</Dialog>
			))}
		</DashboardPage>
	);
}

function firstCall(baseUrl: string, email: string) {
	return examplesOf(baseUrl, { method: 'POST', path: '/v1/verify', body: { email } });
}

function columnsOf(view: View) {
	return [
		{
			head: 'Label',
			names: true,
			phone: true,
			width: 144,
			class: 'list-name',
			cell: (key: OwnKey) => (
				<>
					<a class="block" href={`/dashboard/keys/${key.id}`}>
						<Cut text={key.label} />
					</a>
					<span class="key-line">
						<code>{abbreviateKey(key.mode, key.ending)}</code> {scopeNames(key)}
					</span>
				</>
			),
		},
		{
			head: 'Status',
			phone: true,
			width: 88,
			cell: (key: OwnKey) => <KeyStatus apiKey={key} now={view.now} />,
		},
		{
			head: 'Last used',
			width: 96,
			cell: ({ usage }: OwnKey) =>
				usage === null || usage.lastUsedAt === 0 ? (
					<span class="quiet">Never</span>
				) : (
					<Time at={usage.lastUsedAt} now={view.now} />
				),
		},
		{
			head: 'Expires',
			width: 96,
			cell: ({ expiresAt }: OwnKey) =>
				expiresAt === null ? <span class="quiet">Never</span> : <Time at={expiresAt} now={view.now} />,
		},
		{
			head: 'Requests',
			align: 'right' as const,
			width: 84,
			cell: ({ usage }: OwnKey) => count(usage?.requests ?? 0),
		},
		{
			head: 'Credits',
			align: 'right' as const,
			width: 84,
			// A test key spends no credits.
			cell: ({ usage, mode }: OwnKey) => (mode === 'test' ? '–' : count(usage?.credits ?? 0)),
		},
	];
}

/** The scopes of a key that lacks some. */
function scopeNames({ scopes }: OwnKey): string {
	return scopes.length === SCOPES.length ? '' : `only ${list(scopes)}`;
}

/** The only page that ever shows a key. */
export function KeyCreatedPage(props: {
	readonly view: View;
	readonly label: string;
	readonly mode: KeyMode;
	readonly apiKey: string;
	readonly baseUrl: string;
	readonly sample: string;
}) {
	const { view, label, mode, apiKey, baseUrl, sample } = props;
	return (
		<DashboardPage
			view={view}
			place="API keys"
			title={`Your key “${label}”`}
			up={{ name: 'API keys', href: '/dashboard/keys' }}
			islands={['choice', 'copy']}
			action={<ButtonLink href="/dashboard/keys">I have stored it</ButtonLink>}
		>
			<Notice kind="warning" title="This is the only time you see it">
				<p>Store it now. We keep only a hash of it. If you lose the key, revoke it and create another.</p>
			</Notice>
			{mode === 'test' && (
				<p>
					A test key contacts no mail server and costs nothing. The word before the @ chooses the answer.{' '}
					<a href="/docs/guides/test-keys#words">All words</a>
				</p>
			)}
			<CodeBlock id="api-key" code={apiKey} what="The API key" wrap />
			<Section title="First call">
				<CodeTabs
					id="created"
					examples={firstCall(baseUrl, sample).map(({ language, code }) => ({
						language,
						code: code.replace('YOUR_API_KEY', apiKey),
					}))}
				/>
			</Section>
		</DashboardPage>
	);
}

/** The values of the form for a new key. */
export interface KeyForm {
	readonly label: string;
	readonly mode: KeyMode;
	readonly scopes: readonly Scope[];
	readonly expiry: Expiry;
	/** `2026-11-30`, or empty. */
	readonly until: string;
	/** By field: `label`, `mode`, `scopes`, `expiry`, `until`. */
	readonly errors: FieldErrors;
}

export const EMPTY_KEY_FORM: KeyForm = {
	label: '',
	mode: 'live',
	scopes: SCOPES,
	expiry: 'never',
	until: '',
	errors: {},
};

/** The form for a new key. */
function NewKeyForm({ view, form }: { readonly view: View; readonly form: KeyForm }) {
	const { label, mode, scopes, expiry, until, errors } = form;
	return (
		<Form view={view} action="/dashboard/keys">
			<div class="form-columns">
				<Field
					name="label"
					label="Label"
					value={label}
					error={errors['label']}
					hint="Where you will use it."
					placeholder="Sign-up form"
					maxlength={100}
					autocomplete="off"
					required
				/>
				<Select
					name="mode"
					label="Type"
					value={mode}
					error={errors['mode']}
					options={[
						{ value: 'live', label: 'Live: real addresses' },
						{ value: 'test', label: 'Test: free, made-up answers' },
					]}
				/>
				<Select
					name="expiry"
					label="Expires"
					value={expiry}
					error={errors['expiry']}
					options={[
						{ value: 'never', label: 'Never' },
						{ value: '30', label: 'In 30 days' },
						{ value: '90', label: 'In 90 days' },
						{ value: 'date', label: 'On a date' },
					]}
				/>
				<div class="until">
					<DateField
						name="until"
						label="Last day"
						value={until}
						error={errors['until']}
						hint="The key expires at midnight UTC."
					/>
				</div>
			</div>
			<Group name="scopes" legend="Scopes" error={errors['scopes']}>
				{SCOPES.map((scope) => (
					<Checkbox
						name={`scope_${scope}`}
						checked={scopes.includes(scope)}
						label={
							<>
								{SCOPE_MEANINGS[scope]} <code class="scope-name">{scope}</code>
							</>
						}
					/>
				))}
			</Group>
			<div class="actions">
				<Button icon="plus">Create key</Button>
			</div>
		</Form>
	);
}
