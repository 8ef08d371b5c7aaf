import { env } from 'cloudflare:workers';
import type { Breakdown } from '../../src/core/catchall/breakdown.ts';
import { SILENT } from '../../src/core/metrics/metrics.ts';
import { addressDigests } from '../../src/core/outcomes/outcome.ts';
import { decidedBy, renderResult } from '../../src/core/verification/render.ts';
import { listFacts } from '../../src/engine/examine-address.ts';
import { ServiceError } from '../../src/errors.ts';
import type { VerifiedAddresses } from '../../src/operations/verify/history-port.ts';
import { verifyForOwner } from '../../src/operations/verify/verify-for-owner.ts';
import type { VerifyForOwnerServices } from '../../src/operations/verify/verify-for-owner.ts';
import { R2VerifiedAddresses } from '../../src/storage/verify.ts';
import { makeIdentity, newAddress } from './identity.ts';

/** An account whose owner verifies addresses at the dashboard, each of which a mail server accepts. */
export async function ownerWith(credits: number) {
	const identity = makeIdentity();
	const accountId = `acc_owner_${crypto.randomUUID()}`;
	const account = identity.services.accounts(accountId);
	await account.open({ now: identity.time.now, initialCredits: credits, key: null });
	const world: { isOut: boolean; breakdown: Breakdown | null } = { isOut: false, breakdown: null };
	const verifiedAddresses = new R2VerifiedAddresses(env.BLOBS);
	const addresses = async () =>
		(await env.BLOBS.list({ prefix: `verifications/${accountId}/` })).objects.length;
	const services: VerifyForOwnerServices & { verifiedAddresses: VerifiedAddresses } = {
		...identity.services,
		verifiedAddresses,
		metrics: SILENT,
		digestsOf: (of, address) => addressDigests([identity.services.signing], of, address),
		config: { RATE_WINDOW_SECONDS: 900 },
		examine: async (address) => {
			if (world.isOut) throw new ServiceError('upstream_unavailable', 'The egress is out');
			const outcome = decidedBy('smtp', 'accepted_email');
			return {
				result: renderResult(address, listFacts(address), outcome, identity.time.now),
				breakdown: world.breakdown,
			};
		},
	};
	const address = newAddress();
	const ids = new Map<string, string>();
	const verify = async (formId: string, asked = address) => {
		const outcome = await verifyForOwner(services, { accountId }, { address: asked, formId });
		if ('id' in outcome) ids.set(formId, outcome.id);
		if (outcome.kind === 'begun') await outcome.ended;
		return outcome.kind;
	};
	const find = async (formId: string) =>
		account.findVerification({ id: ids.get(formId) ?? formId, now: identity.time.now });
	return { account, accountId, addresses, address, verify, find, world, services, time: identity.time };
}

export type Owner = Awaited<ReturnType<typeof ownerWith>>;
