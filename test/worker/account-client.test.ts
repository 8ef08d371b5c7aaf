import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '../../src/durable-objects/account/client.ts';
import { ServiceError } from '../../src/errors.ts';
import { KEY } from '../support/account-jobs.ts';

// The way to an account's object: what can be asked of it, and what becomes of calls that break.

const grantOf = (credits: number) => ({ id: 'order-1', credits, now: 1_000 });

/** Accounts whose calls break as told, one after the other, before any gets through; and who was asked. */
function accountsBehind(...failures: readonly object[]) {
	const left = [...failures];
	const stubs: string[] = [];
	const hints: unknown[] = [];
	const namespace = {
		getByName: (name: string, where?: unknown) => {
			stubs.push(name);
			hints.push(where);
			const failure = left.shift();
			const broken = { grant: () => Promise.reject(Object.assign(new Error('broken'), failure)) };
			return failure === undefined ? env.ACCOUNT.getByName(name) : broken;
		},
	};
	return { accounts: accountsOf(namespace as unknown as typeof env.ACCOUNT), stubs, hints };
}

async function openAccount(name: string): Promise<string> {
	await env.ACCOUNT.getByName(name).open({ now: 1_000, initialCredits: 0, key: KEY });
	return name;
}

test('an account is made where it is said, and near its first caller where nothing is', async () => {
	const { accounts, hints } = accountsBehind();
	const key = { now: 1_000, initialCredits: 0, key: KEY };
	await accounts('acc_client_in_oceania', 'oc').open(key);
	await accounts('acc_client_anywhere').open(key);
	expect(hints).toEqual([{ locationHint: 'oc' }, {}]);
});

// Workerd on this machine knows no jurisdictions, so a namespace stands in that remembers which one it was asked for.
test('with a jurisdiction, every account is looked for within it, and made there wherever else it was to be', async () => {
	const asked: unknown[] = [];
	const everywhere = {
		jurisdiction: (jurisdiction: string) => ({
			getByName: (name: string, where: unknown) => {
				asked.push([jurisdiction, name, where]);
				return env.ACCOUNT.getByName(`${jurisdiction}/${name}`);
			},
		}),
	};
	const within = accountsOf(everywhere as unknown as typeof env.ACCOUNT, 'eu');
	await within('acc_client_in_europe', 'oc').open({ now: 1_000, initialCredits: 7, key: KEY });
	expect(await within('acc_client_in_europe').keys()).toHaveLength(1);
	expect(asked).toEqual([
		['eu', 'acc_client_in_europe', {}],
		['eu', 'acc_client_in_europe', {}],
	]);
	// Under the same name elsewhere stands nobody.
	expect(await accountsOf(env.ACCOUNT)('acc_client_in_europe').keys()).toEqual([]);
});

describe('a call of an account', () => {
	test('that breaks on its way is made once more, with a new stub, and is done once', async () => {
		const name = await openAccount('acc_client_repeated');
		const { accounts, stubs } = accountsBehind({ retryable: true });
		expect(await accounts(name).grant(grantOf(5))).toMatchObject({ kind: 'granted' });
		expect(stubs).toEqual([name, name]);
		expect(await accounts(name).grant(grantOf(5))).toMatchObject({
			kind: 'repeated',
			balance: { totalPurchased: 5 },
		});
	});

	test.each([
		['of an overloaded object', [{ retryable: true, overloaded: true }], 1],
		['that failed inside', [{}], 1],
		['that breaks twice', [{ retryable: true }, { retryable: true }], 2],
	])('%s ends as unavailable, without the words of the error', async (_, failures, calls) => {
		const { accounts, stubs } = accountsBehind(...failures);
		const refusal: unknown = await accounts('acc_client_out')
			.grant(grantOf(5))
			.catch((error: unknown) => error);
		expect(refusal).toBeInstanceOf(ServiceError);
		expect(refusal).toMatchObject({
			code: 'upstream_unavailable',
			message: 'The account is temporarily unavailable',
		});
		expect(stubs).toHaveLength(calls);
	});
});
