import type { Payer } from '../../../core/turns/who.ts';
import { parseAddress } from '../../../core/address/parse-address.ts';
import type { Address } from '../../../core/address/parse-address.ts';
import { isFreeAnswer } from '../../../core/credits/free-answers.ts';
import { dayAfter } from '../../../lib/time.ts';
import { statusOf } from '../../../core/verification/sub-status.ts';
import type { Judgement } from '../../../core/catchall/breakdown.ts';
import { listEffectOf } from '../../../core/catchall/breakdown.ts';
import type { SourceListFacts } from '../../../core/catchall/list/list-facts.ts';
import { isAskedAgain } from '../../../core/jobs/deferral.ts';
import { JOB_KINDS } from '../../../core/jobs/kinds.ts';
import type { OpenRow } from '../../../core/jobs/open-row.ts';
import type { Entry, RowOutcome } from '../../../core/jobs/part-rows.ts';
import {
	giveUp as finalRowOf,
	toJudgedRow,
	toScoredRow,
	toStoredRow,
} from '../../../core/jobs/stored-row.ts';
import type { FinalRow, StoredRow } from '../../../core/jobs/stored-row.ts';
import type { DeepCheck } from '../../../core/smtp/session.ts';
import type { Outcome } from '../../../core/verification/render.ts';
import { ServiceError } from '../../../errors.ts';
import { assert } from '../../../lib/assert.ts';
import { describeError, log } from '../../../lib/log.ts';
import { listFacts } from '../../../core/verification/render.ts';
import type { How, LookedUpMail } from '../../../engine/case.ts';
import type { Conclusion } from '../../../engine/examine.ts';
import { judgeByName } from '../../../engine/judge-catch-all.ts';
import type { Urgency } from '../../../core/turns/who.ts';
import type { Services } from '../../../services.ts';
import type { JobRecord } from '../port.ts';

/** How deeply addresses are checked. */
export interface Depth {
	/** `always`: in a task. `catch_all`: in a job that resolves catch-all addresses itself. */
	readonly deep: DeepCheck;
	/** The facts that the whole list gives about its addresses; null: none, or not asked for. */
	readonly sourceList: SourceListFacts | null;
}

/** How the addresses of a part are examined. */
type PartHow = Depth & Pick<How, 'ownOutcomeOf'>;

/** A job that leaves the deeper check to a task. */
export const NOT_DEEP: Depth = { deep: 'never', sourceList: null };

/** How deeply a job checks its addresses. */
export async function depthOf(
	jobBlobs: Services['jobBlobs'],
	{ jobId, kind, rescuesCatchAll }: Pick<JobRecord, 'jobId' | 'kind' | 'rescuesCatchAll'>,
): Promise<Depth> {
	const isTask = JOB_KINDS[kind].isDeep;
	if (!isTask && !rescuesCatchAll) return NOT_DEEP;
	const facts = await jobBlobs.readSummary(jobId, 'facts');
	const sourceList = facts === null ? null : (JSON.parse(facts) as Depth['sourceList']);
	return { deep: isTask ? 'always' : 'catch_all', sourceList };
}

export type ExaminePartServices = Pick<Services, 'clock' | 'lookUpMail' | 'examineAddresses'>;

// Addresses not asked within this time wait for the part's next attempt: slow hosts must not block a consumer. A list's part
// is asked by turns: the longer it stays, the less often it comes and is stored.
// A small job's part begins no turn after a few seconds, and goes on behind those of others, which are promised within half
// a minute: what is left when silent hosts have had their time is quickly done.
const PART_BUDGET_MS = { single: 6_000, small: 6_000, list: 300_000 } as const satisfies Record<
	Urgency,
	number
>;
// Name servers that fail (SERVFAIL) may work again after a list's first pause. Resolvers may repeat the answer for longer,
// five minutes at most (RFC 2308 §7.1), but most such names stay broken, and nearly every list has one to wait for.
const SERVERS_FAIL_AGAIN_MAX = 1;
// Whether there are free answers again.
const LOOK_AGAIN_MS = 15 * 60_000;
// A Worker may hold six connections.
const CONNECTIONS_MAX = 6;
// The most connections to one mail host at a time, however many domains it serves.
const CONNECTIONS_PER_HOST_MAX = 3;
// A momentary fault is over by the time all other domains have had their turn.
const FAULTS_PER_GROUP_MAX = 2;
// This many faults in a row mean that a way out is out: the other domains are not tried.
const FAULTS_IN_A_ROW_MAX = 12;

/** For whom a part is examined. */
interface PartAsker {
	readonly accountId: string;
	readonly payer: Payer;
	readonly class: Urgency;
	/** How many more answers may be free today. */
	readonly freeAnswersLeft: number;
}

