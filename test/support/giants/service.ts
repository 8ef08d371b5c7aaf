import type { AccountPort } from '../../../src/operations/accounts/object-port.ts';
import { SILENT } from '../../../src/core/metrics/metrics.ts';
import type { Spent } from '../../../src/core/politeness/day-book.ts';
import type { BudgetOverrides } from '../../../src/core/politeness/budgets.ts';
import { examineAddress, examineAddresses } from '../../../src/engine/examine-address.ts';
import type { Examined, ExaminePorts } from '../../../src/engine/examination.ts';
import { findMail } from '../../../src/engine/look-up-mail.ts';
import { ExpiringMap } from '../../../src/lib/expiring-map.ts';
import { Slots } from '../../../src/lib/slots.ts';
import { verifyPart } from '../../../src/operations/jobs/verify-part.ts';
import type { VerifyPartServices } from '../../../src/operations/jobs/verify-part.ts';
import { answerQuestion } from '../../../src/prober/answer-question.ts';
import { Budgets } from '../../../src/prober/budgets.ts';
import { Lines } from '../../../src/prober/turns/lines.ts';
import type { InventedMemory } from '../../../src/prober/ports.ts';
import { Standings } from '../../../src/prober/standing.ts';
import { IsolateDomainMemory, IsolateWaysOut } from '../../../src/storage/memory.ts';
import { fakeLookups } from '../unit/fake-lookups.ts';
import { PUBLIC_ONLY } from '../unit/fake-resolver.ts';
import { addressOf } from '../unit/mail-servers.ts';
import { standingStore } from '../unit/standing-store.ts';
import { GiantJob } from './jobs.ts';
import { giantResolver } from './lists.ts';
import type { GiantMailServers } from './mail-servers.ts';
import type { VirtualTime } from './virtual-time.ts';

const STANDINGS_MAX = 50_000;
// As the Worker's own (VERIFY_BUDGET_MS), and its verdicts on catch-all domains.
const SETTINGS = { budgetMs: 15_000 };

export interface GiantServiceOptions {
	readonly time: VirtualTime;
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
	readonly lines: Lines;

	constructor(options: GiantServiceOptions) {
		const { time: clock, servers: dialer, partsAtATime } = options;
		this.#options = options;
		this.#queues = { list: new Slots(partsAtATime), small: new Slots(partsAtATime) };
		const standing = new Standings(clock, standingStore(clock));
		this.lines = new Lines({
			clock,
			random: options.random,
			dialer,
			standing,
			invented: inventedOf(),
			budgets: budgetsOf(clock, options.budgets),
		});
		const { lines } = this;
		const asking = { conversations: lines, turnAt: lines.turnAt, addressPolicy: PUBLIC_ONLY };
		const asked = { clock, random: options.random, dialer, standing, ...asking };
		this.#ports = {
			clock,
			resolver: giantResolver,
			addressPolicy: PUBLIC_ONLY,
			prober: { ask: (question) => answerQuestion(asked, question) },
			randomness: { word: (length) => wordOf(length, options.random) },
			waysOut: new IsolateWaysOut(),
			domainMemory: new IsolateDomainMemory(clock),
			...fakeLookups(),
		};
	}

	/** `POST /v1/verify`, from the moment at which it is admitted. */
	verify(email: string, accountId: string): Promise<Examined> {
		return examineAddress(this.#ports, SETTINGS, addressOf(email), accountId);
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
			verifyPart(services, { accountId }, { jobId: 'job_1', part, giveUp: false }).catch((error: unknown) => {
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
			jobBlobs: job.blobs,
			newId: (prefix) => `${prefix}_${(this.#leases += 1)}`,
			listJob: () => Promise.resolve(),
			lookUpMail: findMail.bind(null, ports, SETTINGS),
			examineAddresses: (addresses, manner) => examineAddresses(ports, SETTINGS, addresses, manner),
			waysOut: new IsolateWaysOut(),
		};
	}
}

/** No account has reported the outcome of a message. */
const NO_OUTCOMES = {
	findOutcomes: ({ addresses }: { addresses: readonly unknown[] }) =>
		Promise.resolve(addresses.map(() => null)),
	noteScores: () => Promise.resolve(),
};

type Clock = VirtualTime;

function inventedOf(): ConstructorParameters<typeof Lines>[0]['invented'] {
	const kept = new ExpiringMap<Parameters<InventedMemory['keep']>[1]>(STANDINGS_MAX);
	return {
		find: (domain, now) => kept.get(domain, now) ?? null,
		keep: (domain, replies, _, until) => kept.set(domain, replies, until),
	};
}

/** All source addresses are known to operators; what was spent is in the lines. */
function budgetsOf(clock: Clock, overrides: BudgetOverrides): Budgets {
	const spent = new Map<string, Spent>();
	const store = {
		spent: (name: string) => spent.get(name) ?? null,
		keepSpent: (name: string, of: Spent) => void spent.set(name, of),
		usedSince: () => 0,
	};
	return new Budgets(clock, store, { overrides, warm: ['all'] });
}

function wordOf(length: number, random: () => number): string {
	const letters = Array.from({ length }, () => 97 + Math.floor(random() * 26));
	return String.fromCharCode(...letters);
}
