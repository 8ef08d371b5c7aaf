import type { TestAccount } from '../support/service.ts';
import type { Told } from './books.ts';

/** An account, and what its owner was told. */
export class Customer {
	readonly calls: number[] = [];
	readonly jobs = new Set<string>();
	readonly tasks = new Set<string>();
	unanswered = 0;
	#keys = 0;
	readonly name: string;
	readonly accountId: string;
	readonly apiKey: string;
	readonly purchased: number;

	constructor(name: string, { accountId, apiKey }: TestAccount, purchased: number) {
		this.name = name;
		this.accountId = accountId;
		this.apiKey = apiKey;
		this.purchased = purchased;
	}

	/** A key that was never used. */
	newKey(): string {
		this.#keys += 1;
		return `${this.name}-${this.#keys}`;
	}

	/** One of the ids, by a number between 0 and 1; the newest are likelier. */
	pick(ids: ReadonlySet<string>, choice: number): string | null {
		const all = [...ids];
		return all[Math.floor(Math.sqrt(choice) * all.length)] ?? null;
	}

	get told(): Told {
		const { purchased, calls, unanswered } = this;
		return { purchased, calls, unanswered, accepted: new Set([...this.jobs, ...this.tasks]) };
	}
}
