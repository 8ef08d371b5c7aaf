import { sum } from '../bench/statistics.ts';

/** What a caller knows of an account from answers alone. */
export interface Told {
	readonly purchased: number;
	/** `creditsUsed` of every single call that was answered, each key once. */
	readonly calls: readonly number[];
	/** Single calls without a key that got no answer, or a 500: each may have been charged a credit. */
	readonly unanswered: number;
	/** Jobs and tasks that a 202 named. */
	readonly accepted: ReadonlySet<string>;
}

/** A job or a task, read at the end. */
export interface EndedWork {
	readonly id: string;
	readonly status: string;
	/** Credits that were set aside for it at first. */
	readonly credits: number;
	readonly creditsReserved: number;
	readonly creditsUsed: number;
	readonly creditsRefunded: number;
}

/** `GET /v1/credits` at the end. */
export interface Balance {
	readonly balance: number;
	readonly availableCredits: number;
	readonly reservedCredits: number;
	readonly totalPurchased: number;
	readonly totalConsumed: number;
}

/** What in an account's books does not add up with what it was told, in words. */
export function faultsInBooks(told: Told, works: readonly EndedWork[], credits: Balance): readonly string[] {
	const faults = works.flatMap(faultsOfWork);
	const found = new Set(works.map(({ id }) => id));
	for (const id of told.accepted) if (!found.has(id)) faults.push(`${id} was accepted and is not there`);
	for (const id of found) if (!told.accepted.has(id)) faults.push(`${id} is there and nobody was told of it`);
	const least = sum(told.calls) + sum(works.map(({ creditsUsed }) => creditsUsed));
	const most = least + told.unanswered;
	if (credits.totalConsumed < least || credits.totalConsumed > most)
		faults.push(
			`${credits.totalConsumed} credits are consumed; the answers say ${least === most ? least : `${least} to ${most}`}`,
		);
	if (credits.totalPurchased !== told.purchased)
		faults.push(`${credits.totalPurchased} credits are purchased, and ${told.purchased} were given`);
	if (credits.reservedCredits !== 0) faults.push(`${credits.reservedCredits} credits are still reserved`);
	if (
		credits.balance !== credits.totalPurchased - credits.totalConsumed ||
		credits.balance !== credits.availableCredits + credits.reservedCredits
	)
		faults.push(`the balance does not add up: ${JSON.stringify(credits)}`);
	return faults;
}

function faultsOfWork(work: EndedWork): string[] {
	const { id, status, credits, creditsReserved, creditsUsed, creditsRefunded } = work;
	const faults: string[] = [];
	if (status !== 'completed') faults.push(`${id} is ${status}`);
	if (status === 'completed' && creditsReserved !== 0)
		faults.push(`${id} still reserves ${creditsReserved} credits`);
	if (creditsReserved + creditsUsed + creditsRefunded !== credits)
		faults.push(
			`${id}: ${creditsReserved} reserved, ${creditsUsed} used and ${creditsRefunded} refunded of ${credits}`,
		);
	return faults;
}
