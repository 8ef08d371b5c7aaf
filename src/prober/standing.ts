import { findRegistrable } from '../core/dns/registrable.ts';
import { isFreeProvider } from '../core/lists/domain-kinds.ts';
import { afterAnswer, shrunk, UNGROWN } from '../core/politeness/growth.ts';
import type { Growth } from '../core/politeness/growth.ts';
import { nameOfMachine, nameOfOne, nameOfWhole } from '../core/politeness/mail-host.ts';
import type { MailHost } from '../core/politeness/mail-host.ts';
import { afterRefusal, afterWelcome, isOfTheWhole, paceOf, pausedBecause } from '../core/politeness/pause.ts';
import type { Observation, Pace, Pause, Refused, Standing } from '../core/politeness/pause.ts';
import { isPaying, memberNameOf } from '../core/politeness/shares.ts';
import type { Party } from '../core/politeness/shares.ts';
import { DAY_MS } from '../lib/time.ts';
import { ExpiringMap } from '../lib/expiring-map.ts';
import type { Clock, Control, Meeting, StandingMemory } from './ports.ts';

// After the pause, so that one question tries whether it is over before all do.
const KEPT_MS = DAY_MS;
// Long enough for an admin to see it.
const LISTED_KEPT_MS = 7 * DAY_MS;

/** Where standings are kept by name. Keeps less rather than throw. */
export interface StandingStore {
	standing(name: string): Standing | null;
	/** @param until epoch milliseconds */
	keepStanding(name: string, standing: Standing, until: number): void;
	forgetStanding(name: string): void;
	/** The growth that an unknown machine earned; null: none is known. */
	growth(machine: string): Growth | null;
	keepGrowth(machine: string, growth: Growth): void;
}

/** The asker of a control's question. */
export const CONTROL = 'control';

/** A refusal that may be one customer's rule, and the controls that were not asked yet. */
interface Suspicion {
	readonly refused: Refused;
	readonly left: Control[];
	asking: Control | null;
	/** A control was refused as well. */
	isConfirmed: boolean;
}

/** The memory of a party beside its standing: controls by the account that they were served for. */
interface Watched {
	readonly controls: ExpiringMap<Control>;
	suspicion: Suspicion | null;
	/** When the last suspicion began; epoch ms. */
	suspectedAt: number;
	/** Domains that were refused lately while there were no controls, and for which shares. */
	unproved: readonly { readonly domain: string; readonly share: string; readonly at: number }[];
}

const WATCHED_MAX = 5_000;
const CONTROLS_MAX = 12;
const CONTROLS_ASKED = 3;
// So long after controls were asked, refusals are their domains' own: of accounts that never paid for longer, since they
// must not have us ask others' servers all day.
const SUSPECTED_MS = 120_000;
const SUSPECTED_BY_TRIALS_MS = 3_600_000;
const UNPROVED_MS = 600_000;
const UNPROVED_MAX = 8;

/**
 * How mail hosts and operators treat the source addresses of this prober. A refusal of a customer's domain is that
 * domain's, unless controls are refused as well: domains that the operator served for other accounts in the last day.
 * Accounts that never paid, and visitors, have no vote on an operator. A host of one owner that refuses us before RCPT
 * has heard of no recipient, so it is left alone whichever account asked; but only accounts that pay change its day.
 */
export class Standings implements StandingMemory {
	readonly #clock: Clock;
	readonly #store: StandingStore;
	readonly #refused: (host: MailHost, observation: Refused) => void;
	readonly #watched = new ExpiringMap<Watched>(WATCHED_MAX);
	/** The store's content: a budget is looked up for each question that waits. */
	readonly #growths = new ExpiringMap<Growth>(WATCHED_MAX);

	/** @param refused told of each refusal, for metrics */
	constructor(
		clock: Clock,
		store: StandingStore,
		refused: (host: MailHost, observation: Refused) => void = () => {},
	) {
		this.#clock = clock;
		this.#store = store;
		this.#refused = refused;
	}

