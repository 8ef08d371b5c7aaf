import type { Pagination } from '../../../core/jobs/pages.ts';
import { ATTEMPTS_MAX, DELIVERY_FAULTS } from '../../../core/webhooks/delivery.ts';
import type { DeliveryView, WebhookView } from '../../../operations/webhooks/port.ts';
import type { Flash } from '../../session.ts';
import type { FieldErrors } from '../../forms.ts';
import { DashboardPage, Section } from '../../layout.tsx';
import { Tag } from '../../parts/badge.tsx';
import { Button, ButtonLink, CancelLink, Dialog } from '../../parts/button.tsx';
import { Field, Form } from '../../parts/form.tsx';
import { Time } from '../../parts/figures.tsx';
import { Cut, Empty, Mono, Pages, Table } from '../../parts/table.tsx';
import { FlashNotice, Notice } from '../../parts/notice.tsx';
import type { View } from '../../view.ts';
import { EventChoice, WebhookTag } from './webhooks.tsx';

export interface WebhookProps {
	readonly view: View;
	readonly webhook: WebhookView;
	readonly deliveries: readonly DeliveryView[];
	readonly pagination: Pagination;
	/** The values in the form of a change: as stored, or as typed and refused. */
	readonly form: Pick<WebhookView, 'url' | 'events'>;
	readonly errors: FieldErrors;
	readonly flash: Flash | null;
}

const pathOf = ({ webhookId }: WebhookView): string => `/dashboard/webhooks/${webhookId}`;

/** One webhook and its deliveries. */
export function WebhookPage(props: WebhookProps) {
	const { view, webhook, flash } = props;
	const isEnabled = webhook.disabledAt === null;
	return (
		<DashboardPage
			view={view}
			place="Webhooks"
			title="Webhook"
			up={{ name: 'Webhooks', href: '/dashboard/webhooks' }}
			islands={['dialog', 'live']}
			action={
				isEnabled ? (
					<Form view={view} action={`${pathOf(webhook)}/test`} layout="plain">
						<Button>Send test event</Button>
					</Form>
				) : (
					<Form view={view} action={`${pathOf(webhook)}/enable`} layout="plain">
						<Button>Enable webhook</Button>
					</Form>
				)
			}
		>
			<FlashNotice flash={flash} />
			<Disabled webhook={webhook} />
			<dl class="facts">
				<dt>URL</dt>
				<dd>
					<Mono text={webhook.url} />
				</dd>
				<dt>Status</dt>
				<dd>
					<WebhookTag webhook={webhook} />
					{isEnabled && webhook.failingSince !== null && (
						<>
							{' '}
							since <Time at={webhook.failingSince} now={view.now} />
						</>
					)}
				</dd>
				<dt>Id</dt>
				<dd>
					<Mono text={webhook.webhookId} />
				</dd>
				<dt>Added</dt>
				<dd>
					<Time at={webhook.createdAt} now={view.now} />
				</dd>
			</dl>
			<Change {...props} />
			<DeliveriesLive {...props} />
			<More {...props} />
			<p id="live-says" class="unseen" role="status" />
		</DashboardPage>
	);
}

function More({ view, webhook }: WebhookProps) {
	return (
		<Section title="Secret and removal" id="more">
			<div class="actions">
				<Form view={view} action={`${pathOf(webhook)}/rotate`} layout="plain">
					<Button kind="quiet">Rotate secret</Button>
				</Form>
				{webhook.disabledAt === null && (
					<Form view={view} action={`${pathOf(webhook)}/disable`} layout="plain">
						<Button kind="quiet">Disable webhook</Button>
					</Form>
				)}
				<ButtonLink kind="danger" href={`${pathOf(webhook)}/remove`} dialog="remove">
					Remove webhook
				</ButtonLink>
			</div>
			<Dialog id="remove" title="Remove this webhook">
				<RemoveForm view={view} webhook={webhook} />
			</Dialog>
		</Section>
	);
}

function Disabled({ webhook }: { readonly webhook: WebhookView }) {
	if (webhook.disabledBecause === null || webhook.disabledBecause === 'owner') return null;
	return (
		<Notice kind="warning" title="We no longer send events to this webhook">
			<p>
				{webhook.disabledBecause === 'gone'
					? 'It answered 410 Gone, which asks us to stop. Enable it to start again.'
					: 'No event has arrived for five days. See the last answers below, then enable it again.'}
			</p>
		</Notice>
	);
}

