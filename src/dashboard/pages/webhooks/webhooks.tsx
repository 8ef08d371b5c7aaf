import { WEBHOOK_EVENTS } from '../../../core/webhooks/events.ts';
import type { WebhookEventType } from '../../../core/webhooks/events.ts';
import { WEBHOOKS_MAX } from '../../../operations/webhooks/port.ts';
import type { WebhooksView, WebhookView } from '../../../operations/webhooks/port.ts';
import type { Flash } from '../../session.ts';
import type { FieldErrors } from '../../forms.ts';
import { plural } from '../../format.ts';
import { DashboardPage, Section } from '../../layout.tsx';
import { Tag } from '../../parts/badge.tsx';
import { Button, ButtonLink, Opener } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { Checkbox, Field, Form, Group } from '../../parts/form.tsx';
import { Time } from '../../parts/figures.tsx';
import { Cut, Table } from '../../parts/table.tsx';
import { FlashNotice, Notice } from '../../parts/notice.tsx';
import type { View } from '../../view.ts';

const EVENT_WORDS: Readonly<Record<WebhookEventType, string>> = {
	'job.completed': 'A list is done',
	'job.failed': 'A list failed',
	'catchall.completed': 'A catch-all check is done',
	'catchall.failed': 'A catch-all check failed',
	'credits.low': 'Credits run low',
};

export interface WebhooksProps extends WebhooksView {
	readonly view: View;
	/** The webhooks that test keys added. */
	readonly ofTestKeys: readonly WebhookView[];
	/** The form for a new one, as it was typed. */
	readonly form: { readonly url: string; readonly events: readonly WebhookEventType[] };
	readonly errors: FieldErrors;
	readonly flash: Flash | null;
}

/** All webhooks of an account, and the threshold of low credits; a button unfolds the form for a new one. */
export function WebhooksPage(props: WebhooksProps) {
	const { view, webhooks, ofTestKeys, errors, flash } = props;
	return (
		<DashboardPage
			view={view}
			place="Webhooks"
			title="Webhooks"
			lead={
				<>
					We call your program when a list is done. <a href="/docs/guides/webhooks">How to receive events</a>
				</>
			}
			action={
				<Opener label="New webhook" open={webhooks.length === 0 || Object.keys(errors).length > 0}>
					<NewWebhook {...props} />
				</Opener>
			}
		>
			<FlashNotice flash={flash} />
			<Table caption="Webhooks" rows={webhooks} columns={columnsOf(view)} empty={null} />
			{ofTestKeys.length > 0 && (
				<Section title="Webhooks of test keys">
					<p>
						They get the events of lists that your test keys start. Only a test key can change them, through{' '}
						<code>/v1/webhooks</code>.
					</p>
					<Table
						caption="Webhooks of test keys"
						rows={ofTestKeys}
						columns={columnsOf(view, false)}
						empty={null}
					/>
				</Section>
			)}
			<LowCredits {...props} />
		</DashboardPage>
	);
}

function NewWebhook({ view, form, errors }: WebhooksProps) {
	return (
		<Form view={view} action="/dashboard/webhooks">
			<Field
				name="url"
				label="URL"
				value={form.url}
				error={errors['url']}
				hint={`https on port 443 or 8443. An account can have ${WEBHOOKS_MAX} webhooks.`}
				placeholder="https://shop.example/hooks/mailsonar"
				maxlength={2_048}
				autocomplete="off"
				mono
				required
			/>
			<EventChoice chosen={form.events} error={errors['events']} />
			<div class="actions">
				<Button icon="plus">Add webhook</Button>
			</div>
		</Form>
	);
}

/** The events that an endpoint receives, as checkboxes. */
export function EventChoice(props: {
	readonly chosen: readonly WebhookEventType[];
	readonly error: string | undefined;
}) {
	return (
		<Group name="events" legend="Events" error={props.error}>
			{WEBHOOK_EVENTS.map((event) => (
				<Checkbox
					name={event}
					label={
						<>
							{EVENT_WORDS[event]} <code class="scope-name">{event}</code>
						</>
					}
					checked={props.chosen.includes(event)}
				/>
			))}
		</Group>
	);
}

function LowCredits({ creditsLowBelow }: WebhooksProps) {
	return (
		<p class="quiet">
			{creditsLowBelow === null ? (
				<>
					We send <code>credits.low</code> once you set a threshold.
				</>
			) : (
				<>
					We send <code>credits.low</code> when the balance falls below {plural(creditsLowBelow, 'credit')}.
				</>
			)}{' '}
			<a href="/dashboard/credits#low-balance">
				{creditsLowBelow === null ? 'Set a threshold' : 'Change the threshold'}
			</a>
		</p>
	);
}

/** The state of a webhook, in one word. */
export function WebhookTag({ webhook }: { readonly webhook: WebhookView }) {
	const { disabledBecause, failingSince } = webhook;
	if (disabledBecause !== null)
		return <Tag tone={disabledBecause === 'owner' ? 'unknown' : 'undeliverable'}>Disabled</Tag>;
	return failingSince === null ? <Tag tone="deliverable">Active</Tag> : <Tag tone="risky">Failing</Tag>;
}

function columnsOf(view: View, hasPages = true) {
	return [
		{
			head: 'URL',
			names: true,
			phone: true,
			width: 224,
			cell: ({ webhookId, url }: WebhookView) =>
				hasPages ? (
					<a class="block" href={`/dashboard/webhooks/${webhookId}`}>
						<Cut text={url} mono />
					</a>
				) : (
					<Cut text={url} mono />
				),
		},
		{
			head: 'Status',
			phone: true,
			width: 96,
			cell: (webhook: WebhookView) => <WebhookTag webhook={webhook} />,
		},
		{
			head: 'Events',
			width: 88,
			cell: ({ events }: WebhookView) =>
				events.length === WEBHOOK_EVENTS.length ? 'All' : `${events.length} of ${WEBHOOK_EVENTS.length}`,
		},
		{
			head: 'Added',
			width: 96,
			cell: ({ createdAt }: WebhookView) => <Time at={createdAt} now={view.now} />,
		},
	];
}

/** The only page that ever shows a secret. */
export function WebhookSecretPage(props: {
	readonly view: View;
	readonly webhook: WebhookView;
	readonly secret: string;
}) {
	const { view, webhook, secret } = props;
	return (
		<DashboardPage
			view={view}
			place="Webhooks"
			title="Your webhook’s secret"
			up={{ name: 'Webhooks', href: '/dashboard/webhooks' }}
			islands={['copy']}
			action={<ButtonLink href={`/dashboard/webhooks/${webhook.webhookId}`}>I have stored it</ButtonLink>}
		>
			<Notice kind="warning" title="This is the only time you see it">
				<p>
					Your program uses it to check that an event comes from us. We don’t show it again. If you lose it,
					rotate it to get a new one.
				</p>
			</Notice>
			<CodeBlock id="webhook-secret" code={secret} what="The secret" wrap />
			{webhook.formerSecretUntil !== null && (
				<p>
					Until <Time at={webhook.formerSecretUntil} now={view.now} />, we also sign events with the previous
					secret.
				</p>
			)}
		</DashboardPage>
	);
}
