import type { Breakdown } from '../../src/core/catchall/breakdown.ts';
import { SILENT } from '../../src/core/metrics/metrics.ts';
import { addressDigests } from '../../src/core/outcomes/outcome.ts';
import { decidedBy } from '../../src/core/verification/render.ts';
import { listFacts } from '../../src/engine/unasked.ts';
import { ServiceError } from '../../src/errors.ts';
import { findVerification, verifyForOwner } from '../../src/operations/verify/verify-for-owner.ts';
import type { VerifyForOwnerServices } from '../../src/operations/verify/verify-for-owner.ts';
import { makeIdentity, newAddress } from './identity.ts';
import { judgementOf } from './judgement-of.ts';

/** An account whose owner verifies addresses at the dashboard, each of which a mail server accepts. */
export async function ownerWith(credits: number) {
	const identity = makeIdentity();
	const accountId = `acc_owner_${crypto.randomUUID()}`;
	const account = identity.services.accounts(accountId);
	await account.open({ now: identity.time.now, initialCredits: credits, key: null });
	const world: { isOut: boolean; breakdown: Breakdown | null } = { isOut: false, breakdown: null };
	const services = {
		...identity.services,
		metrics: SILENT,
		digestsOf: (...about) => addressDigests(identity.services.signingSecrets, ...about),
		config: { RATE_WINDOW_SECONDS: 900 },
		examineAddresses: async (addresses) => {
			const { isOut, breakdown } = world;
			if (isOut) throw new ServiceError('upstream_unavailable', 'The egress is out');
			const outcome = decidedBy('smtp', 'accepted_email');
			const judgement = breakdown === null ? null : { ...judgementOf('catch_all_valid'), breakdown };
			return addresses.map((address) => ({ lists: listFacts(address), outcome, judgement }));
		},
	} satisfies VerifyForOwnerServices;
	const address = newAddress();
	const ids = new Map<string, string>();
	const verify = async (formId: string, asked = address, with_: VerifyForOwnerServices = services) => {
		const outcome = await verifyForOwner(with_, { accountId }, { address: asked, formId });
		if ('id' in outcome) ids.set(formId, outcome.id);
		return outcome.kind;
	};
	const find = (formId: string) => findVerification(services, { accountId }, { id: ids.get(formId) ?? '' });
	return { account, accountId, address, verify, find, world, services, time: identity.time };
}

export type Owner = Awaited<ReturnType<typeof ownerWith>>;
