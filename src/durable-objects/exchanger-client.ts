import { Company } from '../core/exchanger/company.ts';
import { exchangerFor } from '../core/exchanger/shared-hosts.ts';
import type { SharedHosts } from '../core/exchanger/shared-hosts.ts';
import { ServiceError } from '../errors.ts';
import { describeError, log } from '../lib/log.ts';
import type { Conversations, Conversed, Exchangers } from '../engine/conversations-port.ts';
import type { ExchangerAnswer, MailExchangerObject } from './mail-exchanger.ts';

/** The exchangers behind their objects' RPC; where all hosts have one, whoever comes alone asks it too. */
export function exchangersOf(
	namespace: DurableObjectNamespace<MailExchangerObject>,
	shared: SharedHosts,
	/** Epoch milliseconds. */
	clock: { readonly now: () => number },
): Exchangers {
	const company = new Company();
	const askBy = (name: string): Conversations => ({
		hold: async (request): Promise<Conversed | 'unavailable'> => {
			let answer: ExchangerAnswer;
			try {
				answer = await namespace.getByName(name).hold(request);
			} catch (error) {
				// Evicted, restarted or overloaded: the next one to ask finds it again.
				log('exchanger_call_failed', { exchanger: name, ...describeError(error) });
				return 'unavailable';
			}
			if (answer.kind === 'failed') throw new ServiceError(answer.code, answer.message);
			return answer.conversed;
		},
	});
	return {
		forQuestion: (mayDial) => {
			// Once for a question: its second host must not find itself in its own company.
			const accompanied = new Map<string, boolean>();
			return (host, implicit, domain) => {
				const name = exchangerFor(shared, host, implicit, domain);
				if (name === null) return null;
				const isAccompanied = accompanied.get(name) ?? company.joins(name, clock.now());
				accompanied.set(name, isAccompanied);
				return mayDial && shared.kind !== 'all' && !isAccompanied ? null : askBy(name);
			};
		},
	};
}
