import { isExpired } from '../../core/keys/scopes.ts';
import { addUsage } from '../../core/credits/usage.ts';
import type { KeyUsage } from '../../core/credits/usage.ts';
import { DEFAULT_LIMITS } from '../../core/rate-limit/window.ts';
import { assert } from '../../lib/assert.ts';
import { equalInConstantTime } from '../../lib/digest.ts';
import type {
	AccountView,
	CreateKeyResult,
	DayOfKey,
	KeyView,
	NewKey,
} from '../../operations/accounts/port.ts';
import type { Sql } from '../sql.ts';
import type { AccountContext } from './context.ts';
import { requireState, viewOfBalance } from './credits/books.ts';
import { isAccountShut } from './suspension.ts';

/** The most valid keys at a time. Revoked and expired ones do not count. */
const KEYS_MAX = 50;

/** A row of the table of keys. Times are epoch milliseconds. */
export interface StoredKey extends NewKey {
	readonly createdAt: number;
	readonly revokedAt: number | null;
}

/** The record of a new key. */
export function newKey(key: NewKey, now: number): StoredKey {
	return { ...key, createdAt: now, revokedAt: null };
}

/** Adds a key. Repeating it changes nothing. */
export function createKey(
	{ sql, credits }: AccountContext,
	{ key, now }: { key: NewKey; now: number },
): CreateKeyResult {
	requireState(credits);
	if (isAccountShut(sql)) return { kind: 'shut' };
	const existing = findKey(sql, key.id);
	if (existing !== null) {
		assert(equalInConstantTime(existing.secretHash, key.secretHash), 'a key is repeated with its own secret');
		if (existing.revokedAt !== null) return { kind: 'ended' };
		return { kind: 'repeated', key: viewOfKey(existing, null) };
	}
	const active = listKeys(sql).filter((each) => each.revokedAt === null && !isExpired(each, now));
	if (active.length >= KEYS_MAX) return { kind: 'too_many', max: KEYS_MAX };
	const stored = newKey(key, now);
	writeKey(sql, stored);
	return { kind: 'created', key: viewOfKey(stored, null) };
}

/** Changes a key's label, also where the ledger names it. False: there is no such key. */
export function renameKey(
	{ sql, credits }: AccountContext,
	{ keyId, label }: { keyId: string; label: string },
): boolean {
	const key = credits.exists ? findKey(sql, keyId) : null;
	if (key !== null) writeKey(sql, { ...key, label });
	return key !== null;
}

/** Revokes a key. False: there is no such key. */
export function revokeKey(
	{ sql, credits }: AccountContext,
	{ keyId, now }: { keyId: string; now: number },
): boolean {
	const key = credits.exists ? findKey(sql, keyId) : null;
	if (key === null) return false;
	if (key.revokedAt === null) writeKey(sql, { ...key, revokedAt: now });
	return true;
}

/** All keys and their usage so far. */
export function showKeys({ sql, credits }: AccountContext): readonly KeyView[] {
	if (!credits.exists) return [];
	const state = requireState(credits);
	const usage = new Map<string, KeyUsage>(Object.entries(state.today.keys));
	for (const { keyId, usage: before } of credits.usageSoFar()) {
		const known = usage.get(keyId);
		usage.set(keyId, known === undefined ? before : addUsage(known, before));
	}
	return listKeys(sql).map((key) => viewOfKey(key, usage.get(key.id) ?? null));
}

/** The account with all its keys. */
export function showAccount(account: AccountContext): AccountView {
	const state = requireState(account.credits);
	const { suspendedAt, closedAt } = state;
	return {
		suspendedAt,
		closedAt,
		balance: viewOfBalance(state),
		limits: { ...DEFAULT_LIMITS, ...state.limits },
		keys: showKeys(account),
	};
}

/** The usage of each key on each day from `from` on. */
export function usageSince({ credits }: AccountContext, from: string): readonly DayOfKey[] {
	const { today } = requireState(credits);
	const running = Object.entries(today.keys).map(([keyId, usage]) => ({ day: today.day, keyId, usage }));
	return [...credits.usageSince(from), ...running.filter(({ day }) => day >= from)];
}

/** Revokes all keys for good, and removes their labels, which the owner wrote. */
export function endKeys(sql: Sql, now: number): void {
	for (const key of listKeys(sql)) writeKey(sql, { ...key, label: '', revokedAt: key.revokedAt ?? now });
}

export function findKey(sql: Sql, keyId: string): StoredKey | null {
	return sql.first<StoredKey>('SELECT * FROM keys WHERE id = ?', keyId);
}

export function listKeys(sql: Sql): readonly StoredKey[] {
	return sql.all<StoredKey>('SELECT * FROM keys ORDER BY createdAt, id');
}

export function writeKey(sql: Sql, key: StoredKey): void {
	sql.put('keys', key);
}

/** The hash of its secret never leaves the object. */
function viewOfKey(key: StoredKey, usage: KeyUsage | null): KeyView {
	const { id, version, label, ending, scopes, expiresAt, createdAt, revokedAt } = key;
	const fields = { id, version, label, ending, scopes, expiresAt, createdAt, revokedAt };
	return { ...fields, revoked: revokedAt !== null, usage };
}
