import type { AccountPort } from '../../accounts/object-port.ts';
import { JOB_KINDS } from '../../../core/jobs/kinds.ts';
import { PartRows } from '../../../core/jobs/part-rows.ts';
import type { Entry } from '../../../core/jobs/part-rows.ts';
import type { StoredAttempt } from '../../../core/jobs/part.ts';
import { decodeRows, encodeRows, nextDueAt, tallyRows } from '../../../core/jobs/stored-row.ts';
import { assert } from '../../../lib/assert.ts';
import { describeError, log } from '../../../lib/log.ts';
import { findOwnOutcomes } from '../../outcomes/outcomes.ts';
import { Examination, abandonedRow, addressOf, depthOf, isOutage } from './examine-part.ts';
import type { Depth } from './examine-part.ts';
import { PartMeter } from './part-meter.ts';
import type { Services } from '../../../services.ts';

export type WorkOnPartServices = Pick<
	Services,
	'clock' | 'digestsOf' | 'lookUpMail' | 'examineAddresses' | 'jobBlobs' | 'metrics' | 'accounts'
>;

/** A part that a consumer has claimed. */
export interface PartInHand {
	/** The account of the job. */
	readonly accountId: string;
	readonly jobId: string;
	readonly part: number;
	readonly token: string;
	readonly claim: Extract<Awaited<ReturnType<AccountPort['claimPart']>>, { kind: 'claimed' }>;
	readonly leaseMs: number;
	/** Aborts when another consumer has the part, or the job has ended. */
	readonly lost: AbortSignal;
}

export type Worked =
	| ({ readonly kind: 'settled' } & Awaited<ReturnType<AccountPort['settlePart']>>)
	/** Nothing was answered: nothing is stored, and the part waits until then (epoch ms). */
	| { readonly kind: 'later'; readonly until: number }
	/** Another consumer has the part, or the job has ended: what was not stored yet is dropped. */
	| { readonly kind: 'lost' }
	/** The job's input has been deleted. */
	| { readonly kind: 'gone' };

// Answers are stored this often, to show progress, and so that a consumer that dies loses no more than this. A list that has
// shown its first answers waits longer: most of what it costs is storing.
const STORE_EVERY_MS = { first: 15_000, later: 60_000 };

/**
 * Works on a part until its time is up or no address is due. Answers are stored and settled meanwhile, as successive
 * attempts; deferred rows are planned for a later one.
 */
export async function workOnPart(services: WorkOnPartServices, inHand: PartInHand): Promise<Worked> {
	const meter = new PartMeter(services.metrics, classOf(inHand.claim));
	try {
		return await work(services, inHand, meter);
	} finally {
		meter.end();
	}
}

async function work(services: WorkOnPartServices, inHand: PartInHand, meter: PartMeter): Promise<Worked> {
	const { jobBlobs } = services;
	const { jobId, part, claim } = inHand;
	const store = new AttemptStore(services, inHand, meter);
	const stored = await jobBlobs.readAttempt(jobId, part, claim.attempt);
	if (stored !== null) {
		// An earlier consumer stored it, and measured then.
		meter.begin(decodeRows(stored));
		return store.settle(stored);
	}
	const input = await jobBlobs.readPart(jobId, part);
	if (input === null) return { kind: 'gone' };
	const entries = JSON.parse(input) as readonly Entry[];
	assert(entries.length === claim.count, 'a part has as many addresses as were reserved for it');
	const before = claim.attempt === 1 ? null : await jobBlobs.readAttempt(jobId, part, claim.attempt - 1);
	const depth = await depthOf(jobBlobs, {
		jobId,
		kind: claim.jobKind,
		rescuesCatchAll: claim.rescuesCatchAll,
	});
	const known = before === null ? [] : decodeRows(before);
	meter.begin(known);
	const rows = new PartRows(entries, known, {
		delaysMs: claim.retryDelaysMs,
		horizon: claim.horizon,
		silentSince: claim.silentSince,
		giveUp: (row) => abandonedRow(row, depth, services.clock.now()),
	});
	if (claim.abandoned) {
		rows.giveUp();
		return store.storeLast(rows);
	}
	return examine(services, store, rows, { ...inHand, depth, meter });
}

