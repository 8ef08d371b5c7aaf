import { expect, test } from 'vitest';
import {
	FORMER_SECRET_MS,
	rotated,
	signingSecretsOf,
	webhookSecret,
} from '../../../src/core/webhooks/secret.ts';

const NOW = 1_800_000_000_000;
const first = { version: 1, secret: new Uint8Array(32).fill(1) };
const second = { version: 2, secret: new Uint8Array(32).fill(2) };
const owner = { accountId: 'acc_1', webhookId: 'whk_1' };

test('a secret has the form of Standard Webhooks, with 32 bytes', () => {
	const secret = webhookSecret(first, owner, 'salt');
	expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
	expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
});

test('each endpoint, account, salt and service has a secret of its own', () => {
	const secrets = [
		webhookSecret(first, owner, 'salt'),
		webhookSecret(second, owner, 'salt'),
		webhookSecret(first, owner, 'other'),
		webhookSecret(first, { ...owner, webhookId: 'whk_2' }, 'salt'),
		webhookSecret(first, { ...owner, accountId: 'acc_2' }, 'salt'),
	];
	expect(new Set(secrets).size).toBe(secrets.length);
	expect(webhookSecret(first, owner, 'salt')).toBe(secrets[0]);
});

test('after a rotation both secrets sign for a day, the new one first, and then it alone', () => {
	const before = rotated([], { version: 1, salt: 'a' }, NOW);
	const after = rotated(before, { version: 2, salt: 'b' }, NOW);
	const secretsAt = (now: number) => signingSecretsOf([second, first], owner, after, now);
	const [a, b] = [webhookSecret(first, owner, 'a'), webhookSecret(second, owner, 'b')];
	expect(secretsAt(NOW + FORMER_SECRET_MS - 1)).toEqual([b, a]);
	expect(secretsAt(NOW + FORMER_SECRET_MS)).toEqual([b]);
	expect(rotated(after, { version: 2, salt: 'c' }, NOW).map(({ salt }) => salt)).toEqual(['c', 'b']);
});

test("a secret whose version the service no longer has can't sign", () => {
	const refs = rotated([], { version: 1, salt: 'a' }, NOW);
	expect(signingSecretsOf([second], owner, refs, NOW)).toEqual([]);
});
