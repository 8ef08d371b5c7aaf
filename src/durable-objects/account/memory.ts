import type { AccountState } from './credits/row.ts';

/** What decides whether a key opens the account. */
export interface Door {
	readonly key: { readonly secretHash: string; readonly revokedAt: number | null } | null;
	/** Suspended or closed. */
	readonly isShut: boolean;
}

// An account has few keys; whoever has more is read again.
const DOORS_MAX = 50;

/**
 * What the object has read or written last of its own account, so that a request need not read it. Nobody else writes
 * there, so it can't be stale, but for what is undone: whoever writes in a transaction that fails forgets all of it.
 * Where a commit fails later, the platform throws the object away, and this with it.
 */
export class AccountMemory {
	state: AccountState | null = null;
	readonly #doors = new Map<string, Door>();

	door(keyId: string): Door | null {
		return this.#doors.get(keyId) ?? null;
	}

	keepDoor(keyId: string, door: Door): void {
		if (this.#doors.size >= DOORS_MAX) this.#doors.clear();
		this.#doors.set(keyId, door);
	}

	forget(): void {
		this.state = null;
		this.#doors.clear();
	}
}
