import { formatMoney } from '../../../core/payments/packs.ts';
import type { CreditPack } from '../../../core/payments/packs.ts';
import type { Purchase } from '../../../operations/payments/port.ts';
import { count, date, plural } from '../../format.ts';
import { DashboardPage, Section } from '../../layout.tsx';
import { Tag } from '../../parts/badge.tsx';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Form } from '../../parts/form.tsx';
import { Notice } from '../../parts/notice.tsx';
import { AskForCredits, Packs } from '../../parts/figures.tsx';
import { Table } from '../../parts/table.tsx';
import type { View } from '../../view.ts';

/** How credits can be had here. */
interface Shop {
	readonly packs: readonly CreditPack[];
	/** They can be paid on the spot. */
	readonly takesPayments: boolean;
	/** The operator's contact: an https address or mailto:. */
	readonly contactUrl: string | null;
}

export interface AddCreditsProps {
	readonly view: View;
	readonly shop: Shop;
	/** Credits that can be spent. */
	readonly available: number;
	/** The paid purchases, newest first. */
	readonly purchases: readonly Purchase[];
	/** The obstacle to a purchase, or null. */
	readonly problem: string | null;
	/** The person left the payment page without paying. */
	readonly left: boolean;
}

/** The price table, and what was bought so far. */
export function AddCreditsPage({ view, shop, available, purchases, problem, left }: AddCreditsProps) {
	return (
		<DashboardPage
			view={view}
			place="Credits"
			title="Add credits"
			up={{ name: 'Credits', href: '/dashboard/credits' }}
			lead={`You have ${count(available)} to spend. A credit buys one definite answer; an unknown is refunded.`}
		>
			{problem !== null && (
				<Notice kind="failed" announce title="Nothing was bought">
					<p>{problem}</p>
				</Notice>
			)}
			{left && problem === null && (
				<Notice kind="info" title="You did not finish the payment">
					<p>Nothing was charged. You can choose again below.</p>
				</Notice>
			)}
			{shop.packs.length > 0 && (
				<Section title="Prices" aside={<span class="quiet">One payment, no subscription</span>}>
					<Packs
						packs={shop.packs}
						actionOf={({ credits }) =>
							shop.takesPayments ? (
								<Form view={view} action="/dashboard/credits/add" layout="plain">
									<input type="hidden" name="credits" value={String(credits)} />
									<Button>
										Buy<span class="unseen"> {plural(credits, 'credit')}</span>
									</Button>
								</Form>
							) : null
						}
					/>
				</Section>
			)}
			<HowToPay shop={shop} />
			<Purchases purchases={purchases} />
		</DashboardPage>
	);
}

function HowToPay({ shop: { takesPayments, contactUrl } }: Pick<AddCreditsProps, 'shop'>) {
	if (takesPayments)
		return (
			<p class="quiet">
				You pay on Stripe’s page, so we never see your card. We add the credits as soon as Stripe confirms the
				payment.{' '}
				{contactUrl !== null && (
					<>
						Another amount, or by invoice? <a href={contactUrl}>Contact us</a>.
					</>
				)}
			</p>
		);
	return (
		<Notice kind="info">
			<AskForCredits contactUrl={contactUrl} />
		</Notice>
	);
}

function Purchases({ purchases }: Pick<AddCreditsProps, 'purchases'>) {
	if (purchases.length === 0) return null;
	return (
		<Section title="Your purchases">
			<Table
				caption="Purchases"
				rows={purchases}
				empty=""
				columns={[
					{
						head: 'Bought',
						names: true,
						width: 168,
						cell: ({ id, credits }) => (
							<a href={`/dashboard/credits/purchases/${id}`}>{plural(credits, 'credit')}</a>
						),
					},
					{ head: 'Date', width: 112, cell: ({ createdAt }) => date(createdAt) },
					{ head: 'Status', width: 128, cell: ({ state }) => <PurchaseTag state={state} /> },
					{ head: 'Price', align: 'right', width: 112, cell: ({ price }) => formatMoney(price) },
				]}
				actions={{
					width: 80,
					of: ({ receiptUrl }) =>
						receiptUrl === null ? null : (
							<ButtonLink kind="row" href={receiptUrl}>
								Receipt
							</ButtonLink>
						),
				}}
			/>
		</Section>
	);
}

/** How a purchase stands, in a word or two. */
export function PurchaseTag({ state }: Pick<Purchase, 'state'>) {
	switch (state) {
		case 'open':
			return <Tag tone="accent">Waiting</Tag>;
		case 'ended':
			return <Tag>Not paid</Tag>;
		case 'paid':
			return <Tag tone="deliverable">Paid</Tag>;
		case 'refunded':
			return <Tag>Refunded</Tag>;
		case 'review':
			return <Tag tone="risky">Being checked</Tag>;
	}
}
