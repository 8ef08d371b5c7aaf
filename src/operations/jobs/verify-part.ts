import { JOB_KINDS } from '../../core/jobs/kinds.ts';
import { faultPauseMs } from '../../core/jobs/open-row.ts';
import { PartRows } from '../../core/jobs/part-rows.ts';
import type { Entry } from '../../core/jobs/part-rows.ts';
import type { StoredAttempt } from '../../core/jobs/part.ts';
import { decodeRows, encodeRows, nextDueAt, tallyRows } from '../../core/jobs/stored-row.ts';
import { assert } from '../../lib/assert.ts';
import { describeError, log } from '../../lib/log.ts';
import type { Services } from '../../services.ts';
import type { AccountPort, AccountRef } from '../accounts/port.ts';
import { findOwnOutcomes } from '../outcomes/outcomes.ts';
import { completeJob, INPUT_GONE } from './complete.ts';
import { Examination, abandonedRow, addressOf, depthOf, isOutage } from './steps/examine-part.ts';
import type { Depth } from './steps/examine-part.ts';
import { PartMeter } from './steps/part-meter.ts';

export type VerifyPartServices = Pick<
	Services,
	'clock' | 'accounts' | 'jobBlobs' | 'lookUpMail' | 'examineAddresses' | 'digestsOf' | 'metrics' | 'newId'
>;

// A dead consumer blocks its part for this long, so the lease is short, and renewed by consumers that live. Each renewal
// costs, so the part of a list has longer leases the longer it has been worked on.
const LEASE_MS = 15_000;
const RENEWALS_A_LEASE = 3;
const RENEW_AFTER_MS = { first: 5_000, small: 5_000, list: 60_000 };

// Answers are stored this often, to show progress, and so that a consumer that dies loses no more than this. A list that has
// shown its first answers waits longer: most of what it costs is storing.
const STORE_EVERY_MS = { first: 15_000, later: 120_000 };

/** A part that this consumer has claimed: its name, and the token of the lease. */
interface Lease {
	readonly jobId: string;
	readonly part: number;
	readonly token: string;
}

type Claim = Extract<Awaited<ReturnType<AccountPort['claimPart']>>, { kind: 'claimed' }>;
type Settled = Awaited<ReturnType<AccountPort['settlePart']>>;

/**
 * Works on one part of a job. Every step may be repeated: another message takes the same steps and finds them done. Throws
 * where it can't go on; the account then sends the part again once its lease has ended.
 */
export async function verifyPart(
	services: VerifyPartServices,
	account: AccountRef,
	{ jobId, part }: { readonly jobId: string; readonly part: number },
): Promise<void> {
	const { clock } = services;
	const jobs = services.accounts(account.accountId);
	const lease = { jobId, part, token: services.newId('lease') };
	const claim = await jobs.claimPart({ ...lease, leaseMs: LEASE_MS, now: clock.now() });
	if (claim.kind === 'held' || claim.kind === 'gone') return;
	if (claim.kind === 'done') return completeJob(services, account, { jobId });
	const settled = await new PartWork(services, account, lease, claim).run();
	if (settled === null) return;
	if (settled === 'input_gone') {
		await jobs.failJob({ jobId, now: clock.now(), error: INPUT_GONE });
		return;
	}
	if (settled.ready) await completeJob(services, account, { jobId });
}

/** The work of a consumer on a part, from its claim to what is stored and settled of it. */
class PartWork {
	/** Aborted when another consumer has the part, or the job has ended. */
	readonly #lost = new AbortController();
	readonly #services: VerifyPartServices;
	readonly #accountId: string;
	readonly #lease: Lease;
	readonly #claim: Claim;
	readonly #meter: PartMeter;
	/** The number of the attempt that is stored next. */
	#attempt: number;

