import * as z from 'zod';
import { firstDayOf, usageByDay } from '../../core/credits/usage.ts';
import { abbreviateKey } from '../../core/keys/api-key.ts';
import type { KeyMode } from '../../core/keys/api-key.ts';
import { expiresAtOf, isExpired, SCOPE_MEANINGS, SCOPES } from '../../core/keys/scopes.ts';
import type { Scope } from '../../core/keys/scopes.ts';
import { TEST_DOMAIN } from '../../core/test-keys/words.ts';
import { WEBHOOK_EVENTS } from '../../core/webhooks/events.ts';
import { ServiceError } from '../../errors.ts';
import { createKey, listKeys } from '../../operations/accounts/keys.ts';
import type { OwnKey } from '../../operations/accounts/keys.ts';
import { UsageSection } from '../parts/charts.tsx';
import { examplesOf } from '../parts/code-examples.ts';
import { describeThrottled, suspended, exampleBase, sandboxSamples, useView } from '../view.ts';
import { choices, form, select, text } from '../form.tsx';
import type { Refusal } from '../form.tsx';
import { count, list } from '../format.ts';
import { hrefOf, Section, showPage } from '../layout.tsx';
import { Tag, Facts, Time, Cut, Empty, Mono, Table } from '../parts/table.tsx';
import { ButtonLink, QuietLink, Opener, CodeTabs, Meaning } from '../parts/basic.tsx';
import { Place, SecretPage } from '../place.tsx';
import { readWebhooks, webhookForms, Webhooks } from './webhooks.tsx';
import type { PageContext, Visit } from '../view.ts';

const API = hrefOf('API');
const KEYS = '/dashboard/keys';
const DAYS = 30;
const EXAMPLE_ADDRESS = 'jane@acme.com';
const TEST_ADDRESS = `deliverable@${TEST_DOMAIN}`;

const labelSchema = z
	.string()
	.trim()
	.min(1, 'Give the key a label')
	.max(100, 'A label has at most 100 characters')
	.regex(/^[^\p{Cc}\p{Cf}]*$/u, 'A label has no invisible characters');

/** What programs need of an account: its keys and its webhooks. Buttons unfold the forms for new ones. */
export const apiPlace = new Place(API, {
	nav: 'API',
	load: async (visit) => ({
		keys: await listKeys(visit.services, visit.account.accountId),
		calls: callsOf(visit.c, 'live'),
		told: await readWebhooks(visit),
	}),
	view: ({ keys, calls, told }, { refused, Page, Form }) => (
		<Page
			title="API"
			lead="A key lets your program spend this account’s credits. Keep it on your server, never in a page or an app."
			action={
				<Opener label="New key" open={keys.length === 0 || refused?.form === 'new'}>
					<Form of="new" values={{ scope: SCOPES }} />
				</Opener>
			}
		>
			<Table
				caption="API keys"
				rows={keys}
				columns={(column, actions) => [
					column(
						'Label',
						{ width: 144, names: true, phone: true, class: 'list-name' },
						({ id, label, mode, ending, scopes }) => (
							<>
								<a class="block" href={`${KEYS}/${id}`}>
									<Cut text={label} />
								</a>
								<span class="block quiet small">
									<code>{abbreviateKey(mode, ending)}</code>
									{scopes.length < SCOPES.length && ` only ${list(scopes)}`}
								</span>
							</>
						),
					),
					column('Status', { width: 88, phone: true }, (key) => <State of={key} />),
					column('Last used', 96, lastUse),
					column('Expires', 96, ({ expiresAt }) => (expiresAt === null ? 'Never' : <Time at={expiresAt} />)),
					column('Requests', { width: 84, class: 'num' }, ({ usage }) => count(usage?.requests ?? 0)),
					// A test key spends no credits.
					column('Credits', { width: 84, class: 'num' }, ({ usage, mode }) =>
						mode === 'test' ? '–' : count(usage?.credits ?? 0),
					),
					actions(
						64,
						({ id, label, revoked }) =>
							!revoked && (
								<ButtonLink kind="row" href={`${KEYS}/${id}/revoke`} label={`Revoke ${label}`}>
									Revoke
								</ButtonLink>
							),
					),
				]}
			/>
			<Section title="Call the API" aside="Put one of your keys in place of YOUR_API_KEY">
				<CodeTabs id="first-call" examples={calls} />
			</Section>
			<Webhooks
				of={told}
				adds={
					<Opener label="New webhook" open={refused?.form === 'webhook'} kind="quiet">
						<Form of="webhook" values={{ events: WEBHOOK_EVENTS }} />
					</Opener>
				}
				secretForm={<Form of={told.secret === null ? 'make' : 'renew'} />}
			/>
		</Page>
	),
	forms: {
		...webhookForms,
		new: form({
			at: '',
			button: 'Create key',
			icon: 'plus',
			fields: {
				label: text('Label', {
					schema: labelSchema,
					hint: 'Where you will use it.',
					placeholder: 'Sign-up form',
					maxlength: 100,
					required: true,
				}),
				mode: select('Type', [
					['live', 'Live: real addresses'],
					['test', 'Test: free, made-up answers'],
				]),
				expiry: select('Expires', [
					['never', 'Never'],
					['30', 'In 30 days'],
					['90', 'In 90 days'],
					['date', 'On a date'],
				]),
				until: text('Last day', {
					type: 'date',
					hint: 'If it expires on a date: at its end, midnight UTC.',
				}),
				scope: choices('Scopes', SCOPE_MEANINGS, 'Choose at least one scope'),
			},
			run: async (visit, { expiry, until, ...key }) => {
				const expiresAt = expiresAtOf(expiry, until, visit.services.clock.now());
				if (expiresAt === undefined)
					return { errors: { until: 'Choose a day from today on, within ten years' } };
				return showKey(visit, { ...key, expiresAt });
			},
		}),
	},
});

