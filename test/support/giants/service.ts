import type { AccountPort } from '../../../src/operations/accounts/port.ts';
import { SILENT } from '../../../src/core/metrics/metrics.ts';
import type { JobBlobs } from '../../../src/storage/jobs/blobs.ts';
import type { BudgetOverrides } from '../../../src/core/turns/budget.ts';
import { examineAddresses } from '../../../src/engine/examine.ts';
import type { ExaminePorts } from '../../../src/engine/case.ts';
import type { Clock } from '../../../src/engine/ports.ts';
import type { Examined } from '../../../src/operations/verify/verify-address.ts';
import { examineAlone } from '../unit/examine-alone.ts';
import { lookUpMail } from '../../../src/engine/look-up-mail.ts';
import { Slots } from '../../../src/lib/slots.ts';
import { verifyPart } from '../../../src/operations/jobs/verify-part.ts';
import type { VerifyPartServices } from '../../../src/operations/jobs/verify-part.ts';
import { ask as askHosts } from '../../../src/prober/ask.ts';
import { ProberMemory } from '../../../src/prober/memory.ts';
import { Turns } from '../../../src/prober/turns/turns.ts';
import { fakeLookups } from '../unit/fake-lookups.ts';
import { PUBLIC_ONLY } from '../unit/fake-resolver.ts';
import { addressOf } from '../unit/mail-servers.ts';
import { GiantJob } from './jobs.ts';
import { giantResolver } from './lists.ts';
import type { GiantMailServers } from './mail-servers.ts';

// As the Worker's own (VERIFY_BUDGET_MS), and its verdicts on catch-all domains.
const SETTINGS = { budgetMs: 15_000 };

export interface GiantServiceOptions {
	readonly time: Clock;
	readonly servers: GiantMailServers;
	/** How many parts run side by side, of each of the two queues. */
	readonly partsAtATime: number;
	readonly budgets: BudgetOverrides;
	readonly random: () => number;
}

/**
 * The service's own code without the runtimes: jobs and their parts, the engine, and one prober, which is asked directly.
 * Only storage, DNS and sockets are played.
 */
export class GiantService {
	readonly #options: GiantServiceOptions;
	readonly #ports: ExaminePorts;
	readonly #queues: { readonly list: Slots; readonly small: Slots };
	#leases = 0;

	constructor(options: GiantServiceOptions) {
		const { time: clock, servers: dialer, partsAtATime } = options;
		this.#options = options;
		this.#queues = { list: new Slots(partsAtATime), small: new Slots(partsAtATime) };
		const conversations = new Turns({
			clock,
			random: options.random,
			dialer,
			memory: new ProberMemory(':memory:', clock),
			overrides: options.budgets,
			// All source addresses are known to operators.
			warm: ['all'],
		});
		const asked = { clock, conversations, addressPolicy: PUBLIC_ONLY };
		this.#ports = {
			clock,
			resolver: giantResolver,
			addressPolicy: PUBLIC_ONLY,
			prober: { ask: (question) => askHosts(asked, question) },
			randomness: { word: (length) => wordOf(length, options.random) },
			...fakeLookups(),
		};
	}

	/** `POST /v1/verify`, from the moment at which it is admitted. */
	verify(email: string, accountId: string): Promise<Examined> {
		return examineAlone(this.#ports, addressOf(email), { asker: accountId });
	}

	/** `POST /v1/verify-batch`. */
	begin(accountId: string, addresses: readonly string[]): GiantJob {
		const job = new GiantJob(accountId, addresses, this.#options.time, (of, part) => this.#deliver(of, part));
		job.begin();
		return job;
	}

	/** The queue hands the message to a consumer when one is free. */
	#deliver(job: GiantJob, part: number): void {
		const { accountId } = job;
		const services = this.#servicesFor(job);
		const queue = job.isSmall ? this.#queues.small : this.#queues.list;
		void queue.run(() =>
			verifyPart(services, { accountId }, { jobId: 'job_1', part }).catch((error: unknown) => {
				throw new Error('a part of a virtual job failed', { cause: error });
			}),
		);
	}

	#servicesFor(job: GiantJob): VerifyPartServices {
		const ports = this.#ports;
		return {
			clock: ports.clock,
			digestsOf: () => ['nobody'],
			metrics: SILENT,
			accounts: () => ({ ...job.store, ...NO_OUTCOMES }) as Partial<AccountPort> as AccountPort,
			jobBlobs: job.blobs as Partial<JobBlobs> as JobBlobs,
			newId: (prefix) => `${prefix}_${(this.#leases += 1)}`,
			listJob: () => Promise.resolve(true),
			lookUpMail: lookUpMail.bind(null, ports),
			examineAddresses: (addresses, manner) => examineAddresses(ports, SETTINGS, addresses, manner),
		};
	}
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
