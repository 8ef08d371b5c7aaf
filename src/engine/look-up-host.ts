import type { Answer } from '../core/dns/resolver.ts';
import { usableAddresses } from '../core/dns/usable-addresses.ts';
import type { AddressPolicy } from '../core/dns/usable-addresses.ts';
import type { Resolver } from './ports.ts';
import type { QuestionHost } from './question.ts';

export interface LookUpHostPorts {
	readonly resolver: Pick<Resolver, 'addresses' | 'ipv6Addresses'>;
	/** Which addresses of mail hosts may be dialled. */
	readonly addressPolicy: AddressPolicy;
}

/** Where a mail host may be dialled: at its addresses of the second family where the first has none. */
export async function lookUpHost(
	{ resolver, addressPolicy }: LookUpHostPorts,
	name: string,
): Promise<QuestionHost & { readonly found: string }> {
	const answer = await resolver.addresses(name);
	const usable = answer.kind === 'records' ? usableAddresses(answer.records, addressPolicy) : [];
	if (answer.kind !== 'records' || usable.length > 0) {
		return { name, addresses: usable, found: foundWords(answer), failed: answer.kind === 'failed' };
	}
	const v6 = await resolver.ipv6Addresses(name);
	return {
		name,
		addresses: v6.kind === 'records' ? usableAddresses(v6.records, addressPolicy) : [],
		found: `${foundWords(answer)}; ${foundWords(v6)}`,
		failed: v6.kind === 'failed',
	};
}

function foundWords(answer: Answer<string>): string {
	return answer.kind === 'records' ? answer.records.join(', ') : answer.kind;
}
