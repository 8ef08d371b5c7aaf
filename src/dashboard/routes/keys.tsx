import type { Hono } from 'hono';
import { z } from 'zod';
import { ServiceError } from '../../errors.ts';
import { createKey } from '../../operations/accounts/create-key.ts';
import { listKeys } from '../../operations/accounts/list-keys.ts';
import type { OwnKey } from '../../operations/accounts/list-keys.ts';
import { readUsage } from '../../operations/accounts/read-usage.ts';
import { revokeOwnKey } from '../../operations/accounts/revoke-own-key.ts';
import { clientAndDevice } from '../context.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { leaveFlash, takeFlash } from '../flash.ts';
import { withForm } from '../forms.ts';
import type { FormContext, RefusedForm } from '../forms.ts';
import { exampleBase, sandboxSamples, viewOf } from '../make-view.ts';
import { describeThrottled, suspended } from '../page-error.ts';
import { KeyPage, KeyRevokePage } from '../pages/key.tsx';
import { KeyCreatedPage, KeysPage } from '../pages/keys.tsx';
import type { KeyForm } from '../pages/keys.tsx';
import { signedInOf } from '../session.ts';
import { showPage } from '../show-page.ts';

const KEYS = '/dashboard/keys';
const DAYS = 90;
const EXAMPLE_ADDRESS = 'jane@acme.com';
const TEST_ADDRESS = 'deliverable@test.mailsonar.example';

const keyForm = z.object({
	label: z
		.string({ error: 'Give the key a label' })
		.trim()
		.min(1, 'Give the key a label')
		.max(100, 'A label has at most 100 characters')
		.regex(/^[^\p{Cc}\p{Cf}]*$/u, 'A label has no invisible characters'),
	mode: z.enum(['live', 'test'], { error: 'Choose what the key is for' }).default('live'),
});
const revokeForm = z.object({ confirm: z.string().trim().default('') });

/** The pages of an account's keys. */
export function addKeys(app: Hono<DashboardEnv>): void {
	app.get(KEYS, async (c) => showKeys(c, { label: '', mode: 'live', error: null }));
	app.post(KEYS, withForm(keyForm, showLabelAgain), (c) => takeKey(c));
	app.get(`${KEYS}/:keyId`, async (c) => {
		const apiKey = await requireKey(c);
		const days = await readUsage(c.var.services, apiKey, { days: DAYS, keyId: apiKey.id });
		return showPage(c, <KeyPage view={viewOf(c)} apiKey={apiKey} days={days} />);
	});
	app.get(`${KEYS}/:keyId/revoke`, async (c) => {
		const apiKey = await requireKey(c);
		return showPage(c, <KeyRevokePage view={viewOf(c)} apiKey={apiKey} error={null} />);
	});
	app.post(`${KEYS}/:keyId/revoke`, withForm(revokeForm, showRevokeAgain), async (c) => {
		const apiKey = await requireKey(c);
		if (c.req.valid('form').confirm !== apiKey.label) return showRevokeAgain(c);
		await revokeOwnKey(c.var.services, signedInOf(c), { keyId: apiKey.id });
		leaveFlash(c, { kind: 'done', text: 'The key is revoked: calls with it get 401 from now on' });
		return c.redirect(KEYS, 303);
	});
}

async function showRevokeAgain(c: PageContext): Promise<Response> {
	const apiKey = await requireKey(c);
	const error = `This is not the label of the key: ${apiKey.label}`;
	return showPage(c, <KeyRevokePage view={viewOf(c)} apiKey={apiKey} error={error} />, 422);
}

async function showLabelAgain(c: PageContext, { errors, typed }: RefusedForm): Promise<Response> {
	const { label: error = errors['mode'] ?? 'Give the key a label' } = errors;
	const mode = typed['mode'] === 'test' ? 'test' : 'live';
	return showKeys(c, { label: typed['label'] ?? '', mode, error }, 422);
}

async function takeKey(c: FormContext<typeof keyForm>): Promise<Response> {
	const { label, mode } = c.req.valid('form');
	const { client } = clientAndDevice(c);
	const request = { label, mode, formId: c.var.formId, sessionToken: c.var.sessionToken, client };
	const outcome = await createKey(c.var.services, signedInOf(c), request);
	switch (outcome.kind) {
		case 'created': {
			// Shown in the answer itself: for a redirect it would have to be stored. The same form shows the same key again.
			const page = { label, mode, apiKey: outcome.apiKey, baseUrl: exampleBase(c) };
			const sample = mode === 'test' ? TEST_ADDRESS : (sandboxSamples(c)[0] ?? EXAMPLE_ADDRESS);
			return showPage(c, <KeyCreatedPage view={viewOf(c)} {...page} sample={sample} />);
		}
		case 'too_many':
			return showKeys(
				c,
				{ label, mode, error: `An account has at most ${outcome.max} keys. Revoke one first` },
				422,
			);
		case 'ended':
			return showKeys(
				c,
				{ label, mode, error: 'The key of this form was revoked since. Create another one' },
				422,
			);
		case 'shut':
			throw suspended();
		case 'throttled':
			return showKeys(c, { label, mode, error: describeThrottled(c, outcome) }, 429);
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