	constructor(services: VerifyPartServices, { accountId }: AccountRef, lease: Lease, claim: Claim) {
		this.#services = services;
		this.#accountId = accountId;
		this.#lease = lease;
		this.#claim = claim;
		this.#attempt = claim.attempt;
		const ofList = claim.isSmall ? 'small' : 'list';
		this.#meter = new PartMeter(services.metrics, JOB_KINDS[claim.jobKind].isDeep ? 'task' : ofList);
	}

	/**
	 * Works until the time is up or no address is due. Answers are stored and settled meanwhile, as successive attempts;
	 * deferred rows are planned for a later one. Null: nothing was answered, and the part waits; or another consumer has it.
	 */
	async run(): Promise<Settled | 'input_gone' | null> {
		const working = this.#workOrPostpone();
		await this.#renewUntil(
			working.then(
				() => true,
				() => true,
			),
		);
		return working;
	}

	/**
	 * Renews the lease during the work, and ends the work when it is lost: another consumer asks the same addresses by then.
	 * An account that is away gives the part to no other consumer either, so that is no loss.
	 */
	async #renewUntil(ended: Promise<boolean>): Promise<void> {
		const { clock, accounts } = this.#services;
		const { jobId, part } = this.#lease;
		let pauseMs = RENEW_AFTER_MS.first;
		while (!(await Promise.race([ended, clock.sleep(pauseMs).then(() => false)]))) {
			pauseMs = Math.min(4 * pauseMs, RENEW_AFTER_MS[this.#claim.isSmall ? 'small' : 'list']);
			const renewal = { ...this.#lease, leaseMs: RENEWALS_A_LEASE * pauseMs, now: clock.now() };
			try {
				if (!(await accounts(this.#accountId).renewPart(renewal))) return this.#lost.abort();
			} catch (error) {
				log('lease_not_renewed', { jobId, part, ...describeError(error) }, 'warn');
			}
		}
	}

	async #workOrPostpone(): Promise<Settled | 'input_gone' | null> {
		try {
			return await this.#work();
		} catch (error) {
			// An outage of the bucket or the account. `Examination` handles faults on the way to mail servers.
			if (!isOutage(error)) throw error;
			const { silentSince, retryDelaysMs } = this.#claim;
			const now = this.#services.clock.now();
			return await this.#postpone(now + faultPauseMs(silentSince, now, retryDelaysMs));
		} finally {
			this.#meter.end();
		}
	}

	async #work(): Promise<Settled | 'input_gone' | null> {
		const { jobBlobs, clock } = this.#services;
		const { jobId, part } = this.#lease;
		const { attempt, abandoned, count, jobKind: kind, rescuesCatchAll, ...claim } = this.#claim;
		const stored = await jobBlobs.readAttempt(jobId, part, attempt);
		if (stored !== null) {
			try {
				// An earlier consumer stored it, and measured then.
				const rows = decodeRows(stored);
				assert(rows.length === count, 'an attempt has a row for each address');
				this.#meter.begin(rows);
				return await this.#settle(stored);
			} catch (error) {
				// Rows that can't be used would otherwise come again for ever: the next attempt does without them.
				if (!abandoned || isOutage(error)) throw error;
				log('attempt_unusable', { jobId, part, attempt, ...describeError(error) });
				this.#attempt += 1;
			}
		}
		const input = await jobBlobs.readPart(jobId, part);
		if (input === null) return 'input_gone';
		const entries = JSON.parse(input) as readonly Entry[];
		assert(entries.length === count, 'a part has as many addresses as were reserved for it');
		const before = attempt === 1 ? null : await jobBlobs.readAttempt(jobId, part, attempt - 1);
		const depth = await depthOf(jobBlobs, { jobId, kind, rescuesCatchAll });
		const known = before === null ? [] : decodeRows(before);
		this.#meter.begin(known);
		const rows = new PartRows(entries, known, {
			delaysMs: claim.retryDelaysMs,
			horizon: claim.horizon,
			silentSince: claim.silentSince,
			giveUp: (row) => abandonedRow(row, depth, clock.now()),
		});
		if (!abandoned) return this.#examine(rows, depth);
		rows.giveUp();
		return this.#storeLast(rows);
	}

	/** Examines the addresses that are due, and stores the outcomes as they arrive. */
	async #examine(rows: PartRows, depth: Depth): Promise<Settled | null> {
		const { clock } = this.#services;
		const { isSmall, payer, freeAnswersLeft } = this.#claim;
		const accountId = this.#accountId;
		const due = rows.due(clock.now());
		const open = new Set(due.map(([index]) => index));
		const asker = { accountId, payer, class: isSmall ? 'small' : 'list', freeAnswersLeft } as const;
		const addresses = due.map(([, email]) => addressOf(email));
		const ownOutcomeOf = await findOwnOutcomes(this.#services, { accountId }, addresses);
		const examination = new Examination(this.#services, asker, due, { ...depth, ownOutcomeOf });
		const ended = examination.ended.then(() => true);
		let storeAfterMs = isSmall || this.#attempt === 1 ? STORE_EVERY_MS.first : STORE_EVERY_MS.later;
		try {
			for (let isOver = false; !isOver;) {
				const watch = new AbortController();
				const pause = clock.sleep(storeAfterMs, AbortSignal.any([watch.signal, this.#lost.signal]));
				isOver = await Promise.race([ended, pause.then(() => false)]);
				watch.abort();
				if (this.#lost.signal.aborted) return null;
				const now = clock.now();
				for (const [index, outcome] of examination.found) {
					rows.record(index, outcome, now);
					this.#meter.heard(outcome);
					examination.found.delete(index);
					open.delete(index);
				}
				if (isOver || !rows.hasLearnt) continue;
				const taken = await this.#storeMeanwhile(rows);
				// Another consumer has the part now, or the job has ended.
				if (taken !== null) return taken;
				if (!isSmall && !rows.hasLearnt) storeAfterMs = STORE_EVERY_MS.later;
			}
		} finally {
			examination.stop();
		}
		const now = clock.now();
		// The time was up before these were reached.
		for (const index of open) rows.record(index, { kind: 'later', until: now, row: null }, now);
		return rows.hasLearnt ? this.#storeLast(rows) : this.#postpone(nextDueAt(rows.all, isSmall) ?? now);
	}

	/** Settles the stored rows, not ours, so that ledger and results agree whichever consumer won a race. */
	async #storeLast(rows: PartRows): Promise<Settled> {
		return this.#settle(await this.#put(encodeRows(rows.all)));
	}

	/** Stores what is known so far and goes on. Not null: there is no work left for this consumer. */
	async #storeMeanwhile(rows: PartRows): Promise<Settled | null> {
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
		if (stored !== text) return this.#settle(stored);
		const settled = await this.#settle(stored, { token: this.#lease.token, leaseMs: LEASE_MS });
		if (!settled.held) return settled;
		rows.stored();
		this.#attempt += 1;
		return null;
	}

	async #put(text: string): Promise<string> {
		const { jobId, part } = this.#lease;
		return this.#services.jobBlobs.putAttempt(jobId, part, this.#attempt, text);
	}

	/** Settles a stored attempt. Without a holder, the part is left to the next consumer. */
	async #settle(stored: string, holder?: StoredAttempt['holder']): Promise<Settled> {
		const rows = decodeRows(stored);
		const { accounts, clock } = this.#services;
		const { jobId, part } = this.#lease;
		const settled = await accounts(this.#accountId).settlePart({
			jobId,
			part,
			attempt: this.#attempt,
			tally: tallyRows(rows),
			dueAt: nextDueAt(rows, this.#claim.isSmall),
			...(holder === undefined ? {} : { holder }),
			now: clock.now(),
		});
		this.#meter.settled(rows, clock.now());
		return settled;
	}

	/** Gives the part back until then (epoch ms). Nothing was answered, so nothing is stored. */
	async #postpone(until: number): Promise<null> {
		const { accounts, clock } = this.#services;
		await accounts(this.#accountId).postponePart({ ...this.#lease, until, now: clock.now() });
		return null;
	}
}
