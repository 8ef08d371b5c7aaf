import type { AccountPort, Accounts } from '../../operations/accounts/port.ts';
import { ServiceError } from '../../errors.ts';
import { describeError, log } from '../../lib/log.ts';
import { timed } from '../../lib/invocation.ts';
import type { Account } from './account.ts';

/** How the platform marks what went wrong between us and the object. */
interface ObjectError {
	readonly retryable?: boolean;
	readonly overloaded?: boolean;
}

type Stub = Readonly<Record<keyof AccountPort, (...request: readonly unknown[]) => Promise<unknown>>>;

/** The accounts behind their objects' RPC. A broken call is repeated once with a new stub: every call may be repeated. */
export function accountsOf(
	everywhere: DurableObjectNamespace<Account>,
	jurisdiction?: DurableObjectJurisdiction,
): Accounts {
	// A name inside a jurisdiction is another object's than the same name outside.
	const namespace = jurisdiction === undefined ? everywhere : everywhere.jurisdiction(jurisdiction);
	return (accountId, location) => {
		// The location counts where the object is made, and never again: near the first caller, unless a hint names a
		// place. Inside a jurisdiction the platform chooses: a hint could lead out of it.
		const where = location === undefined || jurisdiction !== undefined ? {} : { locationHint: location };
		const ask = (method: keyof AccountPort, request: readonly unknown[]): Promise<unknown> =>
			timed('account', () => (namespace.getByName(accountId, where) as unknown as Stub)[method](...request));

		async function call(method: keyof AccountPort, request: readonly unknown[]): Promise<unknown> {
			for (let attempt = 1; ; attempt += 1)
				try {
					return await ask(method, request);
				} catch (error) {
					const { retryable = false, overloaded = false } = error as ObjectError;
					if (attempt === 2 || !retryable || overloaded) throw unavailable(accountId, method, error);
				}
		}

		return new Proxy({} as AccountPort, {
			// An account that is awaited is no promise.
			get: (_, method) =>
				method === 'then'
					? undefined
					: (...request: readonly unknown[]) => call(method as keyof AccountPort, request),
		});
	};
}

function unavailable(accountId: string, method: string, cause: unknown): ServiceError {
	log('account_call_failed', { accountId, method, ...describeError(cause) });
	return new ServiceError('upstream_unavailable', 'The account is temporarily unavailable', { cause });
}
