import type { Hono } from 'hono';
import { z } from 'zod';
import { TEST_DOMAIN } from '../../core/test-keys/words.ts';
import { expiresAtOf, EXPIRIES, SCOPES } from '../../core/keys/scopes.ts';
import type { Scope } from '../../core/keys/scopes.ts';
import { ServiceError } from '../../errors.ts';
import { createKey, listKeys, revokeOwnKey } from '../../operations/accounts/keys.ts';
import type { OwnKey } from '../../operations/accounts/keys.ts';
import { readUsage } from '../../operations/accounts/accounts.ts';
import { clientAndDevice } from '../context.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { leaveFlash, signedInOf, takeFlash } from '../session.ts';
import { withForm } from '../forms.ts';
import type { FieldErrors, FormContext, RefusedForm } from '../forms.ts';
import { exampleBase, sandboxSamples, viewOf } from '../make-view.ts';
import { describeThrottled, suspended } from '../page-error.ts';
import { KeyPage, KeyRevokePage } from '../pages/keys/key.tsx';
import { EMPTY_KEY_FORM, KeyCreatedPage, KeysPage } from '../pages/keys/keys.tsx';
import type { KeyForm } from '../pages/keys/keys.tsx';
import { showPage } from '../show-page.ts';

const KEYS = '/dashboard/keys';
const DAYS = 90;
const EXAMPLE_ADDRESS = 'jane@acme.com';
const TEST_ADDRESS = `deliverable@${TEST_DOMAIN}`;

const ticked = z.string().optional();
const labelForm = z.object({
	label: z
		.string({ error: 'Give the key a label' })
		.trim()
		.min(1, 'Give the key a label')
		.max(100, 'A label has at most 100 characters')
		.regex(/^[^\p{Cc}\p{Cf}]*$/u, 'A label has no invisible characters'),
});
const keyForm = labelForm.extend({
	mode: z.enum(['live', 'test'], { error: 'Choose what the key is for' }).default('live'),
	expiry: z.enum(EXPIRIES, { error: 'Choose when it expires' }).default('never'),
	until: z.string().max(20, 'Choose a day').default(''),
	scope_verify: ticked,
	scope_lists: ticked,
	scope_read: ticked,
});
const revokeForm = z.object({ confirm: z.string().trim().default('') });

/** The pages of an account's keys. */
export function addKeys(app: Hono<DashboardEnv>): void {
	app.get(KEYS, async (c) => showKeys(c, EMPTY_KEY_FORM));
	app.post(KEYS, withForm(keyForm, showFormAgain), (c) => takeKey(c));
	app.get(`${KEYS}/:keyId`, async (c) => showKey(c, null));
	app.post(
		`${KEYS}/:keyId`,
		withForm(labelForm, (c, { errors, typed }) =>
			showKey(c, { typed: typed['label'] ?? '', error: errors['label'] ?? '' }, 422),
		),
		async (c) => {
			const { id: keyId, accountId } = await requireKey(c);
			await c.var.services.accounts(accountId).renameKey({ keyId, label: c.req.valid('form').label });
			leaveFlash(c, { kind: 'done', text: 'The label is saved' });
			return c.redirect(`${KEYS}/${keyId}`, 303);
		},
	);
	app.get(`${KEYS}/:keyId/revoke`, async (c) => {
		const apiKey = await requireKey(c);
		return showPage(c, <KeyRevokePage view={viewOf(c)} apiKey={apiKey} error={null} />);
	});
	app.post(`${KEYS}/:keyId/revoke`, withForm(revokeForm, showRevokeAgain), async (c) => {
		const apiKey = await requireKey(c);
		if (c.req.valid('form').confirm !== apiKey.label) return showRevokeAgain(c);
		await revokeOwnKey(c.var.services, signedInOf(c), { keyId: apiKey.id });
		leaveFlash(c, { kind: 'done', text: 'The key is revoked. Calls with it get a 401 from now on' });
		return c.redirect(KEYS, 303);
	});
}

