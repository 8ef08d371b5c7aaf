import type { AccountPort } from '../../../src/operations/accounts/object-port.ts';
import { retryDelaysMs, SMALL_JOB_BELOW } from '../../../src/core/jobs/deferral.ts';
import {
	claimPart,
	holds,
	isDone,
	nextSendAt,
	openPart,
	PARTS_IN_FLIGHT_MAX,
	postponePart,
	renewPart,
	settlePart,
} from '../../../src/core/jobs/part.ts';
import type { Part } from '../../../src/core/jobs/part.ts';
import { planParts, sendDue } from '../../../src/core/jobs/plan-parts.ts';
import { HORIZON_MS } from '../../../src/core/jobs/schedule.ts';
import { decodeRows, isDeferred } from '../../../src/core/jobs/stored-row.ts';
import type { FinalRow } from '../../../src/core/jobs/stored-row.ts';
import type { Clock } from '../../../src/engine/ports.ts';
import type { JobBlobs } from '../../../src/storage/jobs/blobs.ts';
import type { JobTiming } from '../../../src/operations/jobs/port.ts';
import { PLAIN_JOB } from '../plain-job.ts';

const notHere = (): never => {
	throw new Error('not in this world');
};

const TIMING: Omit<JobTiming, 'retryDelaysMs'> = {
	redriveAfterMs: 30_000,
	resultsTtlMs: 172_800_000,
	horizonMs: HORIZON_MS,
};
const RETRY_DELAYS_MS = [60_000, 300_000, 900_000];

/** A part with its number, as an account stores it. */
interface Numbered {
	readonly n: number;
	readonly part: Part;
}

/**
 * One job as its account and its bucket hold it: the account's own rules for parts, without storage and credits.
 */
export class GiantJob {
	readonly accountId: string;
	readonly createdAt: number;
	readonly accepted: number;
	completedAt: number | null = null;
	/** Stored attempts, which are what a job costs beside its conversations. */
	stored = 0;
	/** Calls of its account by its consumers, and messages, for their price. */
	readonly calls = { messages: 0, claims: 0, renewals: 0, settlements: 0, postponements: 0 };
	readonly #clock: Clock;
	readonly #send: (job: GiantJob, part: number) => void;
	readonly #timing: JobTiming;
	readonly #inputs: readonly string[];
	#parts: readonly Numbered[];
	/** The rows of each part's last attempts. */
	readonly #attempts: Map<number, string>[];
	#alarm: { readonly at: number; readonly off: AbortController } | null = null;

