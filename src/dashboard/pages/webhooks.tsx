import type { Child } from 'hono/jsx';
import * as z from 'zod';
import { ATTEMPTS_MAX, DELIVERY_FAULTS } from '../../core/webhooks/delivery.ts';
import { EVENT_MEANINGS, WEBHOOK_EVENTS } from '../../core/webhooks/events.ts';
import { WEBHOOKS_MAX } from '../../operations/webhooks/port.ts';
import type { DeliveryView, WebhookView } from '../../operations/webhooks/port.ts';
import {
	changeWebhook,
	createWebhook,
	given,
	renewCallbackSecret,
	rotateSecret,
	showCallbackSecret,
	showWebhook,
} from '../../operations/webhooks/webhooks.ts';
import { choices, form, hidden, text } from '../form.tsx';
import { plural } from '../format.ts';
import { hrefOf, Section, showPage } from '../layout.tsx';
import { seedOf, useView } from '../view.ts';
import type { Visit } from '../view.ts';
import { Tag, Facts, Time, Cut, Mono, Pages, Table } from '../parts/table.tsx';
import { ButtonLink, CodeBlock, Notice } from '../parts/basic.tsx';
import { Place, SecretPage } from '../place.tsx';

const WEBHOOKS = '/dashboard/webhooks';
const DELIVERIES_PER_PAGE = 25;

const fieldsOf = (hint: string) => ({
	url: text('URL', {
		schema: z.string().trim().min(1, 'Enter a URL'),
		hint,
		placeholder: 'https://shop.example/hooks/mailsonar',
		maxlength: 2_048,
		mono: true,
		required: true,
	}),
	events: choices('Events', EVENT_MEANINGS, 'Choose at least one event'),
});
const remedies = { too_many_webhooks: 'Remove one first' };

/** The webhooks of an account, its threshold of low credits, and the secret of its callbacks. */
export async function readWebhooks({ services, account, own }: Visit) {
	const callbacks = showCallbackSecret(services, account);
	return { ...(await own.listWebhooks()), ...(await callbacks) };
}

/** All webhooks of an account, beside what adds one; and the secret of callbacks, above the form that makes or renews it. */
export function Webhooks(props: {
	readonly of: Awaited<ReturnType<typeof readWebhooks>>;
	readonly adds: Child;
	readonly secretForm: Child;
}) {
	const { webhooks, creditsLowBelow: below, secret, formerSecretUntil: until } = props.of;
	const { now } = useView();
	return (
		<>
			<Section title="Webhooks" aside={props.adds}>
				<div class="stack">
					<p class="quiet">
						We call your program when a list is done, and send <code>credits.low</code>{' '}
						{below === null
							? 'once you set a threshold'
							: `when the balance falls below ${plural(below, 'credit')}`}
						.{' '}
						<a href="/dashboard/credits#low-balance">
							{below === null ? 'Set a threshold' : 'Change the threshold'}
						</a>{' '}
						· <a href="/docs/guides/webhooks">How to receive events</a>
					</p>
					<Table
						caption="Webhooks"
						rows={webhooks}
						columns={(column) => [
							column('URL', { width: 224, names: true, phone: true }, ({ webhookId, url }) => (
								<a class="block" href={`${WEBHOOKS}/${webhookId}`}>
									<Cut text={url} mono />
								</a>
							)),
							column('Status', { width: 96, phone: true }, (webhook) => <State of={webhook} />),
							column('Events', 88, ({ events }) =>
								events.length === WEBHOOK_EVENTS.length
									? 'All'
									: `${events.length} of ${WEBHOOK_EVENTS.length}`,
							),
							column('Added', 96, ({ createdAt }) => <Time at={createdAt} />),
						]}
					/>
				</div>
			</Section>
			<Section title="Callbacks of single lists" id="callbacks">
				<div class="stack">
					<p>
						A list or a check that your program starts with a <code>callbackUrl</code> also calls that URL
						when it ends. We sign all such calls with one secret
						{secret === null ? ', which is made with the first of them.' : ':'}
					</p>
					{secret !== null && (
						<CodeBlock id="callback-secret" code={secret} what="The secret of callbacks" wrap />
					)}
					{until !== null && until > now && (
						<p class="quiet">
							Until <Time at={until} />, we also sign with the previous secret.
						</p>
					)}
					{props.secretForm}
				</div>
			</Section>
		</>
	);
}

