import { viewOfBalance } from '../../core/credits/balance.ts';
import type { KeyView, NewKey, StoredKey } from '../../core/keys/key.ts';
import { isExpired } from '../../core/keys/scopes.ts';
import { addUsage } from '../../core/credits/usage.ts';
import type { KeyUsage } from '../../core/credits/usage.ts';
import { DEFAULT_LIMITS } from '../../core/rate-limit/window.ts';
import { assert } from '../../lib/assert.ts';
import { equalInConstantTime } from '../../lib/digest.ts';
import type { Sql } from '../sql.ts';
import type { AccountContext } from './context.ts';
import { isShut } from './credits/books.ts';

/** The most valid keys at a time. Revoked and expired ones do not count. */
const KEYS_MAX = 50;

/**
 * Adds a key. Repeating it changes nothing. `ended`: it was created before and has been revoked. `shut`: the account is
 * suspended or closed.
 */
export function createKey({ sql, credits }: AccountContext, { key, now }: { key: NewKey; now: number }) {
	if (isShut(credits.require())) return { kind: 'shut' } as const;
	const existing = findKey(sql, key.id);
	if (existing !== null) {
		assert(equalInConstantTime(existing.secretHash, key.secretHash), 'a key is repeated with its own secret');
		if (existing.revokedAt !== null) return { kind: 'ended' } as const;
		return { kind: 'repeated', key: viewOfKey(existing, null) } as const;
	}
	const active = listKeys(sql).filter((each) => each.revokedAt === null && !isExpired(each, now));
	if (active.length >= KEYS_MAX) return { kind: 'too_many', max: KEYS_MAX } as const;
	return { kind: 'created', key: viewOfKey(addKey(sql, key, now), null) } as const;
}

export function addKey(sql: Sql, key: NewKey, now: number): StoredKey {
	const stored = { ...key, createdAt: now, revokedAt: null };
	sql.insert('keys', stored);
	return stored;
}

/** Changes a key's label, also where the ledger names it. False: there is no such key. */
export function renameKey(
	{ sql }: AccountContext,
	{ keyId, label }: { keyId: string; label: string },
): boolean {
	const key = findKey(sql, keyId);
	if (key !== null) sql.update('keys', { id: keyId }, { label });
	return key !== null;
}

/** Revokes a key. False: there is no such key. */
export function revokeKey({ sql }: AccountContext, { keyId, now }: { keyId: string; now: number }): boolean {
	const key = findKey(sql, keyId);
	if (key === null) return false;
	if (key.revokedAt === null) sql.update('keys', { id: keyId }, { revokedAt: now });
	return true;
}

/** All keys and their usage so far. */
export function showKeys({ sql, credits }: AccountContext): readonly KeyView[] {
	const state = credits.read();
	if (state === null) return [];
	const usage = new Map<string, KeyUsage>(Object.entries(state.today.keys));
	for (const { keyId, usage: before } of credits.usageSoFar()) {
		const known = usage.get(keyId);
		usage.set(keyId, known === undefined ? before : addUsage(known, before));
	}
	return listKeys(sql).map((key) => viewOfKey(key, usage.get(key.id) ?? null));
}

/** The account with all its keys. */
export function showAccount(account: AccountContext) {
	const state = account.credits.require();
	const { suspendedAt, closedAt } = state;
	const limits = { ...DEFAULT_LIMITS, ...state.limits };
	return { suspendedAt, closedAt, balance: viewOfBalance(state), limits, keys: showKeys(account) };
}

/** The usage of each key, or of one, on each day from `from` on. */
export function usageSince({ credits }: AccountContext, from: string, keyId?: string) {
	const { today } = credits.require();
	const running = Object.entries(today.keys).map(([id, usage]) => ({ day: today.day, keyId: id, usage }));
	const all = [...credits.usageSince(from), ...running.filter(({ day }) => day >= from)];
	return keyId === undefined ? all : all.filter((usage) => usage.keyId === keyId);
}

/** Revokes all keys for good, and removes their labels, which the owner wrote. */
export function endKeys(sql: Sql, now: number): void {
	sql.rows("UPDATE keys SET label = '', revokedAt = COALESCE(revokedAt, ?)", now);
}

export function findKey(sql: Sql, keyId: string): StoredKey | null {
	return sql.first<StoredKey>('SELECT * FROM keys WHERE id = ?', keyId);
}

export function listKeys(sql: Sql): readonly StoredKey[] {
	return sql.all<StoredKey>('SELECT * FROM keys ORDER BY createdAt, id');
}

function viewOfKey({ secretHash: _hash, ...key }: StoredKey, usage: KeyUsage | null): KeyView {
	return { ...key, revoked: key.revokedAt !== null, usage };
}
