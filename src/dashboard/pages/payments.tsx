import type { Child } from 'hono/jsx';
import { formatMoney } from '../../core/payments/packs.ts';
import type { PurchaseState } from '../../core/payments/purchase.ts';
import { ServiceError } from '../../errors.ts';
import { beginPurchase, showPurchase } from '../../operations/payments/purchases.ts';
import type { Purchase } from '../../operations/payments/purchases.ts';
import { form, hidden } from '../form.tsx';
import { count, date, plural } from '../format.ts';
import { Section } from '../layout.tsx';
import { publicBase, contactUrlOf, PageError } from '../view.ts';
import { Tag, AskForCredits, Facts, Packs, Time, Table } from '../parts/table.tsx';
import { ButtonLink, Notice, NoticeFrame } from '../parts/basic.tsx';
import { Place } from '../place.tsx';
import type { Visit } from '../view.ts';

const ADD = '/dashboard/credits/add';
const PURCHASES = '/dashboard/credits/purchases';
const SHOWN_MAX = 50;
const ASKED_FOR_MS = 10 * 60_000;
const UNKNOWN_PACK = 'Nothing was bought: this pack is no longer sold. Choose one of those below.';

/** The price table, and the purchases so far. */
export const addCreditsPlace = new Place(ADD, {
	nav: 'Credits',
	load: async (visit) => {
		const { c, services, account } = visit;
		return {
			packs: services.packs,
			takesPayments: services.checkout !== null && services.packs.length > 0,
			contactUrl: contactUrlOf(services.config),
			available: await availableTo(visit),
			purchases: await services.purchases.listOf(account.accountId, SHOWN_MAX),
			left: c.req.query('left') === 'yes',
		};
	},
	view: ({ packs, takesPayments, contactUrl, available, purchases, left }, { refused, Page, Form }) => (
		<Page
			title="Add credits"
			lead={`You have ${count(available)} to spend. A credit buys one definite answer; an unknown is refunded.`}
		>
			{left && refused === null && (
				<Notice kind="info" title="You did not finish the payment">
					Nothing was charged. You can choose again below.
				</Notice>
			)}
			{packs.length > 0 && (
				<Section title="Prices" aside="One payment, no subscription">
					<Packs
						packs={packs}
						actionOf={({ credits }) =>
							takesPayments && (
								<Form
									of="buy"
									values={{ credits: String(credits) }}
									button={
										<>
											Buy<span class="unseen"> {plural(credits, 'credit')}</span>
										</>
									}
								/>
							)
						}
					/>
				</Section>
			)}
			{takesPayments ? (
				<p class="quiet">
					You pay on Stripe’s page, so we never see your card. We add the credits as soon as Stripe confirms
					the payment.{' '}
					{contactUrl !== null && (
						<>
							Another amount, or by invoice? <a href={contactUrl}>Contact us</a>.
						</>
					)}
				</p>
			) : (
				<NoticeFrame kind="info">
					<AskForCredits contactUrl={contactUrl} />
				</NoticeFrame>
			)}
			{purchases.length > 0 && <Purchases of={purchases} />}
		</Page>
	),
	forms: {
		buy: form({
			at: '',
			button: 'Buy',
			fields: { credits: hidden() },
			calm: 'buy_credits',
			run: async ({ c, services, signedIn: { user } }, { credits: typed }) => {
				if (!/^[1-9]\d{0,8}$/.test(typed)) return { errors: { '': UNKNOWN_PACK } };
				const credits = Number(typed);
				const what = plural(credits, 'Mailsonar credit');
				const purchase = { credits, what, email: user.email, formId: c.var.formId, base: publicBase(c) };
				try {
					const begun = await beginPurchase(services, user.accountId, purchase);
					if (begun.kind === 'not_sold') return { errors: { '': UNKNOWN_PACK } };
					return c.redirect(begun.kind === 'begun' ? begun.url : `${PURCHASES}/${begun.purchaseId}`, 303);
				} catch (error) {
					if (!(error instanceof ServiceError) || error.code !== 'upstream_unavailable') throw error;
					const problem = 'Nothing was bought: the payment page could not be opened. Try again in a minute.';
					return { errors: { '': problem }, status: 503 };
				}
			},
		}),
	},
});