interface NewKey {
	readonly label: string;
	readonly mode: KeyMode;
	readonly scope: readonly Scope[];
	readonly expiresAt: number | null;
}

/** Makes a key, or says at the field `label` why not. The same form makes the same key. */
export async function makeKey(
	{ c, services, signedIn }: Visit,
	{ scope: scopes, ...key }: NewKey,
): Promise<string | Refusal> {
	const { formId, sessionToken } = c.var;
	const request = { ...key, scopes, formId, sessionToken };
	const outcome = await createKey(services, signedIn, request);
	switch (outcome.kind) {
		case 'created':
			return outcome.apiKey;
		case 'too_many':
			return { errors: { label: `An account has at most ${outcome.max} keys. Revoke one first` } };
		case 'ended':
			return { errors: { label: 'The key of this form has been revoked. Create another one' } };
		case 'shut':
			throw suspended();
		case 'throttled':
			return { errors: { label: describeThrottled(c, outcome) }, status: 429 };
	}
}

/** Makes a key and shows it, with a first call to copy. */
export async function showKey(visit: Visit, key: NewKey): Promise<Response | Refusal> {
	const apiKey = await makeKey(visit, key);
	if (typeof apiKey !== 'string') return apiKey;
	return showPage(visit.c, <CreatedPage {...key} apiKey={apiKey} calls={callsOf(visit.c, key.mode)} />);
}

/** The first call with a key. */
function callsOf(c: PageContext, mode: KeyMode) {
	const email = mode === 'test' ? TEST_ADDRESS : (sandboxSamples(c)[0] ?? EXAMPLE_ADDRESS);
	return examplesOf(exampleBase(c), { method: 'POST', path: '/v1/verify', body: { email } });
}

/** Whether a key is accepted, in a word. */
function State({ of: key }: { readonly of: OwnKey }) {
	const { now } = useView();
	if (key.revoked) return <Tag>Revoked</Tag>;
	if (isExpired(key, now)) return <Tag>Expired</Tag>;
	return key.mode === 'test' ? <Tag>Test</Tag> : <Tag tone="deliverable">Active</Tag>;
}

function lastUse({ usage }: OwnKey) {
	return usage === null || usage.lastUsedAt === 0 ? 'Never' : <Time at={usage.lastUsedAt} />;
}

