import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { expiresAtOf, isExpired, isInScope, READING } from '../../../src/core/keys/scopes.ts';
import type { NeededScopes } from '../../../src/core/keys/scopes.ts';
import { ENDPOINTS } from '../../../src/http/app.ts';

// Every call of the API, so that a new one is not forgotten.
const BY_SCOPE: readonly (readonly [NeededScopes, string])[] = [
	['any key', 'get /v1/credits'],
	[['verify'], 'post /v1/verify, post /v1/feedback, post /v1/domains'],
	[
		['lists'],
		'post /v1/verify-batch, post /v1/jobs/{jobId}/finish, delete /v1/jobs/{jobId}, post /v1/catchall',
	],
	[['lists'], 'post /v1/webhooks, patch /v1/webhooks, patch /v1/webhooks/{webhookId}'],
	[['lists'], 'delete /v1/webhooks/{webhookId}, post /v1/webhooks/{webhookId}/rotate-secret'],
	[['lists'], 'post /v1/webhooks/{webhookId}/test'],
	[['lists'], 'post /v1/webhooks/{webhookId}/deliveries/{eventId}/replay'],
	[
		READING,
		'get /v1/jobs, get /v1/jobs/{jobId}, get /v1/jobs/{jobId}/results, get /v1/jobs/{jobId}/download',
	],
	[READING, 'get /v1/jobs/{jobId}/rejected, get /v1/catchall, get /v1/catchall/{taskId}'],
	[READING, 'get /v1/catchall/{taskId}/results, get /v1/catchall/{taskId}/download, get /v1/webhooks'],
	[READING, 'get /v1/webhooks/{webhookId}, get /v1/webhooks/{webhookId}/deliveries'],
];
const CALLS = Object.fromEntries(
	BY_SCOPE.flatMap(([scopes, calls]) => calls.split(', ').map((call) => [call, scopes] as const)),
);

interface Documented {
	readonly paths: Readonly<Record<string, Readonly<Record<string, { responses: Record<string, unknown> }>>>>;
}
const document = JSON.parse(
	readFileSync(path.join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'),
) as Documented;
const documented = Object.entries(document.paths).flatMap(([url, methods]) =>
	Object.entries(methods).map(([method, { responses }]) => ({ method, url, responses })),
);

describe('a call', () => {
	test('is named above exactly where it is documented', () => {
		expect(documented.map(({ method, url }) => `${method} ${url}`).toSorted()).toEqual(
			Object.keys(CALLS).toSorted(),
		);
	});

	test.each(documented)(
		'$method $url needs the scope that its 403 speaks of',
		({ method, url, responses }) => {
			const needed = CALLS[`${method} ${url}`];
			const served = ENDPOINTS.find(({ route }) => route.method === method && route.path === url);
			expect(served?.scopes).toEqual(needed);
			expect('403' in responses).toBe(needed !== 'any key');
		},
	);

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
