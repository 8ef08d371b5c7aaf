import type { Answer } from '../core/dns/resolver.ts';
import { usableAddresses } from '../core/dns/usable-addresses.ts';
import type { AddressPolicy } from '../core/dns/usable-addresses.ts';
import type { Trace } from '../core/verification/trace.ts';
import { CONVERSATION_MS_MIN } from './converse.ts';
import type { Clock, Resolver } from './ports.ts';

interface LookedUp {
	readonly usable: readonly string[];
	/** The name servers did not say. */
	readonly failed: boolean;
}

interface LookUpHostPorts {
	readonly clock: Clock;
	readonly resolver: Pick<Resolver, 'addresses' | 'ipv6Addresses'>;
	readonly addressPolicy: AddressPolicy;
}

/** Where a mail host may be dialled. `late`: too late for a conversation, which proves nothing against the host. */
export async function lookUpHost(
	{ clock, resolver, addressPolicy }: LookUpHostPorts,
	host: string,
	/** Epoch milliseconds. */
	deadline: number,
	trace: Trace,
): Promise<LookedUp | 'late'> {
	const isLate = (): boolean => deadline - clock.now() < CONVERSATION_MS_MIN;
	if (isLate()) return 'late';
	const { found, usable, failed } = await usableAddressesOf(resolver, host, addressPolicy);
	trace({ step: 'host', host, found, usable });
	return usable.length > 0 && isLate() ? 'late' : { usable, failed };
}

/** A host's addresses that may be dialled: of the second family where the first has none. */
async function usableAddressesOf(
	resolver: LookUpHostPorts['resolver'],
	host: string,
	policy: AddressPolicy,
): Promise<{ usable: readonly string[]; found: string; failed: boolean }> {
	const answer = await resolver.addresses(host);
	const usable = answer.kind === 'records' ? usableAddresses(answer.records, policy) : [];
	if (answer.kind !== 'records' || usable.length > 0) {
		return { usable, found: foundWords(answer), failed: answer.kind === 'failed' };
	}
	const v6 = await resolver.ipv6Addresses(host);
	return {
		usable: v6.kind === 'records' ? usableAddresses(v6.records, policy) : [],
		found: `${foundWords(answer)}; ${foundWords(v6)}`,
		failed: v6.kind === 'failed',
	};
}

function foundWords(answer: Answer<string>): string {
	return answer.kind === 'records' ? answer.records.join(', ') : answer.kind;
}