/** The addresses of one domain that have no row yet. */
interface Group {
	readonly domain: string;
	readonly entries: readonly Entry[];
	/** Null: not looked up yet. */
	readonly mail: LookedUpMail | null;
	/** How many faults of ours the group met. */
	readonly faults: number;
}

/**
 * Examines addresses domain by domain, six domains at a time. A slow host occupies one place, and after each of its
 * turns the other domains come first. A fault of ours counts for one domain only, until there are many in a row.
 */
export class Examination {
	/** Outcomes until they are taken. Addresses without one were not reached. */
	readonly found = new Map<number, RowOutcome>();
	readonly ended: Promise<void>;
	readonly #services: ExaminePartServices;
	readonly #asker: PartAsker;
	readonly #how: PartHow;
	/** When the visit began. */
	readonly #since: number;
	readonly #deadline: number;
	readonly #queue: Group[];
	readonly #busy = new Map<string, number>();
	readonly #lookUps = new Map<string, Promise<LookedUpMail>>();
	/** Mail hosts that replied. */
	readonly #replied = new Set<string>();
	#faultsInARow = 0;
	#freeAnswersLeft: number;
	#isStopped = false;

	constructor(services: ExaminePartServices, asker: PartAsker, entries: readonly Entry[], how: PartHow) {
		this.#services = services;
		this.#asker = asker;
		this.#freeAnswersLeft = asker.freeAnswersLeft;
		this.#how = how;
		this.#since = services.clock.now();
		this.#deadline = this.#since + PART_BUDGET_MS[asker.class];
		this.#queue = groupsOf(entries);
		const workers = Array.from({ length: CONNECTIONS_MAX }, () => this.#work());
		this.ended = Promise.all(workers).then(() => this.#giveUpOnOurselves());
	}

	/** Begins no further turns. */
	stop(): void {
		this.#isStopped = true;
	}

	async #work(): Promise<void> {
		while (!this.#isStopped && !this.#isHopeless && this.#services.clock.now() < this.#deadline) {
			const group = takeFree(this.#queue, this.#busy);
			// The workers that keep the other hosts busy take the groups that wait for these hosts afterwards.
			if (group === undefined) return;
			const { mail } = group;
			try {
				if (mail === null) this.#queue.unshift({ ...group, mail: await this.#lookUp(group) });
				else {
					this.#lookAhead();
					await this.#takeTurn(group, mail);
				}
			} catch (error) {
				this.#meetFault(group, error);
			}
		}
	}

	/** The look-up of a group's mail: the one under way, or a new one. */
	#lookUp({ domain }: Group): Promise<LookedUpMail> {
		const known = this.#lookUps.get(domain);
		if (known !== undefined) return known;
		const mail = this.#services.lookUpMail({ domain }, { quick: false });
		this.#lookUps.set(domain, mail);
		// One that failed ahead of its turn is begun again when the turn comes.
		mail.catch(() => this.#lookUps.delete(domain));
		return mail;
	}

	/** While a mail host is asked, the mail of the next domain is looked up. */
	#lookAhead(): void {
		const next = this.#queue.find(({ domain, mail }) => mail === null && !this.#lookUps.has(domain));
		if (next !== undefined) void this.#lookUp(next);
	}

	get #isHopeless(): boolean {
		return this.#faultsInARow >= FAULTS_IN_A_ROW_MAX;
	}

	/** One turn of a domain. Addresses that were not reached in its time get another turn. */
	async #takeTurn(group: Group, mail: LookedUpMail): Promise<void> {
		const { clock, examineAddresses } = this.#services;
		// No more than may stay without a charge, should all of them.
		const most = this.#freeAnswersLeft > 0 ? this.#freeAnswersLeft : group.entries.length;
		const entries = group.entries.slice(0, most);
		const host = hostOf(group);
		this.#busy.set(host, (this.#busy.get(host) ?? 0) + 1);
		try {
			const findings = await examineAddresses(
				entries.map(([, email]) => addressOf(email)),
				{
					asker: this.#asker.accountId,
					...this.#asker.payer,
					class: this.#asker.class,
					since: this.#since,
					mayAsk: this.#freeAnswersLeft > 0,
					mail,
					...this.#how,
				},
			);
			const at = clock.now();
			for (const [place, [index, email]] of entries.entries()) {
				const finding = findings[place] ?? null;
				if (finding === null) continue;
				this.#countFree(finding);
				if (finding.answeredBy !== undefined) this.#replied.add(finding.answeredBy);
				const when = { at, class: this.#asker.class, deep: this.#how.deep, isAlive: this.#replied.has(host) };
				this.found.set(index, outcomeOf(index, email, finding, when));
			}
			this.#faultsInARow = 0;
			const left = group.entries.filter((_, place) => (findings[place] ?? null) === null);
			if (left.length > 0) this.#queue.push({ ...group, entries: left });
		} finally {
			this.#busy.set(host, (this.#busy.get(host) ?? 1) - 1);
		}
	}