function Purchases({ of: purchases }: { readonly of: readonly Purchase[] }) {
	return (
		<Section title="Your purchases">
			<Table
				caption="Purchases"
				rows={purchases}
				columns={(column, actions) => [
					column('Bought', { width: 168, names: true }, ({ id, credits }) => (
						<a href={`${PURCHASES}/${id}`}>{plural(credits, 'credit')}</a>
					)),
					column('Date', 112, ({ createdAt }) => date(createdAt)),
					column('Status', { width: 128, phone: true }, ({ state }) => <StateTag of={state} />),
					column('Price', { width: 112, class: 'num' }, formatMoney),
					actions(
						80,
						({ receiptUrl }) =>
							receiptUrl !== null && (
								<ButtonLink kind="row" href={receiptUrl}>
									Receipt
								</ButtonLink>
							),
					),
				]}
			/>
		</Section>
	);
}

async function availableTo({ own }: Visit): Promise<number> {
	return (await own.show()).balance.availableCredits;
}

/** The state of a purchase: in a word or two, as the title of its page, and as a notice on it. */
const STATES = {
	open: ['accent', 'Waiting', 'Waiting for your payment', 'info', 'The payment is not confirmed yet'],
	ended: ['unknown', 'Not paid', 'This payment was not made', 'warning', 'Nothing was charged'],
	paid: ['deliverable', 'Paid', 'Your credits are here', 'done', 'Your credits are added'],
	refunded: ['unknown', 'Refunded', 'This purchase was refunded', 'info', 'Your money was refunded'],
	review: [
		'risky',
		'Being checked',
		'We are checking this payment',
		'warning',
		'We need to check this payment',
	],
} as const satisfies Record<PurchaseState, unknown>;

function StateTag({ of: state }: { readonly of: PurchaseState }) {
	const [tone, words] = STATES[state];
	return <Tag tone={tone}>{words}</Tag>;
}

/** The outlook of a purchase, and the next step. */
function outlookOf({ state, credits }: Purchase, available: number, contactUrl: string | null): Child {
	switch (state) {
		case 'open':
			return (
				<>
					We add the credits as soon as it is, even if you close this page. Cards take seconds, bank transfers
					a few days. <a href={ADD}>Back to the prices</a>
				</>
			);
		case 'ended':
			return (
				<>
					The payment failed, or its page expired. <a href={ADD}>Choose again</a>
				</>
			);
		case 'paid':
			return `${plural(credits, 'credit')} added. You have ${count(available)} to spend now.`;
		case 'refunded':
			return `The ${plural(credits, 'credit')} of this purchase were taken back.`;
		case 'review':
			return (
				<>
					The amount paid or refunded does not match the price.{' '}
					{contactUrl === null ? 'Ask the operator of this service' : <a href={contactUrl}>Write to us</a>}{' '}
					about the number below.
				</>
			);
	}
}

/** The receipt of a purchase, or how far it has come. */
export const purchasePlace = new Place(`${PURCHASES}/:purchaseId`, {
	nav: 'Credits',
	load: async (visit) => {
		const { c, services, account, param } = visit;
		const purchase = await showPurchase(services, account.accountId, param('purchaseId'));
		if (purchase === null)
			throw new PageError(404, 'There is no such purchase', 'The address may be mistyped.');
		// The page asks by itself how the payment stands, but not for the days that a bank transfer takes.
		if (purchase.state === 'open' && services.clock.now() - purchase.createdAt < ASKED_FOR_MS)
			c.header('Refresh', '5');
		return { purchase, available: await availableTo(visit), contactUrl: contactUrlOf(services.config) };
	},
	view: ({ purchase, available, contactUrl }, { Page }) => {
		const [, , title, kind, says] = STATES[purchase.state];
		return (
			<Page
				title={title}
				action={purchase.state === 'paid' && <ButtonLink href="/dashboard/lists">Verify a list</ButtonLink>}
			>
				<Notice kind={kind} title={says}>
					{outlookOf(purchase, available, contactUrl)}
				</Notice>
				<Facts
					of={{
						Bought: plural(purchase.credits, 'credit'),
						Price: formatMoney(purchase),
						Status: <StateTag of={purchase.state} />,
						Begun: <Time at={purchase.createdAt} />,
						Number: <code>{purchase.id}</code>,
						Receipt: purchase.receiptUrl !== null && <a href={purchase.receiptUrl}>Receipt from Stripe</a>,
					}}
				/>
			</Page>
		);
	},
});
