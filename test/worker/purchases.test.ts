import { env } from 'cloudflare:workers';
import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { THROTTLES, throttleKey } from '../../src/core/identity/throttles.ts';
import { DAY_MS } from '../../src/lib/time.ts';
import { showPurchase, takePaymentEvent } from '../../src/operations/payments/purchases.ts';
import { mortal, openShop, PAID } from '../support/shop.ts';
import type { Checkout } from '../support/shop.ts';
import { failsOnPurpose } from '../support/on-purpose.ts';

// A purchase on the real database and account objects, with a payment provider in memory and services that die.

failsOnPurpose();

test.each(['before', 'after'] as const)(
	'whoever dies %s any step between the payment and the grant, the next event grants, once',
	async (when) => {
		for (let diesAt = 1; diesAt <= 5; diesAt += 1) {
			const shop = await openShop();
			const session = await shop.begun('form');
			shop.play(session, PAID);
			const dying = shop.tell(session, mortal(shop.services, diesAt, when));
			await dying.catch(() => {});
			expect(await shop.tell(session)).toBe(true);
			expect(await shop.tell(session)).toBe(true);
			expect(await shop.balance()).toBe(500);
			expect(await shop.lines()).toEqual([['grant', 500]]);
			expect(await shop.purchaseOf(session)).toMatchObject({ state: 'paid' });
		}
	},
);

test('whatever happens to payments, in whatever order it is told and whoever dies, credits match the money', async () => {
	const step = fc.oneof(
		fc.record({ do: fc.constantFrom('pay', 'expire', 'refund', 'refund a part', 'pay less'), of: fc.nat(2) }),
		fc.record({
			do: fc.constant('tell' as const),
			of: fc.nat(2),
			diesAt: fc.constantFrom(1, 2, 3, 4, 5, Infinity),
			when: fc.constantFrom('before' as const, 'after' as const),
		}),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 16 }), async (steps) => {
			const shop = await openShop();
			const sessions = await Promise.all(['a', 'b', 'c'].map((form) => shop.begun(form)));
			for (const action of steps) {
				const id = sessions[action.of] ?? '';
				const now = shop.sessions.get(id);
				if (now === undefined) throw new Error('the session is there');
				const isOpen = now.status === 'open';
				if (action.do === 'tell')
					await shop.tell(id, mortal(shop.services, action.diesAt, action.when)).catch(() => {});
				else if (action.do === 'pay' && isOpen) shop.play(id, PAID);
				else if (action.do === 'pay less' && isOpen)
					shop.play(id, { ...PAID, total: { amount: 1, currency: 'EUR' } });
				else if (action.do === 'expire' && isOpen) shop.play(id, { status: 'expired' });
				else if (action.do === 'refund' && now.isPaid) shop.play(id, { refunded: now.total.amount });
				else if (action.do === 'refund a part' && now.isPaid && now.refunded === 0)
					shop.play(id, { refunded: 1 });
			}
			// The provider tells until it is heard; a part paid back is left to a person, whatever was granted before.
			for (const id of sessions) await shop.tell(id);
			let expected = 0;
			for (const id of sessions) {
				const session = shop.sessions.get(id);
				const { state } = await shop.purchaseOf(id);
				const asAgreed = session?.isPaid === true && session.total.amount === 1_500;
				const wholly = asAgreed && session.refunded === 0;
				if (wholly) expect(state).toBe('paid');
				else if (asAgreed && session.refunded === 1_500) expect(state).toBe('refunded');
				else expect(['open', 'ended', 'review']).toContain(state);
				const partly = asAgreed && session.refunded > 0 && session.refunded < 1_500;
				const granted = await shop.stub.listLedger({ before: null, pageSize: 50 });
				const isGranted = granted.entries.some(({ id: line }) => line === `purchase ${shop.idOf(id)}`);
				if (wholly || (partly && isGranted)) expected += 500;
				if (wholly) expect(isGranted).toBe(true);
				if (!asAgreed) expect(isGranted).toBe(false);
			}
			expect(await shop.balance()).toBe(expected);
			expect(await shop.stub.check()).toEqual([]);
		}),
		{ numRuns: 25 },
	);
});

test.each(['before', 'after'] as const)(
	'whoever dies %s any step of beginning a purchase, the same form leads to the same one checkout',
	async (when) => {
		for (let diesAt = 1; diesAt <= 4; diesAt += 1) {
			const shop = await openShop();
			await shop.begin('form', mortal(shop.services, diesAt, when)).catch(() => {});
			const session = await shop.begun('form');
			expect([...shop.sessions.keys()]).toEqual([session]);
		}
	},
);

test.each([
	['a price that changes', [{ credits: 500, price: { amount: 9_900, currency: 'EUR' } }]],
	['a shop that closes', []],
])('%s while somebody pays changes nothing of what was agreed', async (_, packs) => {
	const shop = await openShop();
	const session = await shop.begun('form');
	shop.play(session, PAID);
	expect(await shop.tell(session, { ...shop.services, packs })).toBe(true);
	expect(await shop.balance()).toBe(500);
	expect(await shop.purchaseOf(session)).toMatchObject({ state: 'paid', amount: 1_500 });
});

