import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { expiresAtOf, isExpired, isInScope, READING } from '../../../src/core/keys/scopes.ts';
import type { NeededScopes } from '../../../src/core/keys/scopes.ts';
import { ENDPOINTS } from '../../../src/http/app.ts';
import { COPY, operationsOf } from '../../support/openapi/document.ts';
import type { Document } from '../../support/openapi/document.ts';

// Every call of the API, so that a new one is not forgotten.
const BY_SCOPE: readonly (readonly [NeededScopes, string])[] = [
	['any key', 'GET /v1/credits'],
	[['verify'], 'POST /v1/verify, POST /v1/feedback, POST /v1/domains'],
	[
		['lists'],
		'POST /v1/verify-batch, POST /v1/jobs/{jobId}/finish, DELETE /v1/jobs/{jobId}, POST /v1/catchall',
	],
	[['lists'], 'POST /v1/webhooks, PATCH /v1/webhooks, PATCH /v1/webhooks/{webhookId}'],
	[['lists'], 'DELETE /v1/webhooks/{webhookId}, POST /v1/webhooks/{webhookId}/rotate-secret'],
	[['lists'], 'POST /v1/webhooks/{webhookId}/test'],
	[['lists'], 'POST /v1/webhooks/{webhookId}/deliveries/{eventId}/replay'],
	[
		READING,
		'GET /v1/jobs, GET /v1/jobs/{jobId}, GET /v1/jobs/{jobId}/results, GET /v1/jobs/{jobId}/download',
	],
	[READING, 'GET /v1/jobs/{jobId}/rejected, GET /v1/catchall, GET /v1/catchall/{taskId}'],
	[READING, 'GET /v1/catchall/{taskId}/results, GET /v1/catchall/{taskId}/download, GET /v1/webhooks'],
	[READING, 'GET /v1/webhooks/{webhookId}, GET /v1/webhooks/{webhookId}/deliveries'],
];
const CALLS = Object.fromEntries(
	BY_SCOPE.flatMap(([scopes, calls]) => calls.split(', ').map((call) => [call, scopes] as const)),
);

const documented = operationsOf(JSON.parse(readFileSync(COPY, 'utf8')) as Document);

describe('a call', () => {
	test('is named above exactly where it is documented', () => {
		expect(documented.map(([name]) => name).toSorted()).toEqual(Object.keys(CALLS).toSorted());
	});

	test.each(documented)('%s needs the scope that its 403 speaks of', (name, { responses }) => {
		const served = ENDPOINTS.find(({ call }) => call === name);
		expect(served?.scopes).toEqual(CALLS[name]);
		expect('403' in responses).toBe(CALLS[name] !== 'any key');
	});

	test('is open to a key with one of its scopes, and to no other', () => {
		expect(isInScope(['read'], READING)).toBe(true);
		expect(isInScope(['lists'], READING)).toBe(true);
		expect(isInScope(['verify'], READING)).toBe(false);
		expect(isInScope([], READING)).toBe(false);
		expect(isInScope(['read'], [])).toBe(false);
		expect(isInScope([], 'any key')).toBe(true);
	});
});

describe('a key that ends', () => {
	const NOW = Date.UTC(2026, 10, 22, 12);
	const DAY = 86_400_000;

	test.each([
		['never', '', null],
		['never', '2020-01-01', null],
		['30', '', NOW + 30 * DAY],
		['90', 'nonsense', NOW + 90 * DAY],
		['date', '2026-11-22', Date.UTC(2026, 10, 23)],
		['date', '2026-11-21', undefined],
		['date', '2036-11-28', Date.UTC(2036, 10, 29)],
		['date', '2036-12-01', undefined],
		['date', '2027-02-29', undefined],
		['date', '', undefined],
		['date', '22.11.2026', undefined],
	] as const)('%s %j ends at %s', (expiry, date, end) => {
		expect(expiresAtOf(expiry, date, NOW)).toBe(end);
	});

	test('is accepted to the last millisecond, and not in the next', () => {
		expect(isExpired({ expiresAt: NOW }, NOW - 1)).toBe(false);
		expect(isExpired({ expiresAt: NOW }, NOW)).toBe(true);
		expect(isExpired({ expiresAt: null }, Number.MAX_SAFE_INTEGER)).toBe(false);
	});
});