/** Examines the addresses that are due, and stores the outcomes as they arrive. */
async function examine(
	services: WorkOnPartServices,
	store: AttemptStore,
	rows: PartRows,
	{ accountId, claim, lost, depth, meter }: PartInHand & { readonly depth: Depth; readonly meter: PartMeter },
): Promise<Worked> {
	const { clock } = services;
	const due = rows.due(clock.now());
	const open = new Set(due.map(([index]) => index));
	const asker = {
		accountId,
		payer: claim.payer,
		class: claim.isSmall ? 'small' : 'list',
		freeAnswersLeft: claim.freeAnswersLeft,
	} as const;
	const addresses = due.map(([, email]) => addressOf(email));
	const ownOutcomeOf = await findOwnOutcomes(services, { accountId }, addresses);
	const examination = new Examination(services, asker, due, { ...depth, ownOutcomeOf });
	const ended = examination.ended.then(() => true);
	let storeAfterMs = claim.isSmall || claim.attempt === 1 ? STORE_EVERY_MS.first : STORE_EVERY_MS.later;
	try {
		for (let isOver = false; !isOver;) {
			const watch = new AbortController();
			const pause = clock.sleep(storeAfterMs, AbortSignal.any([watch.signal, lost]));
			isOver = await Promise.race([ended, pause.then(() => false)]);
			watch.abort();
			if (lost.aborted) return { kind: 'lost' };
			const now = clock.now();
			for (const [index, outcome] of examination.found) {
				rows.record(index, outcome, now);
				meter.heard(outcome);
				examination.found.delete(index);
				open.delete(index);
			}
			const hadLearnt = rows.hasLearnt;
			const taken = !isOver && hadLearnt ? await store.storeMeanwhile(rows) : null;
			// Another consumer has the part now, or the job has ended.
			if (taken !== null) return taken;
			if (!claim.isSmall && !rows.hasLearnt && hadLearnt) storeAfterMs = STORE_EVERY_MS.later;
		}
	} finally {
		examination.stop();
	}
	const now = clock.now();
	// The time was up before these were reached.
	for (const index of open) rows.record(index, { kind: 'later', until: now, row: null }, now);
	if (rows.hasLearnt) return store.storeLast(rows);
	return { kind: 'later', until: nextDueAt(rows.all, claim.isSmall) ?? now };
}

/** Stores and settles the attempts of a part, one after the other. */
class AttemptStore {
	readonly #services: WorkOnPartServices;
	readonly #inHand: PartInHand;
	readonly #meter: PartMeter;
	#attempt: number;

	constructor(services: WorkOnPartServices, inHand: PartInHand, meter: PartMeter) {
		this.#services = services;
		this.#inHand = inHand;
		this.#meter = meter;
		this.#attempt = inHand.claim.attempt;
	}

	/** Settles the stored rows, not ours, so that ledger and results agree whichever consumer won a race. */
	async storeLast(rows: PartRows): Promise<Worked> {
		return this.settle(await this.#put(encodeRows(rows.all)));
	}

	/** Stores what is known so far and goes on. Not null: there is no work left for this consumer. */
	async storeMeanwhile(rows: PartRows): Promise<Worked | null> {
		const { token, leaseMs } = this.#inHand;
		const text = encodeRows(rows.all);
		let stored: string;
		try {
			stored = await this.#put(text);
		} catch (error) {
			if (!isOutage(error)) throw error;
			log('part_not_stored_meanwhile', describeError(error), 'warn');
			return null;
		}
		// Another consumer's rows, or ours from a call whose answer was lost: the next consumer goes on from there.
		if (stored !== text) return this.settle(stored);
		const settled = await this.settle(stored, { holder: { token, leaseMs } });
		if (!settled.held) return settled;
		rows.stored();
		this.#attempt += 1;
		return null;
	}

	/** Settles a stored attempt. Without a holder, the part is left to the next consumer. */
	async settle(stored: string, holding: Pick<StoredAttempt, 'holder'> = {}) {
		const rows = decodeRows(stored);
		const { accounts, clock } = this.#services;
		const { accountId, jobId, part, claim } = this.#inHand;
		const settled = await accounts(accountId).settlePart({
			jobId,
			part,
			attempt: this.#attempt,
			tally: tallyRows(rows),
			dueAt: nextDueAt(rows, claim.isSmall),
			...holding,
			now: clock.now(),
		});
		this.#meter.settled(rows, clock.now());
		return { kind: 'settled', ...settled } as const;
	}

	async #put(text: string): Promise<string> {
		const { jobId, part } = this.#inHand;
		return this.#services.jobBlobs.putAttempt(jobId, part, this.#attempt, text);
	}
}

function classOf({ jobKind, isSmall }: PartInHand['claim']): string {
	if (JOB_KINDS[jobKind].isDeep) return 'task';
	return isSmall ? 'small' : 'list';
}
