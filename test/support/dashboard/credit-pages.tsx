import { ALL_LINES } from '../../../src/dashboard/list-query.ts';
import { AddCreditsPage } from '../../../src/dashboard/pages/credits/add-credits.tsx';
import type { AddCreditsProps } from '../../../src/dashboard/pages/credits/add-credits.tsx';
import { CreditsPage } from '../../../src/dashboard/pages/credits/credits.tsx';
import type { CreditsProps } from '../../../src/dashboard/pages/credits/credits.tsx';
import { PurchasePage } from '../../../src/dashboard/pages/credits/purchase.tsx';
import type { PurchaseProps } from '../../../src/dashboard/pages/credits/purchase.tsx';
import type { Purchase } from '../../../src/operations/payments/port.ts';
import { ledger, lines, noLedger } from './ledger-samples.ts';
import { NOW, view } from './samples.ts';

// The pages around credits, in every state.

const DAY = 86_400_000;
const eur = (amount: number) => ({ amount, currency: 'EUR' });

const purchase: Purchase = {
	id: 'pur_8c1f0f5ad4c14a2b9a3e77c1',
	accountId: 'acc_1',
	credits: 25_000,
	price: eur(14_900),
	state: 'paid',
	createdAt: NOW - 2 * DAY,
	changedAt: NOW - 2 * DAY + 40_000,
	sessionId: 'cs_1',
	paymentId: 'pi_1',
	receiptUrl: 'https://pay.stripe.com/receipts/payment/1',
};

export const credits: CreditsProps = {
	view,
	query: ALL_LINES,
	ledger,
	lines,
	isNewest: false,
	low: { below: 5_000, isLow: false, mails: true },
	forecast: { kind: 'pace', days: 586, perDay: 61.1, of: 30 },
	retentionDays: 400,
	refused: null,
	flash: null,
};

const shop: AddCreditsProps = {
	view,
	shop: {
		packs: [
			{ credits: 5_000, price: eur(3_900) },
			{ credits: 25_000, price: eur(14_900) },
			{ credits: 100_000, price: eur(44_900) },
			{ credits: 1_000_000, price: eur(299_900) },
		],
		takesPayments: true,
		contactUrl: 'mailto:sales@mailsonar.example',
	},
	available: 35_817,
	purchases: [],
	problem: null,
	left: false,
};

const receipt: PurchaseProps = {
	view,
	purchase,
	available: 60_817,
	contactUrl: 'https://mailsonar.example/contact',
};
const inState = (state: Purchase['state'], createdAt = NOW - 20_000) => (
	<PurchasePage {...receipt} purchase={{ ...purchase, state, createdAt, receiptUrl: null }} />
);

export const CREDIT_PAGES = {
	credits: <CreditsPage {...credits} />,
	'credits-newest': <CreditsPage {...credits} isNewest />,
	'credits-filtered': (
		<CreditsPage {...credits} query={{ kind: 'job', from: '2026-11-01', to: '2026-11-21' }} />
	),
	'credits-no-match': (
		<CreditsPage
			{...credits}
			query={{ kind: 'task', from: '', to: '' }}
			ledger={{ ...ledger, older: null }}
			lines={[]}
		/>
	),
	'credits-empty': (
		<CreditsPage
			{...credits}
			ledger={noLedger}
			lines={[]}
			isNewest
			low={{ below: null, isLow: false, mails: false }}
			forecast={{ kind: 'unused' }}
		/>
	),
	'credits-low': (
		<CreditsPage
			{...credits}
			low={{ below: 50_000, isLow: true, mails: false }}
			forecast={{ kind: 'too_fresh' }}
			refused={{ typed: 'many', error: 'Enter a whole number from 1 to 1000000000, or nothing' }}
			flash={{ kind: 'done', text: 'The threshold is saved' }}
		/>
	),
	'add-credits': <AddCreditsPage {...shop} />,
	'add-credits-again': (
		<AddCreditsPage
			{...shop}
			left
			purchases={[
				purchase,
				{ ...purchase, id: 'pur_2', state: 'review', receiptUrl: null },
				{ ...purchase, id: 'pur_3', state: 'refunded', credits: 1_000_000, price: eur(299_900) },
			]}
		/>
	),
	'add-credits-wrong': (
		<AddCreditsPage
			{...shop}
			problem="The payment page could not be opened. Try again in a minute."
			shop={{ ...shop.shop, contactUrl: null }}
		/>
	),
	'add-credits-by-contact': <AddCreditsPage {...shop} shop={{ ...shop.shop, takesPayments: false }} />,
	'add-credits-nowhere': (
		<AddCreditsPage {...shop} shop={{ packs: [], takesPayments: false, contactUrl: null }} />
	),
	'purchase-paid': <PurchasePage {...receipt} />,
	'purchase-open': inState('open'),
	'purchase-slow': inState('open', NOW - DAY),
	'purchase-ended': inState('ended'),
	'purchase-refunded': inState('refunded'),
	'purchase-review': inState('review'),
};
