import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CheckoutSession } from '../../src/core/payments/purchase.ts';
import { takePaymentEvent } from '../../src/operations/payments/settle-purchases.ts';
import { EVENT, openShop, paid } from '../support/shop.ts';

// Payments that their payers dispute at the bank (chargebacks).

// What has to be looked at, and each death, is logged.
beforeEach(() => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
});

describe('a payment that its payer disputes', () => {
	const disputed = async (credits = 0) => {
		const shop = await openShop(credits);
		const session = await shop.begun('form');
		shop.play(session, paid(1));
		await shop.tell(session);
		const { paymentId } = await shop.purchaseOf(session);
		/** The dispute comes so far, and the provider tells, twice. */
		const turn = async (dispute: CheckoutSession['dispute']): Promise<[string, number]> => {
			shop.clock.now += 1;
			shop.play(session, { dispute });
			const event = { ...EVENT, type: 'charge.dispute.created', paymentId };
			for (let n = 0; n < 2; n += 1) expect(await takePaymentEvent(shop.services, event)).toBe(true);
			return [(await shop.purchaseOf(session)).state, await shop.balance()];
		};
		return { ...shop, session, turn };
	};

	test('has its credits held, and given back when the dispute is won', async () => {
		const { turn, lines, stub } = await disputed(20);
		expect(await turn('open')).toEqual(['disputed', 20]);
		expect(await turn('won')).toEqual(['dispute_won', 520]);
		// Told late.
		expect(await turn('open')).toEqual(['dispute_won', 520]);
		expect(await lines()).toEqual([
			['grant', 500],
			['adjustment', -500],
			['grant', 500],
			['grant', 20],
		]);
		expect(await stub.check()).toEqual([]);
	});

	test('that is lost takes what is there, never more, and tells the operator what is missing', async () => {
		const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
		const { turn, stub, clock } = await disputed();
		await stub.grant({ id: 'spent', credits: -200, now: clock.now });
		await stub.grant({ id: 'in work', credits: -100, now: clock.now });
		expect(await turn('open')).toEqual(['disputed', 0]);
		expect(JSON.stringify(logged.mock.calls)).toContain(String.raw`\"state\":\"disputed\",\"missing\":300`);
		await stub.grant({ id: 'not done', credits: 100, now: clock.now });
		expect(await turn('lost')).toEqual(['dispute_lost', 0]);
		expect(JSON.stringify(logged.mock.calls)).toContain(String.raw`\"missing\":200`);
		await stub.grant({ id: 'bought since', credits: 50, now: clock.now });
		expect(await turn('lost')).toEqual(['dispute_lost', 50]);
		expect(await stub.check()).toEqual([]);
	});

	test('and that is won before anybody told of it leaves the credits where they are', async () => {
		const { turn } = await disputed();
		expect(await turn('won')).toEqual(['dispute_won', 500]);
		expect(await turn('open')).toEqual(['dispute_won', 500]);
	});
});
