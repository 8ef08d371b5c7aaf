import type { Hono } from 'hono';
import { z } from 'zod';
import { paginate } from '../../core/jobs/pages.ts';
import { testAccountOf } from '../../core/keys/api-key.ts';
import { describeUrlFault, judgeEndpointUrl } from '../../core/webhooks/endpoint-url.ts';
import { WEBHOOK_EVENTS } from '../../core/webhooks/events.ts';
import type { WebhookEventType } from '../../core/webhooks/events.ts';
import { ServiceError } from '../../errors.ts';
import { hmacSha256 } from '../../lib/digest.ts';
import { throttle } from '../../operations/people/steps/throttle.ts';
import {
	changeWebhook,
	createWebhook,
	removeWebhook,
	replayDelivery,
	requireWebhook,
	rotateSecret,
	sendTestEvent,
	showWebhook,
} from '../../operations/webhooks/webhooks.ts';
import { clientAndDevice } from '../context.ts';
import type { DashboardEnv, PageContext } from '../context.ts';
import { leaveFlash, ownerOf, signedInOf, takeFlash } from '../session.ts';
import { withBareForm, withForm } from '../forms.ts';
import type { FieldErrors, FormContext, RefusedForm } from '../forms.ts';
import { readPage, viewOf } from '../make-view.ts';
import { PageError, describeThrottled, suspended } from '../page-error.ts';
import { DeliveriesLive, WebhookPage, WebhookRemovePage } from '../pages/webhooks/webhook.tsx';
import type { WebhookProps } from '../pages/webhooks/webhook.tsx';
import { WebhookSecretPage, WebhooksPage } from '../pages/webhooks/webhooks.tsx';
import type { WebhooksProps } from '../pages/webhooks/webhooks.tsx';
import { showPage, showPart } from '../show-page.ts';

const WEBHOOKS = '/dashboard/webhooks';
const DELIVERIES_PER_PAGE = 25;

const checked = z.string().optional();
const webhookForm = z.object({
	url: z.string({ error: 'Enter a URL' }).trim().min(1, 'Enter a URL'),
	...(Object.fromEntries(WEBHOOK_EVENTS.map((event) => [event, checked])) as Record<
		WebhookEventType,
		typeof checked
	>),
});
/** The pages of an account's webhooks. */
export function addWebhookPages(app: Hono<DashboardEnv>): void {
	app.get(WEBHOOKS, async (c) => showWebhooks(c, {}));
	app.post(WEBHOOKS, withForm(webhookForm, showNewAgain), (c) => takeNew(c));
	app.get(`${WEBHOOKS}/:webhookId`, async (c) => showOne(c, {}));
	app.post(
		`${WEBHOOKS}/:webhookId`,
		withForm(webhookForm, (c, { errors, typed }) => showOne(c, { errors, form: draftOf(typed) }, 422)),
		(c) => takeChange(c),
	);
	app.get(`${WEBHOOKS}/:webhookId/live`, async (c) =>
		showPart(c, <DeliveriesLive view={viewOf(c)} {...await sentTo(c)} />),
	);
	app.post(`${WEBHOOKS}/:webhookId/test`, withBareForm, async (c) => {
		await requireCalm(c);
		await sendTestEvent(c.var.services, ownerOf(c), { webhookId: idOf(c) });
		return done(c, pathOf(c), 'Sending the test event …', 'info');
	});
	for (const enabled of [true, false]) {
		app.post(`${WEBHOOKS}/:webhookId/${enabled ? 'enable' : 'disable'}`, withBareForm, async (c) => {
			await changeWebhook(c.var.services, ownerOf(c), { webhookId: idOf(c), enabled });
			return done(c, pathOf(c), enabled ? 'The webhook is enabled' : 'The webhook is disabled');
		});
	}
	app.post(`${WEBHOOKS}/:webhookId/rotate`, withBareForm, async (c) => {
		await requireCalm(c);
		const rotated = await rotateSecret(c.var.services, ownerOf(c), { webhookId: idOf(c), seed: seedOf(c) });
		return showPage(c, <WebhookSecretPage view={viewOf(c)} {...rotated} />);
	});
	app.post(`${WEBHOOKS}/:webhookId/deliveries/:eventId/replay`, withBareForm, async (c) => {
		await requireCalm(c);
		const eventId = c.req.param('eventId') ?? '';
		await replayDelivery(c.var.services, ownerOf(c), { webhookId: idOf(c), eventId });
		return done(c, pathOf(c), 'Sending the event again …', 'info');
	});
	app.get(`${WEBHOOKS}/:webhookId/remove`, async (c) => {
		const webhook = await showWebhook(c.var.services, ownerOf(c), { webhookId: idOf(c) });
		return showPage(c, <WebhookRemovePage view={viewOf(c)} webhook={webhook} />);
	});
	app.post(`${WEBHOOKS}/:webhookId/remove`, withBareForm, async (c) => {
		await removeWebhook(c.var.services, ownerOf(c), { webhookId: idOf(c) });
		return done(c, WEBHOOKS, 'The webhook is removed');
	});
}

type WebhookForm = z.output<typeof webhookForm>;

