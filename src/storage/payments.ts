import { and, desc, eq, inArray, isNull, ne, or } from 'drizzle-orm';
import { PURCHASE_STATES } from '../core/payments/purchase.ts';
import { assert } from '../lib/assert.ts';
import type { PurchaseState } from '../core/payments/purchase.ts';
import { InD1 } from './in-d1.ts';
import { purchases } from './schema.ts';
import type { Purchase } from './schema.ts';

/** Purchases of credits, in D1. */
export class D1Purchases extends InD1 {
	/** Adds it unless there is one of its id, and returns the one that is there. */
	async insert(purchase: Purchase): Promise<Purchase> {
		await this.db.insert(purchases).values(purchase).onConflictDoNothing();
		return this.#require(purchase.id);
	}

	/** Notes the checkout of a purchase that has none yet. False: it has another one. */
	async attach(id: string, sessionId: string): Promise<boolean> {
		const isFree = or(isNull(purchases.sessionId), eq(purchases.sessionId, sessionId));
		const changed = await this.db
			.update(purchases)
			.set({ sessionId })
			.where(and(eq(purchases.id, id), isFree))
			.returning({ id: purchases.id });
		return changed.length === 1;
	}

	async find(id: string): Promise<Purchase | null> {
		return (await this.db.select().from(purchases).where(eq(purchases.id, id)).get()) ?? null;
	}

	/** Notes the state of a purchase, unless a later one is noted (`PURCHASE_STATES`). Returns the purchase. */
	async change(
		id: string,
		change: { readonly state: PurchaseState; readonly changedAt: number; readonly receiptUrl: string | null },
	): Promise<Purchase> {
		const upToIt = PURCHASE_STATES.slice(0, PURCHASE_STATES.indexOf(change.state) + 1);
		await this.db
			.update(purchases)
			.set(change)
			.where(and(eq(purchases.id, id), inArray(purchases.state, upToIt)));
		return this.#require(id);
	}

	/** The purchases of an account that are more than begun, newest first. */
	async listOf(accountId: string, most: number): Promise<readonly Purchase[]> {
		return this.db
			.select()
			.from(purchases)
			.where(
				and(eq(purchases.accountId, accountId), ne(purchases.state, 'open'), ne(purchases.state, 'ended')),
			)
			.orderBy(desc(purchases.createdAt))
			.limit(most);
	}

	async #require(id: string): Promise<Purchase> {
		const stored = await this.find(id);
		assert(stored !== null, 'the purchase is there');
		return stored;
	}
}