	paused(host: MailHost, asking: Party & { readonly domain: string }): Pause | null {
		const now = this.#clock.now();
		const whole = pausedBecause(this.#store.standing(nameOfWhole(host)), now);
		if (whole !== null) return whole;
		const ofShare = pausedBecause(this.#store.standing(nameOfOne(host, memberNameOf(asking))), now);
		if (ofShare !== null) return ofShare;
		const ofDomain = pausedBecause(this.#store.standing(nameOfOne(host, asking.domain)), now);
		return ofDomain === null ? null : { ...ofDomain, ofDomain: true };
	}

	pace(host: MailHost): Pace {
		return paceOf(this.#store.standing(nameOfWhole(host)));
	}

	growthOf(machine: string): Growth {
		const now = this.#clock.now();
		const known = this.#growths.get(machine, now);
		if (known !== undefined) return known;
		const growth = this.#store.growth(machine) ?? UNGROWN;
		this.#growths.set(machine, growth, now + DAY_MS);
		return growth;
	}

	observed(host: MailHost, observation: Observation, meeting: Meeting): void {
		if (observation.kind === 'refused') this.#refused(host, observation);
		if (meeting.asker === CONTROL) return this.#observedControl(host, observation);
		// One visitor could pose as many.
		if (meeting.asker === null) return;
		if (meeting.operator === null && isPaying(memberNameOf(meeting))) this.#grow(host, observation, meeting);
		if (observation.kind === 'served') this.#served(host, meeting);
		else this.#wasRefused(host, observation, meeting);
	}

	/** The next control to ask about a refusal; null: none. `after`: the one that the same caller asked before. */
	nextControl(host: MailHost, after: Control | null): Control | null {
		const watched = this.#watchedOf(host);
		const { suspicion } = watched;
		if (suspicion === null || suspicion.asking !== after) return null;
		const next = suspicion.left.shift();
		suspicion.asking = next ?? null;
		if (next !== undefined) return next;
		watched.suspicion = null;
		if (suspicion.isConfirmed) this.#strike(nameOfWhole(host), suspicion.refused, true);
		return null;
	}

	/**
	 * The answers of paying accounts let the machine that was dialled grow, and its refusals of them let it shrink, by
	 * whatever name it was found: no domain's owner can speak for another's machine. A refusal at RCPT may be the owner's
	 * of one domain, and halves nothing.
	 */
	#grow(host: MailHost, observation: Observation, meeting: Meeting): void {
		const machine = nameOfMachine(meeting.address, host.egress);
		const before = this.growthOf(machine);
		const now = this.#clock.now();
		if (observation.kind === 'refused' && !isOfTheWhole(observation, host)) return;
		const after = observation.kind === 'refused' ? shrunk(before, now) : afterAnswer(before, now);
		if (after === before) return;
		this.#growths.set(machine, after, now + DAY_MS);
		this.#store.keepGrowth(machine, after);
	}

	#served(host: MailHost, meeting: Meeting): void {
		this.#welcome(nameOfWhole(host));
		this.#welcome(nameOfOne(host, meeting.domain));
		const share = memberNameOf(meeting);
		this.#welcome(nameOfOne(host, share));
		// The mailboxes of a provider for everybody go by all ways out, and it has no customers' rules.
		if (!isPaying(share) || isFreeProvider(meeting.domain) || host.speaksFor === 'itself') return;
		const { domain, address, operator } = meeting;
		const now = this.#clock.now();
		const watched = this.#watchedOf(host);
		const since = watched.controls.get(share, now)?.since ?? now;
		watched.controls.set(share, { domain, host, address, operator, since }, now + DAY_MS);
		watched.unproved = [];
	}

	#wasRefused(host: MailHost, refused: Refused, meeting: Meeting): void {
		const isVote = isPaying(memberNameOf(meeting));
		const isItself = host.speaksFor === 'itself';
		if (isOfTheWhole(refused, host)) {
			if (isItself) return this.#strike(nameOfWhole(host), { ...refused, listed: undefined }, true);
			if (isVote) return this.#strike(nameOfWhole(host), refused, false);
		} else this.#strike(nameOfOne(host, meeting.domain), { ...refused, listed: undefined }, false);
		if (!isItself) this.#suspect(host, refused, meeting, isVote);
	}

	/**
	 * Begins to ask controls. Where there are none, two unrelated domains hold back the share that asked about them, and
	 * no other: anyone can buy two domains and let them refuse us.
	 */
	#suspect(host: MailHost, refused: Refused, meeting: Meeting, isVote: boolean): void {
		const now = this.#clock.now();
		const watched = this.#watchedOf(host);
		if (now - watched.suspectedAt < (isVote ? SUSPECTED_MS : SUSPECTED_BY_TRIALS_MS)) return;
		const domain = registrable(meeting.domain);
		const share = memberNameOf(meeting);
		const left = [...watched.controls.entries(now)].flatMap(([owner, control]) =>
			owner !== share && registrable(control.domain) !== domain ? [control] : [],
		);
		if (left.length > 0) {
			// The oldest first: new accounts can't agree to stand for an operator.
			const controls = left.toSorted((a, b) => a.since - b.since).slice(0, CONTROLS_ASKED);
			watched.suspicion = { refused, left: controls, asking: null, isConfirmed: false };
			watched.suspectedAt = now;
			return;
		}
		const others = watched.unproved.filter((one) => one.domain !== domain && now - one.at < UNPROVED_MS);
		const ofShare = nameOfOne(host, share);
		const isTrying = paceOf(this.#store.standing(ofShare)).isTrying;
		if (isVote && this.pace(host).isTrying) this.#strike(nameOfWhole(host), refused, true);
		else if (isTrying || others.some((one) => one.share === share)) this.#strike(ofShare, refused, true);
		watched.unproved = [...others.slice(1 - UNPROVED_MAX), { domain, share, at: now }];
	}

	#observedControl(host: MailHost, observation: Observation): void {
		const watched = this.#watchedOf(host);
		if (watched.suspicion === null) return;
		if (observation.kind === 'refused') {
			watched.suspicion.isConfirmed = true;
			return;
		}
		watched.suspicion = null;
		this.#welcome(nameOfWhole(host));
	}

