import type { Hono } from 'hono';
import { z } from 'zod';
import {
	DAILY_LIMIT,
	ORIGINS_MAX,
	readOrigin,
	TURNSTILE_SECRET_LENGTH_MAX,
} from '../../core/keys/browser-key.ts';
import { ServiceError } from '../../errors.ts';
import { hmacSha256 } from '../../lib/digest.ts';
import {
	changeBrowserKey,
	createBrowserKey,
	listBrowserKeys,
	requireBrowserKey,
} from '../../operations/accounts/browser-keys.ts';
import type { OwnBrowserKey } from '../../operations/accounts/browser-keys.ts';
import { throttle } from '../../operations/people/steps/throttle.ts';
import { clientAndDevice } from '../context.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { withForm } from '../forms.ts';
import type { FieldErrors, FormContext, RefusedForm } from '../forms.ts';
import { exampleBase, viewOf } from '../make-view.ts';
import { describeThrottled } from '../page-error.ts';
import { BrowserKeyPage, BrowserKeysPage, EMPTY_BROWSER_KEY_FORM } from '../pages/keys/browser-keys.tsx';
import type { BrowserKeyForm } from '../pages/keys/browser-keys.tsx';
import { signedInOf } from '../session.ts';
import { showPage } from '../show-page.ts';
import { labelForm } from './keys.tsx';

const PATH = '/dashboard/keys/browser';
const LIMIT = `Enter a whole number from ${DAILY_LIMIT.min} to ${DAILY_LIMIT.max}`;
const ORIGINS = `Enter 1 to ${ORIGINS_MAX} origins, one a line: https://shop.example, without a path`;
const encoder = new TextEncoder();

const settingsForm = z.object({
	origins: z
		.string({ error: ORIGINS })
		.transform((text) => text.split(/\s+/).filter((line) => line !== ''))
		.refine((lines) => lines.length >= 1 && lines.length <= ORIGINS_MAX, ORIGINS)
		.refine((lines) => lines.every((line) => readOrigin(line) !== null), ORIGINS)
		.transform((lines) => [...new Set(lines.map((line) => readOrigin(line) ?? ''))]),
	limit: z.coerce.number({ error: LIMIT }).int(LIMIT).min(DAILY_LIMIT.min, LIMIT).max(DAILY_LIMIT.max, LIMIT),
	turnstile: z.string().trim().max(TURNSTILE_SECRET_LENGTH_MAX, 'That is no secret key').default(''),
});
const changeForm = settingsForm.extend({ without: z.string().optional() });
const browserKeyForm = labelForm.extend(settingsForm.shape);

/** The page of the keys that stand in pages. */
export function addBrowserKeyPages(app: Hono<DashboardEnv>): void {
	app.get(PATH, async (c) => showBrowserKeys(c, EMPTY_BROWSER_KEY_FORM));
	app.post(
		PATH,
		withForm(browserKeyForm, (c, { errors, typed }: RefusedForm) =>
			showBrowserKeys(c, { ...EMPTY_BROWSER_KEY_FORM, ...typed, errors }, 422),
		),
		(c) => takeBrowserKey(c),
	);
	app.get(`${PATH}/:publicKeyId`, async (c) => {
		const key = await keyOf(c);
		return showBrowserKey(c, key, formOf(key));
	});
	app.post(
		`${PATH}/:publicKeyId`,
		withForm(changeForm, async (c, { errors, typed }: RefusedForm) => {
			const key = await keyOf(c);
			return showBrowserKey(c, key, { ...formOf(key), ...typed, errors }, 422);
		}),
		async (c) => {
			const { origins, limit: dailyLimit, turnstile, without } = c.req.valid('form');
			// An empty field keeps the secret.
			const turnstileSecret = without === undefined ? turnstile || undefined : null;
			const change = { keyId: keyIdOf(c), origins, dailyLimit, turnstileSecret };
			await changeBrowserKey(c.var.services, signedInOf(c).user, change);
			return c.redirect(PATH, 303);
		},
	);
}

function keyIdOf(c: PageContext): string {
	return c.req.param('publicKeyId') ?? '';
}

async function keyOf(c: PageContext): Promise<OwnBrowserKey> {
	return requireBrowserKey(c.var.services, signedInOf(c).user, keyIdOf(c));
}

function formOf({ browser }: OwnBrowserKey): BrowserKeyForm {
	const { origins, dailyLimit } = browser;
	return { ...EMPTY_BROWSER_KEY_FORM, origins: origins.join('\n'), limit: String(dailyLimit) };
}

function showBrowserKey(
	c: PageContext,
	browserKey: OwnBrowserKey,
	form: BrowserKeyForm,
	status: 200 | 422 = 200,
): Promise<Response> {
	return showPage(c, <BrowserKeyPage view={viewOf(c)} browserKey={browserKey} form={form} />, status);
}

async function takeBrowserKey(c: FormContext<typeof browserKeyForm>): Promise<Response> {
	const { label: name, origins, limit: dailyLimit, turnstile } = c.req.valid('form');
	const typed = { label: name, origins: origins.join('\n'), limit: String(dailyLimit), turnstile };
	const again = async (errors: FieldErrors, status: 422 | 429): Promise<Response> =>
		showBrowserKeys(c, { ...typed, errors }, status);
	const { client, device } = clientAndDevice(c);
	const { user } = signedInOf(c);
	const throttled = await throttle(c.var.services, 'create_key', { client, account: user.accountId });
	if (throttled !== null) return again({ label: describeThrottled(c, throttled) }, 429);
	// A form that is sent twice makes one key.
	const seed = hmacSha256(encoder.encode(`public key ${c.var.sessionToken}`), encoder.encode(c.var.formId));
	const turnstileSecret = turnstile === '' ? null : turnstile;
	try {
		await createBrowserKey(c.var.services, user, {
			name,
			origins,
			dailyLimit,
			turnstileSecret,
			seed,
			device,
		});
	} catch (error) {
		if (error instanceof ServiceError && error.code === 'too_many_keys')
			return again({ label: error.message }, 422);
		throw error;
	}
	return c.redirect(PATH, 303);
}

async function showBrowserKeys(
	c: PageContext,
	form: BrowserKeyForm,
	status: 200 | 422 | 429 = 200,
): Promise<Response> {
	const keys = await listBrowserKeys(c.var.services, signedInOf(c).user);
	return showPage(
		c,
		<BrowserKeysPage view={viewOf(c)} baseUrl={exampleBase(c)} keys={keys} form={form} />,
		status,
	);
}
