import type { Address } from '../../../src/core/address/parse-address.ts';
import { ALONE } from '../../../src/engine/case.ts';
import type { ExaminePorts, How } from '../../../src/engine/case.ts';
import { examineAddresses } from '../../../src/engine/examine.ts';
import { examinedOf } from '../../../src/operations/verify/verify-address.ts';
import type { Examined } from '../../../src/operations/verify/verify-address.ts';

/** A single call about an address, by acc_1 unless it says otherwise. */
export async function examineAlone(
	ports: ExaminePorts,
	address: Address,
	how: Partial<How> = {},
): Promise<Examined> {
	const found = await examineAddresses(ports, { budgetMs: 15_000 }, [address], {
		...ALONE,
		asker: 'acc_1',
		...how,
	});
	return examinedOf(address, found, ports.clock.now());
}