/** The forms of the page of all webhooks. */
export const webhookForms = {
	make: secretForm('Make the secret now', 'The secret is made'),
	renew: secretForm('Renew secret', 'The secret is renewed. For 24 hours we sign with both'),
	webhook: form({
		button: 'Add webhook',
		icon: 'plus',
		hash: 'webhooks',
		fields: fieldsOf(`https on port 443 or 8443. An account can have ${WEBHOOKS_MAX} webhooks.`),
		calm: 'change_webhook',
		remedies,
		run: async (visit, values) => {
			// A form that is sent twice adds one webhook, and both answers show its secret.
			const request = { ...values, seed: seedOf(visit, 'webhook') };
			const made = await createWebhook(visit.services, visit.account, request);
			return showPage(visit.c, <WebhookSecretPage {...made} />);
		},
	}),
};

function secretForm(button: string, says: string) {
	return form({
		button,
		kind: 'quiet',
		calm: 'change_webhook',
		// Two clicks renew it once.
		run: async (visit) =>
			renewCallbackSecret(visit.services, visit.account, { seed: seedOf(visit, 'webhook') }),
		says,
	});
}

/** The state of a webhook, in one word. */
function State({ of: { disabledBecause, failingSince } }: { readonly of: WebhookView }) {
	if (disabledBecause !== null)
		return <Tag tone={disabledBecause === 'owner' ? 'unknown' : 'undeliverable'}>Disabled</Tag>;
	return failingSince === null ? <Tag tone="deliverable">Active</Tag> : <Tag tone="risky">Failing</Tag>;
}

export function WebhookSecretPage({ webhook, secret }: Awaited<ReturnType<typeof rotateSecret>>) {
	return (
		<SecretPage
			title="Your webhook’s secret"
			place="API"
			next={`${WEBHOOKS}/${webhook.webhookId}`}
			words="Your program uses it to check that an event comes from us. If you lose it, rotate it."
			secret={{ id: 'webhook-secret', code: secret, what: 'The secret' }}
		>
			{webhook.formerSecretUntil !== null && (
				<p>
					Until <Time at={webhook.formerSecretUntil} />, we also sign events with the previous secret.
				</p>
			)}
		</SecretPage>
	);
}

