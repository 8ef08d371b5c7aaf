import { addUsage } from '../../core/credits/usage.ts';
import type { KeyUsage } from '../../core/credits/usage.ts';
import { DEFAULT_LIMITS } from '../../core/rate-limit/policy.ts';
import { assert } from '../../lib/assert.ts';
import { equalInConstantTime } from '../../lib/constant-time.ts';
import type {
	AccountView,
	CreateKeyResult,
	DayOfKey,
	KeyView,
	NewKey,
} from '../../operations/accounts/port.ts';
import { requireState, viewOfBalance } from './credits/books.ts';
import { isShut, readStanding } from './standing.ts';
import type { AccountStorage, StoredKey } from './credits/storage.ts';
import type { Sql } from '../sql.ts';

/** Keys that open the door at the same time. Ended ones do not count. */
const KEYS_MAX = 50;

/** Adds a key. The same one again changes nothing. */
export function createKey(
	{ sql, storage }: { sql: Sql; storage: AccountStorage },
	{ key, now }: { key: NewKey; now: number },
): CreateKeyResult {
	requireState(storage);
	if (isShut(sql)) return { kind: 'shut' };
	const existing = storage.findKey(key.id);
	if (existing !== null) {
		assert(equalInConstantTime(existing.secretHash, key.secretHash), 'a key is repeated with its own secret');
		if (existing.revokedAt !== null) return { kind: 'ended' };
		return { kind: 'repeated', key: viewOfKey(existing, null) };
	}
	const active = storage.listKeys().filter(({ revokedAt }) => revokedAt === null);
	if (active.length >= KEYS_MAX) return { kind: 'too_many', max: KEYS_MAX };
	const stored = { ...key, createdAt: now, revokedAt: null };
	storage.writeKey(stored);
	return { kind: 'created', key: viewOfKey(stored, null) };
}

/** Ends a key. False: there is none. */
export function revokeKey(storage: AccountStorage, keyId: string, now: number): boolean {
	const key = storage.exists ? storage.findKey(keyId) : null;
	if (key === null) return false;
	if (key.revokedAt === null) storage.writeKey({ ...key, revokedAt: now });
	return true;
}

/** The account with all its keys and what each of them did so far. */
export function showAccount(sql: Sql, storage: AccountStorage): AccountView {
	const state = requireState(storage);
	const usage = new Map<string, KeyUsage>(Object.entries(state.today.keys));
	for (const { keyId, usage: day } of storage.archivedUsage()) {
		const known = usage.get(keyId);
		usage.set(keyId, known === undefined ? day : addUsage(known, day));
	}
	return {
		suspendedAt: readStanding(sql).suspendedAt,
		balance: viewOfBalance(state),
		limits: { ...DEFAULT_LIMITS, ...state.limits },
		keys: storage.listKeys().map((key) => viewOfKey(key, usage.get(key.id) ?? null)),
	};
}

/** What each key did on each day from `from` on. */
export function usageSince(storage: AccountStorage, from: string): readonly DayOfKey[] {
	const { today } = requireState(storage);
	const running = Object.entries(today.keys).map(([keyId, usage]) => ({ day: today.day, keyId, usage }));
	return [...storage.archivedUsage(), ...running].filter(({ day }) => day >= from);
}

function viewOfKey({ id, label, createdAt, revokedAt }: StoredKey, usage: KeyUsage | null): KeyView {
	return { id, label, createdAt, revokedAt, revoked: revokedAt !== null, usage };
}