async function takeNew(c: FormContext<typeof webhookForm>): Promise<Response> {
	const form = c.req.valid('form');
	const { url } = form;
	const events = eventsOf(form);
	const errors = faultsOf(c, url, events);
	if (Object.keys(errors).length > 0) return showWebhooks(c, { errors, form: { url, events } }, 422);
	await requireCalm(c);
	try {
		// A form that is sent twice adds one webhook, and both answers show its secret.
		const made = await createWebhook(c.var.services, ownerOf(c), { url, events, seed: seedOf(c) });
		return await showPage(c, <WebhookSecretPage view={viewOf(c)} {...made} />);
	} catch (error) {
		return showWebhooks(c, { errors: tooManyIn(error), form: { url, events } }, 422);
	}
}

/** The error at the URL where the account has too many webhooks. Throws any other error. */
function tooManyIn(error: unknown): FieldErrors {
	if (!(error instanceof ServiceError) || error.code !== 'too_many_webhooks') throw error;
	return { url: `${error.message}. Remove one first` };
}

async function takeChange(c: FormContext<typeof webhookForm>): Promise<Response> {
	const form = c.req.valid('form');
	const { url } = form;
	const events = eventsOf(form);
	const errors = faultsOf(c, url, events);
	if (Object.keys(errors).length > 0) return showOne(c, { errors, form: { url, events } }, 422);
	try {
		await changeWebhook(c.var.services, ownerOf(c), { webhookId: idOf(c), url, events });
	} catch (error) {
		return showOne(c, { errors: tooManyIn(error), form: { url, events } }, 422);
	}
	return done(c, pathOf(c), 'The webhook is saved');
}

function eventsOf(form: WebhookForm): readonly WebhookEventType[] {
	return WEBHOOK_EVENTS.filter((event) => form[event] !== undefined);
}

function faultsOf(c: PageContext, url: string, events: readonly WebhookEventType[]): FieldErrors {
	const judged = judgeEndpointUrl(url, c.var.services.endpointRules);
	return {
		...(judged.ok ? {} : { url: `The URL ${describeUrlFault(judged.fault)}` }),
		...(events.length > 0 ? {} : { events: 'Choose at least one event' }),
	};
}

async function showNewAgain(c: PageContext, { errors, typed }: RefusedForm): Promise<Response> {
	return showWebhooks(c, { errors, form: draftOf(typed) }, 422);
}

function draftOf(typed: RefusedForm['typed']): WebhooksProps['form'] {
	const events = WEBHOOK_EVENTS.filter((event) => typed[event] !== undefined);
	return { url: typed['url'] ?? '', events };
}

async function showWebhooks(
	c: PageContext,
	draft: Partial<Pick<WebhooksProps, 'form' | 'errors'>>,
	status: 200 | 422 = 200,
): Promise<Response> {
	const { accountId } = ownerOf(c);
	const [known, { webhooks: ofTestKeys }] = await Promise.all([
		c.var.services.accounts(accountId).listWebhooks(),
		c.var.services.accounts(testAccountOf(accountId)).listWebhooks(),
	]);
	const fresh = { form: { url: '', events: WEBHOOK_EVENTS }, errors: {} };
	const page = { ...known, ofTestKeys, ...fresh, ...draft, flash: takeFlash(c) };
	return showPage(c, <WebhooksPage view={viewOf(c)} {...page} />, status);
}

async function showOne(
	c: PageContext,
	draft: Partial<Pick<WebhookProps, 'form' | 'errors'>>,
	status: 200 | 422 = 200,
): Promise<Response> {
	const sent = await sentTo(c);
	const page = { ...sent, form: sent.webhook, errors: {}, ...draft, flash: takeFlash(c) };
	return showPage(c, <WebhookPage view={viewOf(c)} {...page} />, status);
}

/** A webhook, and a page of what was sent to it. */
async function sentTo(c: PageContext) {
	const webhookId = idOf(c);
	const { services } = c.var;
	const webhook = await showWebhook(services, ownerOf(c), { webhookId });
	const [page, pageSize] = [readPage(c), DELIVERIES_PER_PAGE];
	const account = services.accounts(ownerOf(c).accountId);
	const found = requireWebhook(await account.listDeliveries({ webhookId, page, pageSize }));
	return { webhook, deliveries: found.deliveries, pagination: paginate(found.total, page, pageSize) };
}

/** Counts actions that send events or make secrets, and refuses too many. */
async function requireCalm(c: PageContext): Promise<void> {
	if (signedInOf(c).suspendedAt !== null) throw suspended();
	const { client } = clientAndDevice(c);
	const throttled = await throttle(c.var.services, 'change_webhook', {
		client,
		account: ownerOf(c).accountId,
	});
	if (throttled !== null) throw new PageError(429, 'Too many attempts', describeThrottled(c, throttled));
}

const encoder = new TextEncoder();

/** From the session and the form, so that the same form sent twice makes the same secret. Neither is stored. */
function seedOf(c: PageContext): Uint8Array {
	return hmacSha256(encoder.encode(`webhook ${c.var.sessionToken}`), encoder.encode(c.var.formId));
}

function idOf(c: PageContext): string {
	return c.req.param('webhookId') ?? '';
}

function pathOf(c: PageContext): string {
	return `${WEBHOOKS}/${idOf(c)}`;
}

function done(c: PageContext, path: string, text: string, kind: 'done' | 'info' = 'done'): Response {
	leaveFlash(c, { kind, text });
	return c.redirect(path, 303);
}
