import type { TestAccount } from '../support/service.ts';
import type { Told } from './reckoning.ts';

/** An account, and what its owner was told. */
export class Customer implements Told {
	/** `creditsUsed` of every single call that was answered, each key once. */
	readonly calls: number[] = [];
	/** Jobs that a 202 named, with the addresses of their lists. */
	readonly jobs = new Map<string, readonly string[]>();
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

	/** One of the jobs, by a number between 0 and 1; the newest are likelier. */
	pickJob(choice: number): string | null {
		const all = [...this.jobs.keys()];
		return all[Math.floor(Math.sqrt(choice) * all.length)] ?? null;
	}

	get accepted(): ReadonlySet<string> {
		return new Set([...this.jobs.keys(), ...this.tasks]);
	}
}
