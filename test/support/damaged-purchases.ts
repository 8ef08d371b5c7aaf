import { grantIdOf, refundIdOf } from '../../src/core/payments/purchase.ts';
import type { PurchaseState } from '../../src/core/payments/purchase.ts';
import type { Purchase } from '../../src/operations/payments/port.ts';
import { HOUR_MS } from './account-jobs.ts';
import { inDatabase, rewrite } from './damage.ts';
import type { Damage, LivedIn } from './damage.ts';

const DAY_MS = 24 * HOUR_MS;
const CREDITS = 500;

let purchases = 0;

/** A purchase as the database has it; nothing of it is in the account. Returns its id. */
async function purchase(
	{ accountId, clock }: LivedIn,
	state: PurchaseState,
	more: Partial<Pick<Purchase, 'accountId' | 'createdAt'>> = {},
): Promise<string> {
	purchases += 1;
	const id = `pur_${purchases}`;
	await inDatabase(
		`INSERT INTO purchases (id, account_id, credits, amount, currency, state, created_at, session_id)
			VALUES (?, ?, ?, 1500, 'EUR', ?, ?, ?)`,
		id,
		more.accountId ?? accountId,
		CREDITS,
		state,
		more.createdAt ?? clock.now,
		`cs_of_${id}`,
	);
	return id;
}

const grant = ({ stub, clock }: LivedIn, id: string, credits: number, at = clock.now): Promise<unknown> =>
	Promise.resolve(stub.grant({ id, credits, now: at }));

/** Purchases that the account's credits do not match. */
export const PURCHASES: readonly Damage[] = [
	{
		name: 'credits that were paid for and never granted',
		what: (world) => purchase(world, 'paid'),
		found: ['purchase_differs'],
	},
	{
		name: 'other credits than were paid for',
		what: async (world) => grant(world, grantIdOf(await purchase(world, 'paid')), CREDITS - 1),
		// In the ledger, and among the grants.
		found: ['purchase_differs', 'purchase_differs'],
	},
	{
		name: 'credits that were paid for once and stand there twice',
		what: async (world) => {
			const id = grantIdOf(await purchase(world, 'paid'));
			await grant(world, id, CREDITS);
			await rewrite(world.stub, 'DELETE FROM grants WHERE id = ?', id);
			await grant(world, id, CREDITS, world.clock.now + 1);
		},
		found: ['ledger_sum', 'purchase_differs', 'purchase_differs'],
	},
	{
		name: 'a refund after which the credits were left',
		what: async (world) => grant(world, grantIdOf(await purchase(world, 'refunded')), CREDITS),
		found: ['purchase_differs'],
	},
	{
		name: 'a refund that took back more than was granted',
		what: async (world) => {
			const id = await purchase(world, 'refunded');
			await grant(world, grantIdOf(id), CREDITS);
			await grant(world, refundIdOf(id), -CREDITS - 1);
		},
		found: ['purchase_differs', 'purchase_differs'],
	},
	{
		name: 'a refund of what was never granted',
		what: async (world) => grant(world, refundIdOf(await purchase(world, 'review')), -CREDITS),
		found: ['purchase_differs'],
	},
	{
		name: 'credits that were granted days ago, for a purchase that is still open',
		what: async (world) => {
			const id = await purchase(world, 'open');
			await grant(world, grantIdOf(id), CREDITS, world.clock.now - 4 * DAY_MS);
		},
		found: ['purchase_differs'],
	},
	{
		name: 'credits that were taken back days ago, for a purchase that is still paid',
		what: async (world) => {
			const id = await purchase(world, 'paid');
			await grant(world, grantIdOf(id), CREDITS);
			await grant(world, refundIdOf(id), -CREDITS, world.clock.now - 4 * DAY_MS);
		},
		found: ['purchase_differs'],
	},
	{
		name: 'an open purchase about which nobody asks any more',
		what: (world) => purchase(world, 'open', { createdAt: world.clock.now - 22 * DAY_MS }),
		found: ['purchase_differs'],
	},
	{
		name: 'credits for a purchase that the database has not',
		what: (world) => grant(world, grantIdOf('pur_unheard'), CREDITS),
		found: ['purchase_unknown'],
	},
	{
		name: "credits for somebody else's purchase",
		what: async (world) => {
			const accountId = 'acc_else';
			await inDatabase("INSERT INTO accounts (id, email, created_at) VALUES (?, '', 1)", accountId);
			await grant(world, grantIdOf(await purchase(world, 'paid', { accountId })), CREDITS);
		},
		found: ['purchase_unknown'],
	},
];