	constructor(
		accountId: string,
		addresses: readonly string[],
		clock: Clock,
		send: (job: GiantJob, part: number) => void,
	) {
		this.accountId = accountId;
		this.#clock = clock;
		this.#send = (job, part) => {
			this.calls.messages += 1;
			send(job, part);
		};
		this.createdAt = clock.now();
		this.accepted = addresses.length;
		this.#timing = { ...TIMING, retryDelaysMs: retryDelaysMs(addresses.length, RETRY_DELAYS_MS) };
		const parts = planParts(addresses).map(({ members }) => members);
		this.#inputs = parts.map((part) => JSON.stringify(part.map((index) => [index, addresses[index]])));
		this.#attempts = parts.map(() => new Map());
		this.#parts = parts.map((part, n) => ({
			n,
			part: openPart(part.length, this.createdAt, this.#timing, n < PARTS_IN_FLIGHT_MAX),
		}));
	}

	get parts(): number {
		return this.#parts.length;
	}

	get isSmall(): boolean {
		return this.accepted < SMALL_JOB_BELOW;
	}

	/** The last rows of all addresses that have a final one. */
	get rows(): readonly FinalRow[] {
		return this.#attempts.flatMap((attempts) => {
			const last = attempts.get(Math.max(0, ...attempts.keys())) ?? '';
			return decodeRows(last).filter((row): row is FinalRow => !isDeferred(row));
		});
	}

	/** Sends the first messages, as the Worker does. */
	begin(): void {
		for (const { n } of this.#parts.slice(0, PARTS_IN_FLIGHT_MAX)) this.#send(this, n);
		this.#wakeAt(this.createdAt + this.#timing.redriveAfterMs);
	}

	readonly store: Pick<AccountPort, 'claimPart' | 'renewPart' | 'settlePart' | 'postponePart'> = {
		claimPart: async (request) => {
			this.calls.claims += 1;
			const before = this.#partOf(request.part);
			const claim = claimPart(before, request, this.#timing);
			if (claim.kind !== 'claimed') return claim.kind === 'done' ? { kind: 'held' } : claim;
			this.#write(request.part, claim.part);
			this.#wakeAt(nextSendAt(claim.part));
			const of = { jobKind: 'verification', token: request.token, attempt: claim.attempt } as const;
			return {
				kind: 'claimed',
				...of,
				count: claim.part.count,
				isSmall: this.isSmall,
				horizon: this.createdAt + this.#timing.horizonMs,
				rescuesCatchAll: false,
				freeAnswersLeft: Infinity,
				payer: {},
				retryDelaysMs: this.#timing.retryDelaysMs,
				postponedSince: claim.part.postponedSince,
				...(claim.abandoned ? { abandoned: true } : {}),
			};
		},
		renewPart: async (request) => {
			this.calls.renewals += 1;
			const part = renewPart(this.#partOf(request.part), request);
			if (part !== null) this.#write(request.part, part);
			return part !== null;
		},
		settlePart: async ({ holder, ...request }) => {
			this.calls.settlements += 1;
			const { now } = request;
			const lease = holder === undefined ? undefined : { token: holder.token, until: now + holder.leaseMs };
			const before = this.#partOf(request.part);
			const part = settlePart(before, { ...request, holder: lease }, this.#timing);
			this.#write(request.part, part);
			const held = lease !== undefined && holds(part, lease.token);
			if (this.completedAt === null && this.#parts.every((one) => isDone(one.part))) this.completedAt = now;
			if (!isDone(part)) this.#wakeAt(nextSendAt(part));
			if (!held) this.#wakeIfSomebodyWaits(now);
			return { job: PLAIN_JOB, ready: false, held };
		},
		postponePart: async (request) => {
			this.calls.postponements += 1;
			const part = postponePart(this.#partOf(request.part), request);
			if (part === null) return false;
			this.#write(request.part, part);
			this.#wakeAt(nextSendAt(part));
			this.#wakeIfSomebodyWaits(request.now);
			return true;
		},
	};

	readonly blobs: JobBlobs = {
		readPart: async (_, part) => this.#inputs[part] ?? null,
		putAttempt: async (_, part, attempt, rows) => {
			const attempts = this.#attempts[part];
			const known = attempts?.get(attempt);
			if (known !== undefined) return known;
			this.stored += 1;
			attempts?.set(attempt, rows);
			// No reader asks for those before the last but one.
			attempts?.delete(attempt - 2);
			return rows;
		},
		readAttempt: async (_, part, attempt) => this.#attempts[part]?.get(attempt) ?? null,
		putInput: notHere,
		lastAttempts: notHere,
		putPage: notHere,
		readPage: notHere,
		putSummary: notHere,
		readSummary: notHere,
		putRejected: notHere,
		readRejected: notHere,
		remove: notHere,
	};

	#partOf(n: number): Part {
		const stored = this.#parts[n];
		if (stored === undefined) throw new Error(`the job has part ${n}`);
		return stored.part;
	}

	#write(n: number, part: Part): void {
		this.#parts = this.#parts.with(n, { n, part });
	}

	#wakeIfSomebodyWaits(now: number): void {
		const waits = this.#parts.some(({ part }) => !isDone(part) && part.sends === 0 && part.sendAt <= now);
		if (waits) this.#wakeAt(now);
	}

	/** The account has one alarm: the soonest counts. */
	#wakeAt(at: number): void {
		if (this.#alarm !== null && this.#alarm.at <= at) return;
		this.#alarm?.off.abort();
		const alarm = { at, off: new AbortController() };
		this.#alarm = alarm;
		void this.#ring(alarm);
	}

	async #ring({ at, off }: { readonly at: number; readonly off: AbortController }): Promise<void> {
		await this.#clock.sleep(at - this.#clock.now(), off.signal);
		if (!off.signal.aborted) this.#wake();
	}

	#wake(): void {
		this.#alarm = null;
		const open = this.#parts.filter(({ part }) => !isDone(part));
		if (open.length === 0) return;
		const { sent, wakeAt } = sendDue(open, this.#clock.now(), this.#timing);
		for (const { n, part } of sent) {
			this.#write(n, part);
			this.#send(this, n);
		}
		if (wakeAt !== null) this.#wakeAt(wakeAt);
	}
}
