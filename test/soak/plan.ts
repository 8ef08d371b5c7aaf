import { shopAddresses } from '../sandbox/shops.ts';
import { sum } from '../support/statistics.ts';

// What is asked, by whom and in which order: decided by the seed alone.

/** Kinds of requests, and how often each is made. */
const MIX = {
	verify: 40,
	poll: 22,
	limited: 10,
	bad: 10,
	credits: 7,
	results: 6,
	list: 2.5,
	batch: 1,
	task: 0.8,
	// No person uploads more than 60 files an hour.
	upload: 0.35,
} as const;
/** A kind of request. */
export type Kind = keyof typeof MIX;

/** The customers: two of them ask as often as all others together. */
export const CUSTOMERS = 20;
/** People with browsers. */
export const PEOPLE = 8;
const HOT = { customers: 2, share: 0.5 };
/** The least and the most addresses of a list or a file. */
const LENGTHS: Partial<Record<Kind, readonly [number, number]>> = { batch: [20, 150], upload: [15, 15] };
const UNKEYED_SHARE = 0.1;

/** Single conversations and situations of the sandbox, the quick ones. */
const SITUATIONS = [
	'ada@inbox.test',
	'nobody@inbox.test',
	'ada@blocked.test',
	'ada@full.test',
	'ada@catch-all.test',
	'ada@lockstep.test',
	'ada@no-such-domain.test',
] as const;
const SITUATIONS_SHARE = 0.2;
const STAFF = shopAddresses(20_000).map(({ address }) => address);

/** What comes next. */
export interface Step {
	readonly kind: Kind;
	/** From 0; the first ones are hot. */
	readonly customer: number;
	/** From 0: who uploads. */
	readonly person: number;
	/** Between 0 and 1, for what depends on how things stand then. */
	readonly choice: number;
	/** Addresses of a call, a list or a file. */
	readonly emails: readonly string[];
	/** A single call without an Idempotency-Key. */
	readonly unkeyed: boolean;
}

/** Draws the next step. */
export function nextStep(random: () => number): Step {
	const kind = drawKind(random());
	const isHot = random() < HOT.share;
	const place = random();
	const customer = isHot
		? Math.floor(place * HOT.customers)
		: HOT.customers + Math.floor(place * (CUSTOMERS - HOT.customers));
	const person = Math.floor(random() * PEOPLE);
	const choice = random();
	const [least, most] = LENGTHS[kind] ?? [1, 1];
	const count = least === most ? least : Math.floor(least + random() * (most - least));
	const emails = Array.from({ length: count }, () => drawAddress(random));
	return { kind, customer, person, choice, emails, unkeyed: random() < UNKEYED_SHARE };
}

function drawKind(place: number): Kind {
	let rest = place * sum(Object.values(MIX));
	const kinds = Object.keys(MIX) as Kind[];
	return kinds.find((kind) => (rest -= MIX[kind]) < 0) ?? 'verify';
}

function drawAddress(random: () => number): string {
	const from = random() < SITUATIONS_SHARE ? SITUATIONS : STAFF;
	return from[Math.floor(random() * from.length)] ?? STAFF[0] ?? '';
}

/** Endlessly, who is next: in a drawn order, and each once before anyone is twice. */
export function* inDrawnOrder<T>(all: readonly T[], random: () => number): Generator<T, never, undefined> {
	for (const left: T[] = []; ;) {
		if (left.length === 0) left.push(...all);
		yield left.splice(Math.floor(random() * left.length), 1)[0] as T;
	}
}