	/** An answer that is charged buys another question. */
	#countFree({ outcome: { subStatus } }: Conclusion): void {
		if (isFreeAnswer(subStatus)) this.#freeAnswersLeft = Math.max(0, this.#freeAnswersLeft - 1);
		else if (statusOf(subStatus) !== 'unknown') this.#freeAnswersLeft += 1;
	}

	#meetFault(group: Group, error: unknown): void {
		if (!isOutage(error)) {
			log('domain_failed', describeError(error));
			for (const [index] of group.entries) this.found.set(index, { kind: 'again', row: null });
			return;
		}
		this.#faultsInARow += 1;
		const faults = group.faults + 1;
		if (faults < FAULTS_PER_GROUP_MAX) this.#queue.push({ ...group, faults });
		else this.#putOff(group);
	}

	/** Records the fault for all addresses that are left. */
	#giveUpOnOurselves(): void {
		if (!this.#isHopeless) return;
		for (const group of this.#queue) this.#putOff(group);
	}

	#putOff({ entries }: Group): void {
		for (const [index] of entries) this.found.set(index, { kind: 'later', until: null, row: null });
	}
}

/** The turn's outcome for an address. `isAlive`: its mail host replied about another address, moments ago. */
function outcomeOf(
	index: number,
	email: string,
	findings: Conclusion,
	when: {
		readonly at: number;
		readonly class: Urgency;
		readonly deep: DeepCheck;
		readonly isAlive: boolean;
	},
): RowOutcome {
	const { lists, outcome, judgement, postponedUntil: until, operator = null } = findings;
	const { at, deep } = when;
	const stored = toStoredRow(index, addressOf(email), lists, outcome, at);
	const row = withScore(stored, outcome, { judgement, deep });
	if (until !== undefined) return { kind: 'later', row, until };
	// No caller waits for a list: tomorrow there are free answers again, and paid ones may buy some before.
	if (outcome.subStatus === 'free_limit' && when.class === 'list')
		return { kind: 'later', row, until: Math.min(dayAfter(at), at + LOOK_AGAIN_MS) };
	if (findings.nameServersFail === true) return { kind: 'again', row, atMost: SERVERS_FAIL_AGAIN_MAX };
	const { subStatus, replyCode } = outcome;
	if (subStatus === 'no_connect' && when.isAlive) return { kind: 'again', row };
	const isAgain = isAskedAgain({ subStatus, replyCode, operator, isSmall: when.class !== 'list' });
	return { kind: isAgain ? 'again' : 'final', row };
}

/** A task's row keeps the breakdown; that of a job only the score, and what its list added. */
function withScore(
	row: StoredRow,
	{ catchAllScore }: Outcome,
	{ judgement, deep }: { readonly judgement: Judgement | null; readonly deep: DeepCheck },
): FinalRow {
	if (judgement !== null && deep === 'always') return toJudgedRow(row, judgement);
	if (catchAllScore === null) return row;
	return toScoredRow(row, catchAllScore, judgement === null ? 0 : listEffectOf(judgement.breakdown));
}

/** An outage of our own infrastructure, which says nothing about any address. */
export function isOutage(error: unknown): boolean {
	return (
		error instanceof ServiceError &&
		(error.code === 'upstream_unavailable' || error.code === 'upstream_nonsense')
	);
}

function groupsOf(entries: readonly Entry[]): Group[] {
	const byDomain = Map.groupBy(entries, ([, email]) => addressOf(email).domain);
	return [...byDomain].map(([domain, members]) => ({
		domain,
		entries: members,
		mail: null,
		faults: 0,
	}));
}

/** The first group whose mail host has room for one more connection of ours. */
function takeFree(queue: Group[], busy: ReadonlyMap<string, number>): Group | undefined {
	const at = queue.findIndex(
		(group) => group.mail === null || (busy.get(hostOf(group)) ?? 0) < CONNECTIONS_PER_HOST_MAX,
	);
	return at < 0 ? undefined : queue.splice(at, 1)[0];
}

function hostOf({ domain, mail }: Group): string {
	return (mail?.route.kind === 'hosts' ? mail.route.hosts[0] : undefined) ?? domain;
}

/** The row of an address that never had a final answer: `unknown`, for the reason of its last deferral. */
export function abandonedRow(open: OpenRow, { deep, sourceList }: Depth, now: number): FinalRow {
	const [, email, , why] = open;
	const address = addressOf(email);
	const row = finalRowOf(open, listFacts(address), now);
	if (deep !== 'always') return row;
	return toJudgedRow(row, judgeByName(address, sourceList, why));
}

/** A stored address, parsed again. */
export function addressOf(email: string): Address {
	const parsed = parseAddress(email);
	assert(parsed.ok, 'an accepted address is well-formed');
	return parsed.address;
}
