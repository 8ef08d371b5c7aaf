import { SCOPES } from '../../../src/core/keys/scopes.ts';
import type { OwnKey } from '../../../src/operations/accounts/keys.ts';
import { NOW } from './samples.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

const LIVE = { accountId: 'acc_1', mode: 'live' } as const;

export const keys: readonly OwnKey[] = [
	{
		id: 'k1',
		version: 1,
		...LIVE,
		label: 'Sign-up form',
		createdAt: NOW - 40 * DAY,
		revoked: false,
		revokedAt: null,
		ending: 'x7Kq',
		scopes: SCOPES,
		expiresAt: null,
		usage: {
			requests: 12_044,
			credits: 11_310,
			outcomes: { deliverable: 9_000, undeliverable: 2_000, risky: 310, unknown: 734 },
			lastUsedAt: NOW - 2 * MINUTE,
		},
	},
	{
		id: 'k2',
		version: 1,
		...LIVE,
		label: 'CRM import, nightly',
		createdAt: NOW - 2 * DAY,
		revoked: false,
		revokedAt: null,
		ending: 'a0Zb',
		scopes: ['lists', 'read'],
		expiresAt: NOW + 20 * DAY,
		usage: null,
	},
	{
		id: 'k3',
		version: 1,
		...LIVE,
		label: 'Old website',
		createdAt: NOW - 200 * DAY,
		revoked: true,
		revokedAt: NOW - 30 * DAY,
		ending: 'mQ2e',
		scopes: SCOPES,
		expiresAt: null,
		usage: {
			requests: 310,
			credits: 300,
			outcomes: { deliverable: 300, undeliverable: 0, risky: 0, unknown: 10 },
			lastUsedAt: NOW - 31 * DAY,
		},
	},
	{
		id: 'k4',
		version: 1,
		accountId: 'test_1',
		mode: 'test',
		label: 'Integration tests',
		createdAt: NOW - 12 * DAY,
		revoked: false,
		revokedAt: null,
		ending: 'T9cd',
		scopes: SCOPES,
		expiresAt: null,
		usage: {
			requests: 4_410,
			credits: 4_002,
			outcomes: { deliverable: 3_600, undeliverable: 402, risky: 0, unknown: 408 },
			lastUsedAt: NOW - 3 * MINUTE,
		},
	},
];
