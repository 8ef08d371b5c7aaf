import { grantIdOf, readPurchaseLine, refundIdOf } from '../payments/purchase-ids.ts';
import { ASKED_UNTIL_MS, TOLD_AGAIN_MS } from '../payments/retry-times.ts';
import type { BoughtLine, GrantFacts, PurchaseFacts } from './facts.ts';
import { time } from './finding.ts';
import type { Flaw, Found } from './finding.ts';
import { DAY_MS } from '../../lib/utc-days.ts';

// What is told again or asked again may take a day longer: a night that failed is no damage.
const GRACE_MS = DAY_MS;

/**
 * Whether an account was given what it paid for, and nothing else. Looks at its grants by their ids, of which each has one
 * line: that the ledger has the lines of all grants is for its sums to say.
 */
export function checkPurchases(
	purchases: readonly PurchaseFacts[],
	grants: readonly GrantFacts[],
	now: number,
): Found[] {
	const known = new Map(grants.map(({ id, credits }) => [id, credits]));
	return purchases.flatMap((purchase) => {
		const given = known.get(grantIdOf(purchase.id)) ?? null;
		const taken = known.get(refundIdOf(purchase.id)) ?? null;
		return [
			...givenFlaws(purchase, given),
			...takenFlaws(purchase, given, taken),
			...openFlaws(purchase, now),
		];
	});
}

function givenFlaws(purchase: PurchaseFacts, given: number | null): Found[] {
	const { credits, state } = purchase;
	if (given === credits) return [];
	if (given !== null)
		return [of(purchase, 'purchase_credits', `${credits} credits were bought, and ${given} granted`)];
	if (state === 'open' || state === 'ended' || state === 'review') return [];
	return [of(purchase, 'purchase_credits', `The purchase is ${state}, and its credits were never granted`)];
}

function takenFlaws(purchase: PurchaseFacts, given: number | null, taken: number | null): Found[] {
	const { credits, state } = purchase;
	if (taken === null)
		return state === 'refunded'
			? [of(purchase, 'purchase_refund', 'The purchase is refunded, and its credits were not taken back')]
			: [];
	if (given !== null && taken === 0 - credits) return [];
	const says = `${0 - taken} credits were taken back after a refund, of ${given ?? 0} that were granted`;
	return [of(purchase, 'purchase_refund', says)];
}

/** An open purchase without a checkout was never led to where it could be paid. */
function openFlaws(purchase: PurchaseFacts, now: number): Found[] {
	const { state, sessionId, createdAt } = purchase;
	if (state !== 'open' || sessionId === null || now < createdAt + ASKED_UNTIL_MS + GRACE_MS) return [];
	const says = `The purchase of ${time(createdAt)} is open, and nobody asks any more whether it was paid`;
	return [of(purchase, 'purchase_unsettled', says)];
}

/** Whether lines of an account's ledger that name purchases are true to them. */
export function checkBought(
	accountId: string,
	lines: readonly BoughtLine[],
	purchases: readonly PurchaseFacts[],
	now: number,
): Found[] {
	const listed = new Map(purchases.map((purchase) => [purchase.id, purchase]));
	const times = new Map<string, number>();
	for (const { id } of lines) times.set(id, (times.get(id) ?? 0) + 1);
	return lines.flatMap((line): Found[] => {
		const { id, at, credits } = line;
		const purchaseId = readPurchaseLine(id)?.purchaseId ?? null;
		const purchase = listed.get(purchaseId ?? '');
		if (purchase === undefined || purchase.accountId !== accountId) {
			const whose =
				purchase === undefined ? 'which the database has not' : `which is ${purchase.accountId}'s`;
			const says = `The line of ${time(at)} (${credits} credits) names a purchase ${whose}`;
			return [{ what: 'purchase_unknown', about: purchaseId, says }];
		}
		const isGrant = id === grantIdOf(purchase.id);
		const agreed = isGrant ? purchase.credits : 0 - purchase.credits;
		const what = isGrant ? 'purchase_credits' : 'purchase_refund';
		const often = times.get(id) ?? 1;
		return [
			...(credits === agreed
				? []
				: [of(purchase, what, `Its line has ${credits} credits, and the purchase says ${agreed}`)]),
			...(often === 1 ? [] : [of(purchase, what, `The ledger has its line ${often} times`)]),
			...unnotedFlaws(purchase, at, isGrant, now),
		];
	});
}

/** The credits come first, and then the note of the purchase: what died in between is done again, and soon. */
function unnotedFlaws(purchase: PurchaseFacts, at: number, isGrant: boolean, now: number): Found[] {
	const { state } = purchase;
	const isNoted = isGrant ? state !== 'open' && state !== 'ended' : state === 'refunded';
	if (isNoted || now < at + TOLD_AGAIN_MS + GRACE_MS) return [];
	const done = isGrant ? 'granted' : 'taken back';
	const says = `Its credits were ${done} at ${time(at)}, and the purchase is still ${state}`;
	return [of(purchase, 'purchase_unsettled', says)];
}

function of({ id }: PurchaseFacts, what: Flaw, says: string): Found {
	return { what, about: id, says };
}
