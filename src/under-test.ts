import { localPartOf } from './core/address/parse-address.ts';
import {
	describeForTest,
	examineForTest,
	examineListForTest,
	refuseForTest,
	refuseMistyped,
} from './engine/examine-for-test.ts';
import { SILENT } from './core/metrics/metrics.ts';
import type { Entry } from './core/jobs/part-rows.ts';
import { asksFor } from './core/test-keys/words.ts';
import type { JobBlobs } from './operations/jobs/job-blobs-port.ts';
import type { Services } from './services.ts';

/**
 * The services of a test key: everything works as usual, except that no mail server is asked. The address's own word
 * decides the answer, at once and without repetitions.
 */
export function underTest(services: Services): Services {
	const ports = { clock: services.clock };
	return {
		...services,
		metrics: SILENT,
		examine: (address, _, options) => examineForTest(ports, address, options),
		examineAddresses: (addresses, manner) => examineListForTest(ports, addresses, manner),
		describeDomains: (names) => Promise.resolve(describeForTest(names)),
		lookUpMail: () => Promise.resolve({ route: { kind: 'no_mail_host' }, hosts: [] }),
		requireProber: () => {},
		jobBlobs: withoutFailures(services.jobBlobs),
		termsOf: (addresses) => {
			refuseForTest(addresses.map(localPartOf));
			refuseMistyped(addresses, 'emails');
			const timing = { ...services.jobTiming, retryDelaysMs: [] };
			return addresses.some((address) => asksFor('expired', localPartOf(address)))
				? { ...timing, resultsTtlMs: 0 }
				: timing;
		},
	};
}

/** The input of a part that shall fail is gone. */
function withoutFailures(blobs: JobBlobs): JobBlobs {
	return {
		...blobs,
		readPart: async (jobId, part) => {
			const input = await blobs.readPart(jobId, part);
			const entries = JSON.parse(input ?? '[]') as readonly Entry[];
			return entries.some(([, email]) => asksFor('fails', localPartOf(email))) ? null : input;
		},
	};
}