test('a form that is sent again after its purchase leads to the receipt', async () => {
	const shop = await openShop();
	const session = await shop.begun('form');
	shop.play(session, PAID);
	await shop.tell(session);
	const { id } = await shop.purchaseOf(session);
	expect(await shop.begin('form')).toEqual({ kind: 'over', purchaseId: id });
	expect(await shop.begin('another form')).toMatchObject({ kind: 'begun' });
});

test('credits that were spent before they are paid back are left to a person', async () => {
	const shop = await openShop();
	const session = await shop.begun('form');
	shop.play(session, PAID);
	await shop.tell(session);
	await shop.stub.grant({ id: 'spent', credits: -1, now: shop.clock.now });
	shop.play(session, { refunded: 1_500 });
	await shop.tell(session);
	expect(await shop.purchaseOf(session)).toMatchObject({ state: 'review' });
	expect(await shop.balance()).toBe(499);
});

test('a request that asked before another one overwrites nothing that the later one noted', async () => {
	const shop = await openShop();
	const session = await shop.begun('form');
	shop.play(session, PAID);
	const { checkout } = shop.services;
	const read: Checkout['read'] = async (id) => {
		const seen = await checkout.read(id);
		// While the answer is on its way, a part is paid back, and that is told and carried out.
		shop.play(session, { refunded: 1 });
		await shop.tell(session);
		return seen;
	};
	await shop.tell(session, { ...shop.services, checkout: { ...checkout, read } });
	expect(await shop.purchaseOf(session)).toMatchObject({ state: 'review' });
});

test('a payment for an account that was deleted meanwhile grants nothing, and is left to a person', async () => {
	const shop = await openShop();
	const session = await shop.begun('form');
	await shop.stub.close({ now: shop.clock.now });
	shop.play(session, PAID);
	expect(await shop.tell(session)).toBe(true);
	expect(await shop.purchaseOf(session)).toMatchObject({ state: 'review' });
	expect(await shop.balance()).toBe(0);
});

test('the payer who is back first is told so while the provider is away, and nobody else sees it', async () => {
	const shop = await openShop();
	const session = await shop.begun('form');
	const { id: purchaseId } = await shop.purchaseOf(session);
	const away = mortal(shop.services, 2, 'before');
	expect(await showPurchase(away, shop.accountId, purchaseId)).toMatchObject({ state: 'open' });
	expect(await showPurchase(shop.services, 'acc_other', purchaseId)).toBeNull();
});

test('the page of an open purchase, loaded without end, has the provider asked so often and no more', async () => {
	const shop = await openShop();
	const session = await shop.begun('form');
	const { id: purchaseId } = await shop.purchaseOf(session);
	let asked = 0;
	const { checkout } = shop.services;
	const read: Checkout['read'] = (id) => {
		asked += 1;
		return checkout.read(id);
	};
	const services = { ...shop.services, checkout: { ...checkout, read } };
	const show = () => showPurchase(services, shop.accountId, purchaseId);
	expect(await show()).toMatchObject({ state: 'open' });
	// As if all but the last had been made.
	await env.DB.prepare('UPDATE throttles SET count = ? WHERE key = ?')
		.bind(THROTTLES.ask_payment.account.limit - 1, throttleKey('ask_payment', 'account', shop.accountId))
		.run();
	for (let n = 0; n < 3; n += 1) expect(await show()).toMatchObject({ state: 'open' });
	expect(asked).toBe(2);
	// What is told by the provider itself is heard all the same.
	shop.play(session, PAID);
	await shop.tell(session);
	expect(await show()).toMatchObject({ state: 'paid' });
});

test('a checkout that the provider has not is told to the operator; its event comes again for two days, as our key may be wrong', async () => {
	const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
	const shop = await openShop();
	const session = await shop.begun('form');
	shop.sessions.delete(session);
	await expect(shop.tell(session)).rejects.toThrow('no such checkout');
	shop.clock.now += 2 * DAY_MS;
	expect(await shop.tell(session)).toBe(true);
	expect(await shop.purchaseOf(session)).toMatchObject({ state: 'open' });
	for (const word of ['purchase_not_settled', shop.idOf(session), session])
		expect(JSON.stringify(logged.mock.calls)).toContain(word);
});

test('a payment for a purchase that the database has lost is logged: somebody has paid and has no credits', async () => {
	const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
	const { services } = await openShop();
	const purchaseId = `pur_${'0'.repeat(24)}`;
	const event = { id: 'evt', type: 'charge.refunded', purchaseId };
	expect(await takePaymentEvent(services, event)).toBe(false);
	for (const word of ['purchase_not_found', purchaseId])
		expect(JSON.stringify(logged.mock.calls)).toContain(word);
});
