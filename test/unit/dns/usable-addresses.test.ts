import { expect, test } from 'vitest';
import { usableAddresses } from '../../../src/core/dns/find-mail-exchangers.ts';
import type { AddressPolicy } from '../../../src/core/dns/find-mail-exchangers.ts';
import { parseAddressBlock } from '../../../src/lib/ip-address.ts';

const FOUND = ['10.0.0.1', '8.8.8.8', '127.0.0.1', 'not an address', '198.18.0.5', '::1', '2606:4700::1'];

function allowing(...blocks: string[]): AddressPolicy {
	const alsoAllowed = blocks.map(parseAddressBlock).filter((block) => block !== null);
	return { kind: 'public_only', alsoAllowed };
}

test.each<[string, AddressPolicy, readonly string[]]>([
	['only public addresses are dialled, in their order', allowing(), ['8.8.8.8', '2606:4700::1']],
	[
		'and blocks that the operator allowed',
		allowing('198.18.0.0/15', '::1/128'),
		['8.8.8.8', '198.18.0.5', '::1', '2606:4700::1'],
	],
	['or all that are addresses', { kind: 'any' }, FOUND.filter((address) => address !== 'not an address')],
])('%s', (_, policy, usable) => {
	expect(usableAddresses(FOUND, policy)).toEqual(usable);
});