export function CreatedPage(props: {
	readonly label: string;
	readonly mode: KeyMode;
	readonly apiKey: string;
	readonly calls: ReturnType<typeof examplesOf>;
}) {
	const { label, mode, apiKey, calls } = props;
	return (
		<SecretPage
			title={`Your key “${label}”`}
			place="API"
			next={API}
			words="Store it now. We keep only a hash of it. If you lose the key, revoke it and create another."
			secret={{ id: 'api-key', code: apiKey, what: 'The API key' }}
		>
			{mode === 'test' && (
				<p>
					A test key contacts no mail server and costs nothing. The word before the @ chooses the answer.{' '}
					<a href="/docs/guides/test-keys#words">All words</a>
				</p>
			)}
			<Section title="First call">
				<CodeTabs
					id="created"
					examples={calls.map((call) => ({ ...call, code: call.code.replace('YOUR_API_KEY', apiKey) }))}
				/>
			</Section>
		</SecretPage>
	);
}

/** One key and its usage by day. */
export const keyPlace = new Place(`${KEYS}/:keyId`, {
	nav: 'API',
	load: async (visit) => {
		const key = await requireKey(visit);
		const now = visit.services.clock.now();
		// A test key has an account of its own.
		const account = visit.services.accounts(key.accountId);
		return { key, days: usageByDay(await account.usageSince(firstDayOf(DAYS, now), key.id), DAYS, now) };
	},
	view: ({ key, days }, { path, refused, Page, Form }) => (
		<Page
			title={key.label}
			action={!key.revoked && <QuietLink href={`${path}/revoke`}>Revoke key</QuietLink>}
		>
			<Facts
				of={{
					Label: (
						<>
							<p class="wraps">{key.label}</p>
							<details class="more" open={refused !== null}>
								<summary>Rename</summary>
								<Form of="rename" values={key} />
							</details>
						</>
					),
					Status: <State of={key} />,
					Key: <code>{abbreviateKey(key.mode, key.ending)}</code>,
					Scopes: SCOPES.filter((scope) => key.scopes.includes(scope)).map((scope) => (
						<div>
							<Meaning of={scope} words={SCOPE_MEANINGS[scope]} />
						</div>
					)),
					'Last used': lastUse(key),
					Expires: key.expiresAt === null ? 'Never' : <Time at={key.expiresAt} />,
					Type: key.mode === 'test' ? 'Test: free, made-up answers' : 'Live: real addresses',
					Id: <Mono text={key.id} />,
					Created: <Time at={key.createdAt} />,
					Revoked: key.revokedAt !== null && <Time at={key.revokedAt} />,
				}}
			/>
			<UsageSection
				title="Verifications, last 30 days"
				days={days}
				none={
					<Empty
						title="No verifications in 30 days"
						text="The first one with this key appears here at once."
					/>
				}
			/>
		</Page>
	),
	forms: {
		rename: form({
			at: '',
			button: 'Save label',
			kind: 'quiet',
			layout: 'inline',
			fields: { label: text('New label', { schema: labelSchema, maxlength: 100, required: true }) },
			run: async (visit, { label }) => {
				const { id: keyId, accountId } = await requireKey(visit);
				await visit.services.accounts(accountId).renameKey({ keyId, label });
			},
			says: 'The label is saved',
		}),
		revoke: form({
			button: 'Revoke key',
			kind: 'danger',
			names: 'the label',
			asks: async (visit) => {
				const { label, mode, ending } = await requireKey(visit);
				const words = (
					<>
						<p>
							<code>{abbreviateKey(mode, ending)}</code>
						</p>
						<p>Programs that use this key get a 401 on their next call. You can’t restore a revoked key.</p>
					</>
				);
				return { title: `Revoke “${label}”`, name: label, text: words };
			},
			run: async (visit) => {
				const { id: keyId, accountId } = await requireKey(visit);
				const { accounts, clock } = visit.services;
				await accounts(accountId).revokeKey({ keyId, now: clock.now() });
			},
			to: API,
			says: 'The key is revoked. Calls with it get a 401 from now on',
		}),
	},
});

async function requireKey({ services, account, param }: Visit): Promise<OwnKey> {
	const key = (await listKeys(services, account.accountId)).find(({ id }) => id === param('keyId'));
	if (key === undefined) throw new ServiceError('key_not_found', 'There is no such key in this account');
	return key;
}