	#strike(
		name: string,
		refused: Pick<Refused, 'why'> & { listed?: true | undefined },
		isCertain: boolean,
	): void {
		const now = this.#clock.now();
		const before = this.#store.standing(name);
		const { why, listed } = refused;
		const after = afterRefusal(before, listed === true ? { why, listed } : { why }, isCertain, now);
		if (after !== before) this.#keep(name, after, now);
	}

	#welcome(name: string): void {
		const before = this.#store.standing(name);
		if (before === null) return;
		const after = afterWelcome(before);
		if (after === null) this.#store.forgetStanding(name);
		else this.#keep(name, after, this.#clock.now());
	}

	#keep(name: string, standing: Standing, now: number): void {
		const { pause, listedSince } = standing;
		const keptMs = listedSince === null ? KEPT_MS : LISTED_KEPT_MS;
		this.#store.keepStanding(name, standing, (pause?.until ?? now) + keptMs);
	}

	#watchedOf(host: MailHost): Watched {
		const name = nameOfWhole(host);
		const now = this.#clock.now();
		const watched = this.#watched.get(name, now) ?? {
			controls: new ExpiringMap<Control>(CONTROLS_MAX),
			suspicion: null,
			suspectedAt: -Infinity,
			unproved: [],
		};
		this.#watched.set(name, watched, now + DAY_MS);
		return watched;
	}
}

function registrable(domain: string): string {
	return findRegistrable(domain)?.domain ?? domain;
}
