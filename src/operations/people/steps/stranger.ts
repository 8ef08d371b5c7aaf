import { isWorkDone, workKey } from '../../../core/identity/proof-of-work.ts';
import type { Work } from '../../../core/identity/proof-of-work.ts';
import { networkOf } from '../../../lib/ip-address.ts';
import type { Stranger } from '../../../lib/waiting-line.ts';
import type { IdentityServices } from '../port.ts';

export interface StrangersForm {
	readonly client: string;
	readonly formId: string;
	/** Null: the browser runs no scripts, or was too fast for them. */
	readonly work: Work | null;
}

const ONCE = { limit: 1, windowMs: 24 * 3_600_000 };

/** A stranger for the line of passwords. The work of a form counts once, so each attempt costs its own. */
export async function strangerOf(
	{ attempts, clock }: Pick<IdentityServices, 'attempts' | 'clock'>,
	{ client, formId, work }: StrangersForm,
): Promise<Stranger> {
	const network = networkOf(client);
	if (work === null || !isWorkDone(work)) return { network, hasWorked: false };
	const { admitted } = await attempts.count(workKey(formId), ONCE, clock.now());
	return { network, hasWorked: admitted };
}
