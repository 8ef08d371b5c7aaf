import { formatMoney } from '../../../core/payments/packs.ts';
import type { PurchaseState } from '../../../core/payments/purchase.ts';
import type { Purchase } from '../../../operations/payments/port.ts';
import { count, plural } from '../../format.ts';
import { DashboardPage, Section } from '../../layout.tsx';
import { ButtonLink } from '../../parts/button.tsx';
import { Time } from '../../parts/figures.tsx';
import { Notice } from '../../parts/notice.tsx';
import type { View } from '../../view.ts';
import { PurchaseTag } from './add-credits.tsx';

export interface PurchaseProps {
	readonly view: View;
	readonly purchase: Purchase;
	/** Credits that can be spent. */
	readonly available: number;
	readonly contactUrl: string | null;
}

const TITLES: Readonly<Record<PurchaseState, string>> = {
	open: 'Waiting for your payment',
	ended: 'This payment was not made',
	paid: 'Your credits are here',
	refunded: 'This purchase was refunded',
	review: 'We are checking this payment',
};

// For as long the page asks by itself how the payment stands. A bank transfer takes days.
const ASKED_FOR_MS = 10 * 60_000;

/** The receipt of a purchase, or how far it has come. */
export function PurchasePage(props: PurchaseProps) {
	const { view, purchase } = props;
	const { state } = purchase;
	const isAsked = state === 'open' && view.now - purchase.createdAt < ASKED_FOR_MS;
	return (
		<DashboardPage
			view={view}
			place="Credits"
			title={TITLES[state]}
			up={{ name: 'Credits', href: '/dashboard/credits' }}
			islands={isAsked ? ['live'] : []}
			refreshSeconds={isAsked ? 10 : undefined}
			action={state === 'paid' ? <ButtonLink href="/dashboard/lists">Verify a list</ButtonLink> : null}
		>
			<div
				class="stack"
				data-live={`/dashboard/credits/purchases/${purchase.id}`}
				data-done={isAsked ? undefined : ''}
				data-reload
			>
				<What {...props} />
			</div>
			<Section title="Details">
				<dl class="facts">
					<dt>Bought</dt>
					<dd>{plural(purchase.credits, 'credit')}</dd>
					<dt>Price</dt>
					<dd>{formatMoney(purchase.price)}</dd>
					<dt>Status</dt>
					<dd>
						<PurchaseTag state={state} />
					</dd>
					<dt>Begun</dt>
					<dd>
						<Time at={purchase.createdAt} now={view.now} />
					</dd>
					<dt>Number</dt>
					<dd>
						<code>{purchase.id}</code>
					</dd>
					{purchase.receiptUrl !== null && (
						<>
							<dt>Receipt</dt>
							<dd>
								<a href={purchase.receiptUrl}>Receipt from Stripe</a>
							</dd>
						</>
					)}
				</dl>
			</Section>
		</DashboardPage>
	);
}

function What({ purchase: { state, credits }, available, contactUrl }: PurchaseProps) {
	switch (state) {
		case 'open':
			return (
				<Notice kind="info" title="The payment is not confirmed yet">
					<p>
						We add the credits as soon as it is, even if you close this page. Cards take seconds, bank
						transfers a few days. <a href="/dashboard/credits/add">Back to the prices</a>
					</p>
				</Notice>
			);
		case 'ended':
			return (
				<Notice kind="warning" title="Nothing was charged">
					<p>
						The payment failed, or its page expired. <a href="/dashboard/credits/add">Choose again</a>
					</p>
				</Notice>
			);
		case 'paid':
			return (
				<Notice kind="done" title={`${plural(credits, 'credit')} added`}>
					<p>You have {count(available)} to spend now.</p>
				</Notice>
			);
		case 'refunded':
			return (
				<Notice kind="info" title="Your money was refunded">
					<p>The {plural(credits, 'credit')} of this purchase were taken back.</p>
				</Notice>
			);
		case 'review':
			return (
				<Notice kind="warning" title="We need to check this payment">
					<p>
						The amount paid or refunded does not match the price. <Contact contactUrl={contactUrl} />
					</p>
				</Notice>
			);
	}
}

function Contact({ contactUrl }: Pick<PurchaseProps, 'contactUrl'>) {
	if (contactUrl === null) return <>Ask the operator of this service about the number below.</>;
	return (
		<>
			<a href={contactUrl}>Write to us</a> with the number below.
		</>
	);
}