async function showKey(
	c: PageContext,
	refused: Parameters<typeof KeyPage>[0]['refused'],
	status: 200 | 422 = 200,
): Promise<Response> {
	const apiKey = await requireKey(c);
	const days = await readUsage(c.var.services, apiKey, { days: DAYS, keyId: apiKey.id });
	const page = { apiKey, days, refused, flash: takeFlash(c) };
	return showPage(c, <KeyPage view={viewOf(c)} {...page} />, status);
}

async function showRevokeAgain(c: PageContext): Promise<Response> {
	const apiKey = await requireKey(c);
	const error = `That is not the label of this key. Type ${apiKey.label}`;
	return showPage(c, <KeyRevokePage view={viewOf(c)} apiKey={apiKey} error={error} />, 422);
}

async function showFormAgain(c: PageContext, { errors, typed }: RefusedForm): Promise<Response> {
	const form: KeyForm = {
		label: typed['label'] ?? '',
		mode: typed['mode'] === 'test' ? 'test' : 'live',
		scopes: tickedScopes(typed),
		expiry: EXPIRIES.find((expiry) => expiry === typed['expiry']) ?? 'never',
		until: typed['until'] ?? '',
		errors,
	};
	return showKeys(c, form, 422);
}

function tickedScopes(typed: Readonly<Record<string, unknown>>): readonly Scope[] {
	return SCOPES.filter((scope) => typed[`scope_${scope}`] !== undefined);
}

async function takeKey(c: FormContext<typeof keyForm>): Promise<Response> {
	const sent = c.req.valid('form');
	const { label, mode, expiry, until } = sent;
	const scopes = tickedScopes(sent);
	const again = async (errors: FieldErrors, status: 422 | 429 = 422): Promise<Response> =>
		showKeys(c, { label, mode, scopes, expiry, until, errors }, status);
	if (scopes.length === 0) return again({ scopes: 'Choose at least one scope' });
	const expiresAt = expiresAtOf(expiry, until, c.var.services.clock.now());
	if (expiresAt === undefined) return again({ until: 'Choose a day from today on, within ten years' });
	const { formId, sessionToken } = c.var;
	const request = { label, mode, scopes, expiresAt, formId, sessionToken, ...clientAndDevice(c) };
	const outcome = await createKey(c.var.services, signedInOf(c), request);
	switch (outcome.kind) {
		case 'created': {
			// Shown in the answer itself: for a redirect it would have to be stored. The same form shows the same key again.
			const page = { label, mode, apiKey: outcome.apiKey, baseUrl: exampleBase(c) };
			const sample = mode === 'test' ? TEST_ADDRESS : (sandboxSamples(c)[0] ?? EXAMPLE_ADDRESS);
			return showPage(c, <KeyCreatedPage view={viewOf(c)} {...page} sample={sample} />);
		}
		case 'too_many':
			return again({ label: `An account has at most ${outcome.max} keys. Revoke one first` });
		case 'ended':
			return again({ label: 'The key of this form has been revoked. Create another one' });
		case 'shut':
			throw suspended();
		case 'throttled':
			return again({ label: describeThrottled(c, outcome) }, 429);
	}
}

async function showKeys(c: PageContext, form: KeyForm, status: 200 | 422 | 429 = 200): Promise<Response> {
	const keys = await listKeys(c.var.services, signedInOf(c).user);
	const call = { baseUrl: exampleBase(c), sample: sandboxSamples(c)[0] ?? EXAMPLE_ADDRESS };
	const page = { ...call, keys, form, flash: takeFlash(c) };
	return showPage(c, <KeysPage view={viewOf(c)} {...page} />, status);
}

async function requireKey(c: PageContext): Promise<OwnKey> {
	const keyId = c.req.param('keyId');
	const keys = await listKeys(c.var.services, signedInOf(c).user);
	const key = keys.find(({ id }) => id === keyId);
	if (key === undefined) throw new ServiceError('key_not_found', 'There is no such key in this account');
	return key;
}
