import { localPartOf } from './core/address/parse-address.ts';
import { describeForTest, findForTest, refuseForTest, refuseMistyped } from './engine/examine-for-test.ts';
import { examinedOf } from './engine/examine.ts';
import { SILENT } from './core/metrics/metrics.ts';
import type { Entry } from './core/jobs/part-rows.ts';
import { testWordOf } from './core/test-keys/words.ts';
import type { DEEDS } from './core/test-keys/words.ts';
import type { Services } from './services.ts';

const SLOW_MS = 20_000;

/** Whether one of the local parts asks for the deed. */
function asksFor(deed: keyof typeof DEEDS, localParts: readonly string[]): boolean {
	return localParts.some((localPart) => testWordOf(localPart) === deed);
}

/**
 * The services of a test key: everything works as usual, except that no mail server is asked. The address's own word
 * decides the answer, at once and without repetitions.
 */
export function underTest(services: Services): Services {
	const { clock } = services;
	const waitForSlow = async (localParts: readonly string[]): Promise<void> => {
		if (asksFor('slow', localParts)) await clock.sleep(SLOW_MS);
	};
	return {
		...services,
		metrics: SILENT,
		examine: async (address, _, { quick = false } = {}) => {
			refuseForTest([address.localPart]);
			refuseMistyped([address.email], 'email');
			if (!quick) await waitForSlow([address.localPart]);
			return examinedOf(address, findForTest(address, { deep: 'catch_all', quick }), clock.now());
		},
		examineAddresses: async (addresses, how) => {
			await waitForSlow(addresses.map(({ localPart }) => localPart));
			return addresses.map((address) => findForTest(address, how));
		},
		describeDomains: (names) => Promise.resolve(describeForTest(names)),
		lookUpMail: () => Promise.resolve({ route: { kind: 'no_mail_host' }, hosts: [] }),
		requireProber: () => {},
		jobBlobs: withoutFailures(services.jobBlobs),
		termsOf: (addresses) => {
			refuseForTest(addresses.map(localPartOf));
			refuseMistyped(addresses, 'emails');
			const timing = { ...services.jobTiming, retryDelaysMs: [] };
			return asksFor('expired', addresses.map(localPartOf)) ? { ...timing, resultsTtlMs: 0 } : timing;
		},
	};
}

/** The input of a part that shall fail is gone. */
function withoutFailures(blobs: Services['jobBlobs']): Services['jobBlobs'] {
	return {
		...blobs,
		readPart: async (jobId, part) => {
			const input = await blobs.readPart(jobId, part);
			const entries = JSON.parse(input ?? '[]') as readonly Entry[];
			const localParts = entries.map(([, email]) => localPartOf(email));
			return asksFor('fails', localParts) ? null : input;
		},
	};
}
