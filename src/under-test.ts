import { examineForTest, examineListForTest, refuseForTest } from './engine/examine-for-test.ts';
import { testWordOf } from './core/test-keys/words.ts';
import type { Deed } from './core/test-keys/words.ts';
import type { JobBlobs } from './operations/jobs/job-blobs-port.ts';
import type { Services } from './services.ts';

const ENTRY_OF_FAILURE = /"fails(?:\+[^"@]*)?@/i;

/**
 * The services as a test key has them: everything works as usual, except that nobody is asked about an address. What its
 * word asks for is the answer, at once and without repetitions.
 */
export function underTest(services: Services): Services {
	const { clock, thresholds } = services;
	const ports = { clock, thresholds };
	return {
		...services,
		examine: (address) => examineForTest(ports, address),
		examineAddresses: (addresses, manner) => examineListForTest(ports, addresses, manner),
		lookUpMail: () => Promise.resolve({ route: { kind: 'no_mail_host' }, hosts: [] }),
		findRoute: () => Promise.resolve({ kind: 'no_mail_host' }),
		requireProber: () => {},
		jobBlobs: withoutFailures(services.jobBlobs),
		termsOf: (addresses) => {
			refuseForTest(addresses.map(localPartOf));
			const timing = { ...services.jobTiming, retryDelaysMs: [] };
			return addresses.some((address) => asksFor('expired', address))
				? { ...timing, resultsTtlMs: 0 }
				: timing;
		},
	};
}

/** The input of a part that shall fail is gone. */
function withoutFailures(blobs: JobBlobs): JobBlobs {
	return {
		putInput: (...given) => blobs.putInput(...given),
		readPart: async (jobId, part) => {
			const input = await blobs.readPart(jobId, part);
			return input !== null && ENTRY_OF_FAILURE.test(input) ? null : input;
		},
		putRejected: (...given) => blobs.putRejected(...given),
		readRejected: (...given) => blobs.readRejected(...given),
		putAttempt: (...given) => blobs.putAttempt(...given),
		readAttempt: (...given) => blobs.readAttempt(...given),
		lastAttempts: (...given) => blobs.lastAttempts(...given),
		putPage: (...given) => blobs.putPage(...given),
		readPage: (...given) => blobs.readPage(...given),
		putSummary: (...given) => blobs.putSummary(...given),
		readSummary: (...given) => blobs.readSummary(...given),
		remove: (...given) => blobs.remove(...given),
	};
}

function asksFor(deed: Deed, address: string): boolean {
	return testWordOf(localPartOf(address)) === deed;
}

function localPartOf(address: string): string {
	return address.slice(0, address.lastIndexOf('@'));
}
