import { ServiceError } from '../../errors.ts';
import { describeError, log } from '../../lib/log.ts';
import type { AccountStore, Accounts } from '../../operations/accounts/port.ts';
import type { Admissions } from '../../operations/verify/port.ts';
import type { JobStore } from '../../operations/jobs/port.ts';
import type { Account } from './account.ts';

/** How the platform marks what went wrong between us and the object. */
interface ObjectError {
	readonly retryable?: boolean;
	readonly overloaded?: boolean;
}

/** The accounts behind their objects' RPC. A broken call is repeated once with a new stub: every call may be repeated. */
export function accountsOf(namespace: DurableObjectNamespace<Account>): Accounts {
	return (accountId) => {
		async function call<T>(method: (stub: AccountStore & Admissions & JobStore) => Promise<T>): Promise<T> {
			try {
				return await method(namespace.getByName(accountId));
			} catch (error) {
				const { retryable = false, overloaded = false } = error as ObjectError;
				if (!retryable || overloaded) throw unavailable(accountId, error);
			}
			try {
				return await method(namespace.getByName(accountId));
			} catch (error) {
				throw unavailable(accountId, error);
			}
		}
		return {
			open: (request) => call((stub) => stub.open(request)),
			admit: (request) => call((stub) => stub.admit(request)),
			settle: (request) => call((stub) => stub.settle(request)),
			grant: (request) => call((stub) => stub.grant(request)),
			setLimits: (limits) => call((stub) => stub.setLimits(limits)),
			revokeKey: (request) => call((stub) => stub.revokeKey(request)),
			show: () => call((stub) => stub.show()),
			createKey: (request) => call((stub) => stub.createKey(request)),
			listLedger: (request) => call((stub) => stub.listLedger(request)),
			usageSince: (from) => call((stub) => stub.usageSince(from)),
			suspend: (request) => call((stub) => stub.suspend(request)),
			close: (request) => call((stub) => stub.close(request)),
			openJob: (request) => call((stub) => stub.openJob(request)),
			findJob: (jobId) => call((stub) => stub.findJob(jobId)),
			findAnswer: (request) => call((stub) => stub.findAnswer(request)),
			tasksOf: (jobId) => call((stub) => stub.tasksOf(jobId)),
			listJobs: (request) => call((stub) => stub.listJobs(request)),
			claimPart: (request) => call((stub) => stub.claimPart(request)),
			renewPart: (request) => call((stub) => stub.renewPart(request)),
			settlePart: (request) => call((stub) => stub.settlePart(request)),
			postponePart: (request) => call((stub) => stub.postponePart(request)),
			completeJob: (request) => call((stub) => stub.completeJob(request)),
			inspectJob: (request) => call((stub) => stub.inspectJob(request)),
			retryJob: (request) => call((stub) => stub.retryJob(request)),
			failJob: (request) => call((stub) => stub.failJob(request)),
			claimsOf: (request) => call((stub) => stub.claimsOf(request)),
		};
	};
}

function unavailable(accountId: string, cause: unknown): ServiceError {
	log('account_call_failed', { accountId, ...describeError(cause) });
	return new ServiceError('upstream_unavailable', 'The account is temporarily unavailable', { cause });
}
