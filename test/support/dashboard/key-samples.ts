import { SCOPES } from '../../../src/core/keys/scopes.ts';
import type { OwnKey } from '../../../src/operations/accounts/keys.ts';
import { DAY, MINUTE, NOW } from './samples.ts';

function usageOf(requests: number, outcomes: readonly [number, number, number, number], ago: number) {
	const [deliverable, undeliverable, risky, unknown] = outcomes;
	const credits = deliverable + undeliverable + risky;
	return {
		requests,
		credits,
		outcomes: { deliverable, undeliverable, risky, unknown },
		lastUsedAt: NOW - ago,
	};
}

const key: OwnKey = {
	id: 'k1',
	version: 1,
	accountId: 'acc_1',
	mode: 'live',
	label: 'Sign-up form',
	createdAt: NOW - 40 * DAY,
	revoked: false,
	revokedAt: null,
	ending: 'x7Kq',
	scopes: SCOPES,
	expiresAt: null,
	usage: usageOf(12_044, [9_000, 2_000, 310, 734], 2 * MINUTE),
};

export const keys: readonly OwnKey[] = [
	key,
	{
		...key,
		id: 'k2',
		label: 'CRM import, nightly',
		createdAt: NOW - 2 * DAY,
		scopes: ['lists', 'read'],
		expiresAt: NOW + 20 * DAY,
		usage: null,
	},
	{
		...key,
		id: 'k3',
		label: 'Old website',
		revoked: true,
		revokedAt: NOW - 30 * DAY,
		usage: usageOf(310, [300, 0, 0, 10], 31 * DAY),
	},
	{
		...key,
		id: 'k4',
		accountId: 'test_1',
		mode: 'test',
		label: 'Integration tests',
		ending: 'T9cd',
		usage: usageOf(4_410, [3_600, 402, 0, 408], 3 * MINUTE),
	},
];
