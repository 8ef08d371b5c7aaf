import type { AccountPort } from '../../../src/operations/accounts/port.ts';
import { SILENT } from '../../../src/core/metrics/metrics.ts';
import type { JobBlobs } from '../../../src/storage/jobs/blobs.ts';
import type { BudgetOverrides } from '../../../src/core/turns/budget.ts';
import { lookUpMail } from '../../../src/engine/case.ts';
import type { ExaminePorts } from '../../../src/engine/case.ts';
import { examineAddresses } from '../../../src/engine/examine.ts';
import type { Clock } from '../../../src/lib/time.ts';
import { examineAlone } from '../unit/examine-alone.ts';
import { Slots } from '../../../src/lib/slots.ts';
import { verifyPart } from '../../../src/operations/jobs/verify-part.ts';
import type { VerifyPartServices } from '../../../src/operations/jobs/verify-part.ts';
import { ask as askHosts } from '../../../src/prober/ask.ts';
import type { Dialer } from '../../../src/prober/dial/egress-dialer.ts';
import { ProberMemory } from '../../../src/prober/memory.ts';
import { Turns } from '../../../src/prober/turns/turns.ts';
import { fakeLookups } from '../unit/fake-lookups.ts';
import { PUBLIC_ONLY } from '../unit/fake-resolver.ts';
import { addressOf } from '../unit/mail-servers.ts';
import { GiantJob } from './jobs.ts';
import { giantResolver } from './lists.ts';

// As the Worker's own (VERIFY_BUDGET_MS), and its verdicts on catch-all domains.
const SETTINGS = { budgetMs: 15_000 };

/** How many parts run side by side, of each of the two queues. */
export const PARTS_AT_A_TIME = 250;

/**
 * The service's own code without the runtimes: jobs and their parts, the engine, and one prober, which is asked directly.
 * Only storage, DNS and sockets are played.
 */
export function giantService(clock: Clock, dialer: Dialer, budgets: BudgetOverrides, random: () => number) {
	const conversations = new Turns({
		random,
		clock,
		dialer,
		memory: new ProberMemory(':memory:', clock),
		overrides: budgets,
		// All source addresses are known to operators.
		warm: ['all'],
	});
	const asked = { clock, conversations, addressPolicy: PUBLIC_ONLY };
	const ports: ExaminePorts = {
		clock,
		resolver: giantResolver,
		addressPolicy: PUBLIC_ONLY,
		prober: { ask: (question) => askHosts(asked, question) },
		randomness: { word: (length) => wordOf(length, random) },
		...fakeLookups(),
	};
	const queues = { list: new Slots(PARTS_AT_A_TIME), small: new Slots(PARTS_AT_A_TIME) };
	let leases = 0;
	const servicesFor = (job: GiantJob): VerifyPartServices => ({
		clock,
		digestsOf: () => ['nobody'],
		metrics: SILENT,
		accounts: () => ({ ...job.store, ...NO_OUTCOMES }) as Partial<AccountPort> as AccountPort,
		jobBlobs: job.blobs as Partial<JobBlobs> as JobBlobs,
		newId: (prefix) => `${prefix}_${(leases += 1)}`,
		lookUpMail: lookUpMail.bind(null, ports),
		examineAddresses: (addresses, manner) => examineAddresses(ports, SETTINGS, addresses, manner),
	});
	/** The queue hands the message to a consumer when one is free. */
	const deliver = (job: GiantJob, part: number): void => {
		const { accountId, isSmall } = job;
		const work = () => verifyPart(servicesFor(job), { accountId }, { jobId: 'job_1', part });
		void queues[isSmall ? 'small' : 'list'].run(work);
	};
	return {
		/** `POST /v1/verify`, from the moment at which it is admitted. */
		verify: (email: string, accountId: string) => examineAlone(ports, addressOf(email), { asker: accountId }),
		/** `POST /v1/verify-batch`. */
		begin: (accountId: string, addresses: readonly string[]) =>
			new GiantJob(accountId, addresses, clock, deliver),
	};
}

/** No account has reported the outcome of a message. */
const NO_OUTCOMES = {
	findOutcomes: ({ addresses }: { addresses: readonly unknown[] }) =>
		Promise.resolve(addresses.map(() => null)),
	noteScores: () => Promise.resolve(),
};

function wordOf(length: number, random: () => number): string {
	const letters = Array.from({ length }, () => 97 + Math.floor(random() * 26));
	return String.fromCharCode(...letters);
}
