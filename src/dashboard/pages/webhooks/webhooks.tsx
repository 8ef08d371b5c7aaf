import { WEBHOOK_EVENTS } from '../../../core/webhooks/events.ts';
import type { WebhookEventType } from '../../../core/webhooks/events.ts';
import { WEBHOOKS_MAX } from '../../../operations/webhooks/port.ts';
import type { WebhooksView, WebhookView } from '../../../operations/webhooks/port.ts';
import type { Flash } from '../../session.ts';
import type { FieldErrors } from '../../forms.ts';
import { plural } from '../../format.ts';
import { DashboardPage, Section } from '../../layout.tsx';
import { Tag } from '../../parts/badge.tsx';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code.tsx';
import { Checkbox, Field, Form } from '../../parts/form.tsx';
import { Time } from '../../parts/figures.tsx';
import { Cut, Empty, Table } from '../../parts/table.tsx';
import { FlashNotice, Notice } from '../../parts/notice.tsx';
import type { View } from '../../view.ts';

const EVENT_WORDS: Readonly<Record<WebhookEventType, string>> = {
	'job.completed': 'a list is done',
	'job.failed': 'a list failed',
	'catchall.completed': 'a catch-all check is done',
	'catchall.failed': 'a catch-all check failed',
	'credits.low': 'credits run low',
};

export interface WebhooksProps extends WebhooksView {
	readonly view: View;
	/** Those that test keys added. */
	readonly ofTestKeys: readonly WebhookView[];
	/** The form for a new one, as it was typed. */
	readonly form: { readonly url: string; readonly events: readonly WebhookEventType[] };
	readonly errors: FieldErrors;
	readonly flash: Flash | null;
}

/** All webhooks of an account, a form for a new one, and the threshold of low credits. */
export function WebhooksPage(props: WebhooksProps) {
	const { view, webhooks, ofTestKeys, flash } = props;
	return (
		<DashboardPage
			view={view}
			place="Webhooks"
			title="Webhooks"
			lead="We tell your program when a list is done, so it does not have to ask."
			action={
				<ButtonLink kind="quiet" href="/docs/guides/webhooks">
					How to receive them
				</ButtonLink>
			}
		>
			<FlashNotice flash={flash} />
			<Section title="New webhook">
				<NewWebhook {...props} />
			</Section>
			<Section title="All webhooks" id="all-webhooks">
				<Table
					caption="All webhooks"
					rows={webhooks}
					columns={columnsOf(view)}
					empty={<Empty title="No webhooks yet" text="Add the URL of your program above." />}
				/>
			</Section>
			{ofTestKeys.length > 0 && (
				<Section title="Of test keys">
					<p>
						They are told of what your test keys start. Change them with a test key, by{' '}
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
			<Section title="Low credits">
				<LowCredits {...props} />
			</Section>
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
				hint={`https, on port 443 or 8443. An account has up to ${WEBHOOKS_MAX}.`}
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

/** The events that an endpoint is told of, as checkboxes by their own names. */
export function EventChoice(props: {
	readonly chosen: readonly WebhookEventType[];
	readonly error: string | undefined;
}) {
	return (
		<fieldset class="stack-small">
			<legend>Events</legend>
			{WEBHOOK_EVENTS.map((event) => (
				<Checkbox
					name={event}
					label={
						<>
							{EVENT_WORDS[event]} <code>{event}</code>
						</>
					}
					checked={props.chosen.includes(event)}
				/>
			))}
			{props.error !== undefined && (
				<p class="wrong" role="alert">
					<span>{props.error}</span>
				</p>
			)}
		</fieldset>
	);
}

function LowCredits({ creditsLowBelow }: WebhooksProps) {
	return (
		<p>
			{creditsLowBelow === null ? (
				<>
					<code>credits.low</code> is not sent yet: it needs a threshold.
				</>
			) : (
				<>
					<code>credits.low</code> is sent when the balance falls below {plural(creditsLowBelow, 'credit')}.
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
			width: 296,
			cell: ({ webhookId, url }: WebhookView) =>
				hasPages ? (
					<a class="row-link block" href={`/dashboard/webhooks/${webhookId}`}>
						<Cut text={url} mono />
					</a>
				) : (
					<Cut text={url} mono />
				),
		},
		{ head: 'Status', width: 96, cell: (webhook: WebhookView) => <WebhookTag webhook={webhook} /> },
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
			title="The secret of your webhook"
			up={{ name: 'Webhooks', href: '/dashboard/webhooks' }}
			islands={['copy']}
			action={<ButtonLink href={`/dashboard/webhooks/${webhook.webhookId}`}>I have stored it</ButtonLink>}
		>
			<Notice kind="warning" title="This is the only time you see it">
				<p>
					Your program uses it to check that an event is from us. We do not store it; if you lose it, rotate
					it to get a new one.
				</p>
			</Notice>
			<CodeBlock id="webhook-secret" code={secret} what="The secret" wrap />
			{webhook.formerSecretUntil !== null && (
				<p>
					Until <Time at={webhook.formerSecretUntil} now={view.now} /> events are signed with the previous one
					too.
				</p>
			)}
		</DashboardPage>
	);
}
