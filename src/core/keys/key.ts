import type { KeyUsage } from '../credits/usage.ts';
import type { Scope } from './scopes.ts';

/** A key as its account stores it. Times are epoch milliseconds. */
export interface StoredKey {
	readonly id: string;
	readonly secretHash: string;
	/** The version of the service's secret that signed it. */
	readonly version: number;
	readonly label: string;
	/** The last characters of the key, by which people recognise it. */
	readonly ending: string;
	readonly scopes: readonly Scope[];
	/** From when on it is refused; null: never. */
	readonly expiresAt: number | null;
	readonly createdAt: number;
	readonly revokedAt: number | null;
}

export type NewKey = Omit<StoredKey, 'createdAt' | 'revokedAt'>;

/** A key as it is shown: the hash of its secret never leaves the account's object. */
export interface KeyView extends Omit<StoredKey, 'secretHash'> {
	readonly revoked: boolean;
	readonly usage: KeyUsage | null;
}