function Change({ view, webhook, form, errors }: WebhookProps) {
	return (
		<details class="more" open={Object.keys(errors).length > 0}>
			<summary>Change URL and events</summary>
			<Form view={view} action={pathOf(webhook)}>
				<Field
					name="url"
					label="URL"
					value={form.url}
					error={errors['url']}
					hint="Waiting events go to the new URL."
					maxlength={2_048}
					autocomplete="off"
					mono
					required
				/>
				<EventChoice chosen={form.events} error={errors['events']} />
				<div class="actions">
					<Button kind="quiet">Save changes</Button>
				</div>
			</Form>
		</details>
	);
}

type Sent = Pick<WebhookProps, 'view' | 'webhook' | 'deliveries' | 'pagination'>;

// Later attempts are minutes and hours away.
const SOON_MS = 30_000;

function isMoving({ view, deliveries }: Pick<Sent, 'view' | 'deliveries'>): boolean {
	return deliveries.some(({ dueAt }) => dueAt !== null && dueAt < view.now + SOON_MS);
}

/** The deliveries with their answers; a script renews this part of the page while an answer is due. */
export function DeliveriesLive(props: Sent) {
	const { webhook, deliveries, pagination } = props;
	const [newest] = deliveries;
	return (
		<div
			data-live={`${pathOf(webhook)}/live?page=${pagination.page}`}
			data-done={isMoving(props) ? undefined : ''}
			data-says={newest === undefined ? undefined : `${STATUS_WORDS[newest.status]}: ${answerOf(newest)}`}
		>
			<Deliveries {...props} />
			{isMoving(props) && <p class="quiet without-script">Reload this page to see the answer.</p>}
		</div>
	);
}

function Deliveries({ view, webhook, deliveries, pagination }: Sent) {
	const isEnabled = webhook.disabledAt === null;
	return (
		<Section title="Deliveries">
			<Table
				caption="Deliveries"
				rows={deliveries}
				columns={[
					{ head: 'Event', names: true, width: 152, cell: ({ kind }) => <Cut text={kind} mono /> },
					{ head: 'Status', width: 104, cell: ({ status }) => <DeliveryTag status={status} /> },
					{ head: 'Last answer', width: 184, cell: (delivery) => answerOf(delivery) },
					{
						head: 'Attempts',
						align: 'right',
						width: 76,
						cell: ({ attempts }) => `${attempts} of ${ATTEMPTS_MAX}`,
					},
					{ head: 'When', width: 96, cell: ({ at }) => <Time at={at} now={view.now} /> },
				]}
				actions={{
					width: 88,
					of: ({ id }) =>
						isEnabled ? (
							<Form view={view} action={`${pathOf(webhook)}/deliveries/${id}/replay`} layout="plain">
								<Button kind="row">Send again</Button>
							</Form>
						) : null,
				}}
				empty={
					<Empty title="Nothing sent yet" text="Send a test event to see whether your program receives it." />
				}
			/>
			<Pages
				pagination={pagination}
				things="deliveries"
				hrefOf={(page) => `${pathOf(webhook)}?page=${page}`}
			/>
		</Section>
	);
}

const STATUS_WORDS = { waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed' } as const;
const STATUS_TONES = { waiting: 'accent', delivered: 'deliverable', failed: 'undeliverable' } as const;

function DeliveryTag({ status }: Pick<DeliveryView, 'status'>) {
	return <Tag tone={STATUS_TONES[status]}>{STATUS_WORDS[status]}</Tag>;
}

function answerOf({ lastCode, fault }: DeliveryView): string {
	if (fault !== null) return DELIVERY_FAULTS[fault];
	return lastCode === null ? 'None yet' : String(lastCode);
}

/** Asks for confirmation before a webhook is removed: the dialog as a page. */
export function WebhookRemovePage({ view, webhook }: Pick<WebhookProps, 'view' | 'webhook'>) {
	return (
		<DashboardPage
			view={view}
			place="Webhooks"
			title="Remove this webhook"
			up={{ name: 'Webhooks', href: '/dashboard/webhooks' }}
		>
			<div class="form-narrow stack">
				<RemoveForm view={view} webhook={webhook} />
			</div>
		</DashboardPage>
	);
}

function RemoveForm({ view, webhook }: Pick<WebhookProps, 'view' | 'webhook'>) {
	return (
		<Form view={view} action={`${pathOf(webhook)}/remove`}>
			<p>
				We stop sending events to <Mono text={webhook.url} /> and delete the list of its deliveries.
			</p>
			<div class="actions">
				<Button kind="danger">Remove webhook</Button>
				<CancelLink href={pathOf(webhook)} />
			</div>
		</Form>
	);
}