/** One webhook and its deliveries. */
export const webhookPlace = new Place(`${WEBHOOKS}/:webhookId`, {
	nav: 'API',
	load: async ({ services, account, own, param, page }) => {
		const webhookId = param('webhookId');
		const webhook = await showWebhook(services, account, { webhookId });
		const request = { webhookId, page, limit: DELIVERIES_PER_PAGE };
		return { webhook, ...given(await own.listDeliveries(request)) };
	},
	view: (data, { path, refused, Page, Form, Live }) => {
		const { webhook } = data;
		const isEnabled = webhook.disabledAt === null;
		return (
			<Page title="Webhook" action={<Form of={isEnabled ? 'test' : 'enable'} />}>
				{webhook.disabledBecause !== null && webhook.disabledBecause !== 'owner' && (
					<Notice kind="warning" title="We no longer send events to this webhook">
						{webhook.disabledBecause === 'gone'
							? 'It answered 410 Gone, which asks us to stop. Enable it to start again.'
							: 'No event has arrived for five days. See the last answers below, then enable it again.'}
					</Notice>
				)}
				<Facts
					of={{
						URL: <Mono text={webhook.url} />,
						Status: (
							<>
								<State of={webhook} />
								{isEnabled && webhook.failingSince !== null && (
									<>
										{' '}
										since <Time at={webhook.failingSince} />
									</>
								)}
							</>
						),
						Id: <Mono text={webhook.webhookId} />,
						Added: <Time at={webhook.createdAt} />,
					}}
				/>
				<Live of={data} />
				<details class="more" open={refused !== null}>
					<summary>Change URL and events</summary>
					<Form of="change" values={webhook} />
				</details>
				<Section title="Secret and removal" id="more">
					<div class="row">
						<Form of="rotate" />
						{isEnabled && <Form of="disable" />}
						<ButtonLink kind="danger" href={`${path}/remove`}>
							Remove webhook
						</ButtonLink>
					</div>
				</Section>
			</Page>
		);
	},
	live: {
		isMoving: ({ deliveries }, now) =>
			deliveries.some(({ dueAt }) => dueAt !== null && dueAt < now + SOON_MS),
		says: ({ deliveries: [newest] }) =>
			newest === undefined ? undefined : `${STATUS_WORDS[newest.status]}: ${answerOf(newest)}`,
		view: ({ webhook, deliveries, pagination }, { path, Form }) => (
			<Section title="Deliveries">
				<Table
					caption="Deliveries"
					rows={deliveries}
					columns={(column, actions) => [
						column('Event', { width: 120, names: true, phone: true }, ({ kind }) => <Cut text={kind} mono />),
						column('Status', { width: 88, phone: true }, ({ status }) => (
							<Tag tone={STATUS_TONES[status]}>{STATUS_WORDS[status]}</Tag>
						)),
						column('Last answer', 184, (delivery) => answerOf(delivery)),
						column(
							'Attempts',
							{ width: 76, class: 'num' },
							({ attempts }) => `${attempts} of ${ATTEMPTS_MAX}`,
						),
						column('When', 96, ({ at }) => <Time at={at} />),
						actions(
							88,
							({ id }) => webhook.disabledAt === null && <Form of="replay" values={{ eventId: id }} />,
						),
					]}
					empty={['Nothing sent yet', 'Send a test event to see whether your program receives it.']}
				/>
				<Pages pagination={pagination} things="deliveries" hrefOf={(page) => `${path}?page=${page}`} />
			</Section>
		),
	},
	forms: {
		change: form({
			at: '',
			button: 'Save changes',
			kind: 'quiet',
			fields: fieldsOf('Waiting events go to the new URL.'),
			remedies,
			run: async ({ services, account, param }, values) => {
				await changeWebhook(services, account, { webhookId: param('webhookId'), ...values });
			},
			says: 'The webhook is saved',
		}),
		test: form({
			button: 'Send test event',
			calm: 'change_webhook',
			run: async ({ c, services, own, param }) => {
				// Two clicks send one event.
				const request = { webhookId: param('webhookId'), eventId: `evt_${c.var.formId}` };
				given(await own.testWebhook({ ...request, now: services.clock.now() }));
			},
			says: 'Sending the test event …',
			isPending: true,
		}),
		enable: switchForm(true),
		disable: switchForm(false),
		replay: form({
			button: 'Send again',
			kind: 'row',
			fields: { eventId: hidden() },
			calm: 'change_webhook',
			run: async ({ services, own, param }, { eventId }) => {
				const now = services.clock.now();
				given(await own.replayDelivery({ webhookId: param('webhookId'), eventId, now }));
			},
			says: 'Sending the event again …',
			isPending: true,
		}),
		rotate: form({
			button: 'Rotate secret',
			kind: 'quiet',
			calm: 'change_webhook',
			run: async (visit) => {
				const request = { webhookId: visit.param('webhookId'), seed: seedOf(visit, 'webhook') };
				const rotated = await rotateSecret(visit.services, visit.account, request);
				return showPage(visit.c, <WebhookSecretPage {...rotated} />);
			},
		}),
		remove: form({
			button: 'Remove webhook',
			kind: 'danger',
			asks: async ({ services, account, param }) => {
				const { url } = await showWebhook(services, account, { webhookId: param('webhookId') });
				const words = (
					<p>
						We stop sending events to <Mono text={url} /> and delete the list of its deliveries.
					</p>
				);
				return { title: 'Remove this webhook', text: words };
			},
			run: async ({ own, param }) => {
				given(await own.removeWebhook({ webhookId: param('webhookId') }));
			},
			to: hrefOf('API'),
			says: 'The webhook is removed',
		}),
	},
});

function switchForm(enabled: boolean) {
	return form({
		button: enabled ? 'Enable webhook' : 'Disable webhook',
		kind: enabled ? 'primary' : 'quiet',
		run: async ({ services, account, param }) => {
			await changeWebhook(services, account, { webhookId: param('webhookId'), enabled });
		},
		says: enabled ? 'The webhook is enabled' : 'The webhook is disabled',
	});
}

// Later attempts are minutes and hours away.
const SOON_MS = 30_000;

const STATUS_WORDS = { waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed' } as const;
const STATUS_TONES = { waiting: 'accent', delivered: 'deliverable', failed: 'undeliverable' } as const;

/** The last answer, or why there was none. */
const answerOf = ({ lastCode, fault }: DeliveryView): string =>
	fault === null ? String(lastCode ?? 'None yet') : DELIVERY_FAULTS[fault];
