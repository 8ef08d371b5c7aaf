import { fnv1a } from '../../lib/digest.ts';
import type { Clock } from '../../lib/time.ts';

const PAUSE_MS = 30_000;

/**
 * The ways out, or the probers: in which order a key tries them, and which are out of service, and until when. One that
 * is out is still tried, but last: all may be.
 */
export class Ways<T extends { readonly label: string }> {
	readonly all: readonly T[];
	readonly #clock: Pick<Clock, 'now'>;
	/** Those that failed and have not served since, and until when they are out of service. */
	readonly #out = new Map<T, number>();

	constructor(all: readonly T[], clock: Pick<Clock, 'now'>) {
		this.all = all;
		this.#clock = clock;
	}

	/** In the order of a key (a domain or a mailbox): those in service first. */
	inOrder(key: string): readonly T[] {
		const order = orderByRendezvous(this.all, key);
		return order.toSorted((a, b) => Number(this.#isOut(a)) - Number(this.#isOut(b)));
	}

	/** Leaves out those out of service, unless all are. */
	serving(some: readonly T[]): readonly T[] {
		const serving = some.filter((one) => !this.#isOut(one));
		return serving.length > 0 ? serving : some;
	}

	/** Whether it failed, and has not served since. */
	hasFailed(one: T): boolean {
		return this.#out.has(one);
	}

	/** Takes one out of service for half a minute. */
	failed(one: T): void {
		this.#out.set(one, this.#clock.now() + PAUSE_MS);
	}

	/** Puts one back in service after a success, whatever the mail server replied. */
	worked(one: T): void {
		this.#out.delete(one);
	}

	#isOut(one: T): boolean {
		return (this.#out.get(one) ?? 0) > this.#clock.now();
	}
}

/**
 * Orders egresses, or probers, for a key (a domain or a mailbox) by rendezvous hashing. A key keeps its first choice,
 * so that greylisting servers see the same client again. Removing a choice moves only the keys that had it.
 */
export function orderByRendezvous<T extends { readonly label: string }>(
	choices: readonly T[],
	key: string,
): readonly T[] {
	// Equal labels are numbered among themselves, not by position: a position would change with the list.
	const seen = new Map<string, number>();
	const weighed = choices.map((choice) => {
		const number = seen.get(choice.label) ?? 0;
		seen.set(choice.label, number + 1);
		return { choice, weight: weightOf(`${key} ${number} ${choice.label}`) };
	});
	return weighed.toSorted((a, b) => b.weight - a.weight).map(({ choice }) => choice);
}

/** A hash with a final mix, so that similar names are spread. */
function weightOf(text: string): number {
	const hash = fnv1a(text);
	const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	return (mixed ^ (mixed >>> 13)) >>> 0;
}
