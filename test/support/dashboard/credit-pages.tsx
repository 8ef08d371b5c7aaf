import type { LedgerEntry } from '../../../src/core/credits/ledger.ts';
import { creditsPlace } from '../../../src/dashboard/pages/credits.tsx';
import { addCreditsPlace, purchasePlace } from '../../../src/dashboard/pages/payments.tsx';
import type { Purchase } from '../../../src/operations/payments/purchases.ts';
import { balance, balanceOf, DAY, days, HOUR, MINUTE, NOW, view, workingJob, wrong } from './samples.ts';

// The pages around credits, in every state.

export const entry: LedgerEntry = {
	id: 'ver_1',
	at: NOW - 3 * HOUR,
	kind: 'verification',
	credits: 1,
	charged: 1,
	refunded: 0,
	released: 0,
	reserved: 0,
	outcome: 'deliverable',
	keyId: 'k1',
	keyLabel: 'Sign-up form',
	name: null,
	closedAt: NOW - 3 * HOUR,
	change: -1,
};

const grant = (id: string, daysAgo: number, credits: number): LedgerEntry => ({
	...entry,
	id,
	at: NOW - daysAgo * DAY,
	kind: 'grant',
	credits,
	charged: 0,
	outcome: null,
	keyId: null,
	keyLabel: null,
	change: credits,
});

const lines: LedgerEntry[] = [
	{
		...entry,
		name: workingJob.name,
		id: 'job_19aa',
		at: NOW - 11 * MINUTE,
		kind: 'job',
		credits: 20_000,
		charged: 7_581,
		refunded: 78,
		reserved: 12_341,
		outcome: null,
		keyId: 'dashboard',
		keyLabel: null,
		closedAt: null,
		change: -7_581,
	},
	{ ...entry, id: 'ver_2', at: NOW - 2 * HOUR, charged: 0, refunded: 1, outcome: 'unknown', change: 0 },
	entry,
	{ ...entry, id: 'ver_0', at: NOW - DAY, charged: 0, released: 1, outcome: 'failed', change: 0 },
	grant('purchase pur_8c1f0f5ad4c14a2b9a3e77c1', 2, 25_000),
	grant('initial grant', 9, 50_000),
];

const eur = (amount: number) => ({ amount, currency: 'EUR' });

const purchase: Purchase = {
	id: 'pur_8c1f0f5ad4c14a2b9a3e77c1',
	accountId: 'acc_1',
	credits: 25_000,
	...eur(14_900),
	state: 'paid',
	createdAt: NOW - 2 * DAY,
	changedAt: NOW - 2 * DAY + 40_000,
	sessionId: 'cs_1',
	receiptUrl: 'https://pay.stripe.com/receipts/payment/1',
};

export const credits: Parameters<typeof creditsPlace.draw>[1] = {
	balance,
	days,
	lines,
	older: { at: 1_700_000_000_000, id: 'job_older' },
	isNewest: true,
	low: { below: 5_000, isLow: false, mails: true },
	retentionDays: 400,
};

const shop: Parameters<typeof addCreditsPlace.draw>[1] = {
	packs: [
		{ credits: 5_000, price: eur(3_900) },
		{ credits: 25_000, price: eur(14_900) },
		{ credits: 100_000, price: eur(44_900) },
		{ credits: 1_000_000, price: eur(299_900) },
	],
	takesPayments: true,
	contactUrl: 'mailto:sales@mailsonar.example',
	available: 35_817,
	purchases: [],
	left: false,
};

const receipt = { purchase, available: 60_817, contactUrl: 'https://mailsonar.example/contact' };
const inState = (state: Purchase['state']) =>
	purchasePlace.draw(view, {
		...receipt,
		purchase: { ...purchase, state, createdAt: NOW - 20_000, receiptUrl: null },
	});
const failed = { kind: 'failed', text: 'Nothing was bought: the payment page could not be opened.' } as const;

export const CREDIT_PAGES = {
	credits: creditsPlace.draw(view, credits),
	'credits-older': creditsPlace.draw(view, { ...credits, isNewest: false }),
	'credits-empty': creditsPlace.draw(view, {
		...credits,
		balance: balanceOf(0),
		days: [],
		lines: [],
		older: null,
		low: { below: null, isLow: false, mails: false },
	}),
	'credits-low': creditsPlace.draw(
		view,
		{ ...credits, low: { below: 50_000, isLow: true, mails: false } },
		wrong('low', { below: 'many' }, { below: 'Enter a whole number from 1 to 1000000000, or nothing' }),
	),
	'add-credits': addCreditsPlace.draw(view, shop),
	'add-credits-again': addCreditsPlace.draw(view, {
		...shop,
		left: true,
		purchases: [
			purchase,
			{ ...purchase, id: 'pur_2', state: 'review', receiptUrl: null },
			{ ...purchase, id: 'pur_3', state: 'refunded', credits: 1_000_000, ...eur(299_900) },
		],
	}),
	'add-credits-wrong': addCreditsPlace.draw({ ...view, flash: failed }, { ...shop, contactUrl: null }),
	'add-credits-by-contact': addCreditsPlace.draw(view, { ...shop, takesPayments: false }),
	'add-credits-nowhere': addCreditsPlace.draw(view, {
		...shop,
		packs: [],
		takesPayments: false,
		contactUrl: null,
	}),
	'purchase-paid': purchasePlace.draw(view, receipt),
	'purchase-open': inState('open'),
	'purchase-ended': inState('ended'),
	'purchase-refunded': inState('refunded'),
	'purchase-review': inState('review'),
};
