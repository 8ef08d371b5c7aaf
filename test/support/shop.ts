import { env } from 'cloudflare:workers';
import type { CheckoutSession } from '../../src/core/payments/purchase.ts';
import { accountsOf } from '../../src/durable-objects/account/client.ts';
import { newId } from '../../src/lib/encodings.ts';
import { beginPurchase, takePaymentEvent } from '../../src/operations/payments/purchases.ts';
import type { Purchase } from '../../src/operations/payments/purchases.ts';
import type { PaymentServices } from '../../src/services.ts';
import { D1Attempts } from '../../src/storage/people.ts';
import { D1Purchases } from '../../src/storage/payments.ts';
import { openAccount } from './account-jobs.ts';
import { dying, wrapAll } from './wrap.ts';

// A shop with one account, a payment provider in memory, and services that die.

export type Checkout = NonNullable<PaymentServices['checkout']>;

const PACK = { credits: 500, price: { amount: 1_500, currency: 'EUR' } };

/** A purchase that was paid at `at`. */
export const paidPurchase = (accountId: string, at: number): Purchase => ({
	id: newId('pur'),
	accountId,
	credits: 500,
	amount: 1_500,
	currency: 'EUR',
	state: 'paid',
	createdAt: at,
	changedAt: at,
	sessionId: null,
	receiptUrl: null,
});

/** Services that die at their nth call of a port, before it is carried out or after. Infinity: never. */
export function mortal<S extends PaymentServices>(services: S, diesAt: number, when: 'before' | 'after'): S {
	const wrap = dying(when, (_, __, call) => call === diesAt);
	const { accounts, purchases, checkout } = services;
	return {
		...services,
		accounts: (id) => wrapAll(accounts(id), wrap),
		purchases: wrapAll(purchases, wrap),
		checkout: checkout === null ? null : wrapAll(checkout, wrap),
	};
}

let shops = 0;

/** A shop with one account, whose payments the test plays. */
export async function openShop(initialCredits = 0) {
	shops += 1;
	const shop = shops;
	const { accountId, stub, start } = await openAccount(initialCredits);
	const sessions = new Map<string, CheckoutSession>();
	const checkout: Checkout = {
		create: async ({ purchase }) => {
			const id = `cs_${shop}_${purchase.id}`;
			const fresh = { status: 'open', isPaid: false, refunded: 0, hasFailed: false } as const;
			if (!sessions.has(id)) sessions.set(id, { ...fresh, total: purchase, receiptUrl: null });
			return { id, url: `https://pay.example/${id}` };
		},
		read: async (id) => sessions.get(id) ?? null,
	};
	const clock = { now: start };
	const services: PaymentServices & { readonly attempts: D1Attempts; readonly checkout: Checkout } = {
		attempts: new D1Attempts(env.DB),
		clock: { now: () => clock.now, sleep: async () => {} },
		accounts: accountsOf(env.ACCOUNT),
		purchases: new D1Purchases(env.DB),
		packs: [PACK],
		checkout,
	};
	const request = {
		credits: 500,
		what: '500 credits',
		email: 'ada@inbox.test',
		base: 'https://mailsonar.example',
	};
	const begin = (formId: string, by = services) => beginPurchase(by, accountId, { ...request, formId });
	/** Begins a purchase, and says which session it has. */
	const begun = async (formId: string): Promise<string> => {
		const result = await begin(formId);
		if (result.kind !== 'begun') throw new Error(result.kind);
		return result.url.slice('https://pay.example/'.length);
	};
	const play = (id: string, more: Partial<CheckoutSession>): void => {
		const session = sessions.get(id);
		if (session !== undefined) sessions.set(id, { ...session, ...more });
	};
	const idOf = (sessionId: string): string => sessionId.split('_').slice(2).join('_');
	const tell = (sessionId: string, by = services) =>
		takePaymentEvent(by, { id: 'evt', type: 'any', purchaseId: idOf(sessionId) });
	const purchaseOf = async (sessionId: string): Promise<Purchase> => {
		const purchase = await services.purchases.find(idOf(sessionId));
		if (purchase === null) throw new Error('the purchase is there');
		return purchase;
	};
	const balance = async () => (await stub.show()).balance.balance;
	const lines = async () =>
		(await stub.listLedger({ before: null, pageSize: 50 })).entries.map(({ kind, change }) => [kind, change]);
	const tools = { begin, begun, play, tell, idOf, purchaseOf, balance, lines };
	return { services, accountId, clock, sessions, stub, ...tools };
}

/** The provider's answer about a payment that was made. */
export const PAID = { status: 'complete', isPaid: true } as const;
