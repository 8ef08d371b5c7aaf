import type { AccountPort } from '../../../src/operations/accounts/port.ts';
import { retryDelaysMs, SMALL_JOB_BELOW } from '../../../src/core/jobs/deferral.ts';
import {
	claimPart,
	isDone,
	isInFlight,
	openPart,
	PARTS_IN_FLIGHT_MAX,
	putPartOff,
	renewPart,
	sendPart,
	settlePart,
} from '../../../src/core/jobs/part.ts';
import type { Part } from '../../../src/core/jobs/part.ts';
import { planParts } from '../../../src/core/jobs/plan-parts.ts';
import { HORIZON_MS } from '../../../src/core/jobs/open-row.ts';
import { decodeRows, isDeferred } from '../../../src/core/jobs/stored-row.ts';
import type { FinalRow } from '../../../src/core/jobs/stored-row.ts';
import type { Clock } from '../../../src/lib/time.ts';
import type { JobBlobs } from '../../../src/storage/jobs/blobs.ts';
import type { JobTiming } from '../../../src/operations/jobs/port.ts';

const TIMING: Omit<JobTiming, 'retryDelaysMs'> = {
	redriveAfterMs: 30_000,
	resultsTtlMs: 172_800_000,
	horizonMs: HORIZON_MS,
};
const RETRY_DELAYS_MS = [60_000, 300_000, 900_000];

/** One job as its account and its bucket hold it: the account's own rules for parts, without storage and credits. */
export class GiantJob {
	readonly accountId: string;
	readonly createdAt: number;
	readonly isSmall: boolean;
	completedAt: number | null = null;
	/** Stored attempts, which are what a job costs beside its conversations. */
	stored = 0;
	/** Calls of its account by its consumers, and messages, for their price. */
	readonly calls = { messages: 0, claims: 0, renewals: 0, settlements: 0, postponements: 0 };
	readonly #clock: Clock;
	readonly #send: (part: number) => void;
	readonly #timing: JobTiming;
	readonly #inputs: readonly string[];
	#parts: readonly Part[];
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
		this.#send = (part) => {
			this.calls.messages += 1;
			send(this, part);
		};
		this.createdAt = clock.now();
		this.isSmall = addresses.length < SMALL_JOB_BELOW;
		this.#timing = { ...TIMING, retryDelaysMs: retryDelaysMs(addresses.length, RETRY_DELAYS_MS) };
		const parts = planParts(addresses);
		this.#inputs = parts.map((part) => JSON.stringify(part.map((index) => [index, addresses[index]])));
		this.#attempts = parts.map(() => new Map());
		const now = this.createdAt;
		this.#parts = parts
			.map(({ length: count }, n) => openPart({ jobId: 'job_1', n, count }, now))
			.map((part) => (part.n < PARTS_IN_FLIGHT_MAX ? sendPart(part, now, this.#timing) : part));
		// The first messages, as the Worker sends them.
		for (const { n } of this.#parts.slice(0, PARTS_IN_FLIGHT_MAX)) this.#send(n);
		this.#wakeAt(now + this.#timing.redriveAfterMs);
	}

	get parts(): number {
		return this.#parts.length;
	}

	/** The last rows of all addresses that have a final one. */
	get rows(): readonly FinalRow[] {
		return this.#attempts.flatMap((attempts) => {
			const last = attempts.get(Math.max(0, ...attempts.keys())) ?? '';
			return decodeRows(last).filter((row): row is FinalRow => !isDeferred(row));
		});
	}

	readonly store: Pick<AccountPort, 'claimPart' | 'renewPart' | 'settlePart' | 'postponePart'> = {
		claimPart: async (request) => {
			this.calls.claims += 1;
			const claim = claimPart(this.#partOf(request.part), request, request.now);
			if (claim.kind !== 'claimed') return claim.kind === 'done' ? { kind: 'held' } : claim;
			const { part, abandoned } = claim;
			this.#write(part);
			return {
				kind: 'claimed',
				jobKind: 'verification',
				attempt: part.attempts + 1,
				abandoned,
				count: part.count,
				isSmall: this.isSmall,
				horizon: this.createdAt + this.#timing.horizonMs,
				rescuesCatchAll: false,
				freeAnswersLeft: Infinity,
				payer: {},
				retryDelaysMs: this.#timing.retryDelaysMs,
				silentSince: part.settledAt ?? this.createdAt,
			};
		},
		renewPart: async (request) => {
			this.calls.renewals += 1;
			const part = renewPart(this.#partOf(request.part), request, request.now);
			if (part !== null) this.#write(part);
			return part !== null;
		},
		settlePart: async (request) => {
			this.calls.settlements += 1;
			const { now, holder } = request;
			const before = this.#partOf(request.part);
			const isLast = this.#parts.every((one) => one === before || isDone(one));
			const part = settlePart(before, request, this.#timing, isLast);
			this.#write(part);
			const held = holder !== undefined && part.token === holder.token;
			if (this.completedAt === null && this.#parts.every(isDone)) this.completedAt = now;
			if (!held) this.#wakeIfSomebodyWaits(now);
			return { ready: false, held };
		},
		postponePart: async (request) => {
			this.calls.postponements += 1;
			this.#write(putPartOff(this.#partOf(request.part), request, request.now));
			this.#wakeIfSomebodyWaits(request.now);
		},
	};

	/** What working on parts needs of the bucket. */
	readonly blobs: Pick<JobBlobs, 'readPart' | 'putAttempt' | 'readAttempt'> = {
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
	};

	#partOf(n: number): Part {
		const part = this.#parts[n];
		if (part === undefined) throw new Error(`the job has part ${n}`);
		return part;
	}

	#write(part: Part): void {
		this.#parts = this.#parts.with(part.n, part);
		if (part.nextAt !== null && !isDone(part)) this.#wakeAt(part.nextAt);
	}

	#wakeIfSomebodyWaits(now: number): void {
		if (this.#open().some((part) => !isInFlight(part) && part.nextAt <= now)) this.#wakeAt(now);
	}

	/** The longest wait first. */
	#open(): readonly (Part & { readonly nextAt: number })[] {
		return this.#parts
			.filter((part): part is Part & { nextAt: number } => !isDone(part) && part.nextAt !== null)
			.toSorted((a, b) => a.nextAt - b.nextAt);
	}

	/** The account has one alarm: the soonest counts. */
	#wakeAt(at: number): void {
		if (this.#alarm !== null && this.#alarm.at <= at) return;
		this.#alarm?.off.abort();
		const alarm = { at, off: new AbortController() };
		this.#alarm = alarm;
		const { signal } = alarm.off;
		void this.#clock.sleep(at - this.#clock.now(), signal).then(() => signal.aborted || this.#wake());
	}

	#wake(): void {
		this.#alarm = null;
		const now = this.#clock.now();
		const open = this.#open();
		let room = PARTS_IN_FLIGHT_MAX - open.filter(isInFlight).length;
		let wakeAt = Infinity;
		for (const part of open) {
			const isDue = part.nextAt <= now;
			// It is sent when a part in flight ends, which sets the alarm itself.
			if (isDue && !isInFlight(part) && room <= 0) continue;
			if (isDue && !isInFlight(part)) room -= 1;
			const next = isDue ? sendPart(part, now, this.#timing) : part;
			wakeAt = Math.min(wakeAt, next.nextAt ?? Infinity);
			if (!isDue) continue;
			this.#write(next);
			this.#send(part.n);
		}
		if (wakeAt !== Infinity) this.#wakeAt(wakeAt);
	}
}
