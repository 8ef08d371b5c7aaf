import {
	ASKED_UNTIL_MS,
	grantIdOf,
	readPurchaseLine,
	refundIdOf,
	TOLD_AGAIN_MS,
} from '../payments/purchase.ts';
import type { BoughtLine, GrantFacts, PurchaseFacts } from './facts.ts';
import { time } from './finding.ts';
import type { Found } from './finding.ts';
import { DAY_MS } from '../../lib/time.ts';

// Repeated notices and repeated queries may take a day longer: one failed night is no damage.
const GRACE_MS = DAY_MS;

/**
 * Finds differences between an account's purchases and its grants. It compares grants by id; the ledger's sums show
 * whether every grant has its line.
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
	if (given !== null) return [differs(purchase, `${credits} credits were bought, and ${given} granted`)];
	if (state === 'open' || state === 'ended' || state === 'review') return [];
	return [differs(purchase, `The purchase is ${state}, and its credits were never granted`)];
}

function takenFlaws(purchase: PurchaseFacts, given: number | null, taken: number | null): Found[] {
	const { credits, state } = purchase;
	if (taken === null)
		return state === 'refunded'
			? [differs(purchase, 'The purchase is refunded, and its credits were not taken back')]
			: [];
	if (given !== null && taken === 0 - credits) return [];
	const says = `${0 - taken} credits were taken back after a refund, of ${given ?? 0} that were granted`;
	return [differs(purchase, says)];
}

/** Finds an open purchase that we no longer ask about. Without a checkout the payer never reached the payment page. */
function openFlaws(purchase: PurchaseFacts, now: number): Found[] {
	const { state, sessionId, createdAt } = purchase;
	if (state !== 'open' || sessionId === null || now < createdAt + ASKED_UNTIL_MS + GRACE_MS) return [];
	const says = `The purchase of ${time(createdAt)} is open, and we no longer ask whether it was paid`;
	return [differs(purchase, says)];
}

/** Finds lines of an account's ledger that contradict the purchases that they name. */
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
		const often = times.get(id) ?? 1;
		return [
			...(credits === agreed
				? []
				: [differs(purchase, `Its line has ${credits} credits, and the purchase says ${agreed}`)]),
			...(often === 1 ? [] : [differs(purchase, `The ledger has its line ${often} times`)]),
			...unnotedFlaws(purchase, at, isGrant, now),
		];
	});
}

/**
 * Finds credits without a note in the purchase. We write the credits first; after a crash in between, the work is
 * soon repeated.
 */
function unnotedFlaws(purchase: PurchaseFacts, at: number, isGrant: boolean, now: number): Found[] {
	const { state } = purchase;
	const isNoted = isGrant ? state !== 'open' && state !== 'ended' : state === 'refunded';
	if (isNoted || now < at + TOLD_AGAIN_MS + GRACE_MS) return [];
	const done = isGrant ? 'granted' : 'taken back';
	const says = `Its credits were ${done} at ${time(at)}, and the purchase is still ${state}`;
	return [differs(purchase, says)];
}

function differs({ id }: PurchaseFacts, says: string): Found {
	return { what: 'purchase_differs', about: id, says };
}
