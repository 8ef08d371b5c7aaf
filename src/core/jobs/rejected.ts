import { assert } from '../../lib/assert.ts';
import type { Cleaned } from './clean-list.ts';
import { ROWS_PER_PAGE } from './pages.ts';

export const REJECTED_REASONS = ['duplicate', 'malformed'] as const;

/** An element of a submitted list that is not verified. */
export interface Rejected {
	/** Its position in the list as sent, from 0. */
	readonly index: number;
	readonly value: string;
	readonly reason: (typeof REJECTED_REASONS)[number];
	/** For a duplicate: the position of the element that it repeats; else null. */
	readonly duplicateOf: number | null;
}

/** Collects the elements that cleaning takes out of a list: two numbers each, since there may be 50,000. */
export class RejectedElements {
	readonly #indices: number[] = [];
	/** The position of the repeated element; -1: malformed. */
	readonly #repeated: number[] = [];
	/** The positions of the accepted elements, and of the first of each malformed text. */
	readonly #accepted: number[] = [];
	readonly #malformed = new Map<string, number>();

	/** Records one element. Call it in the order of the list. */
	see(index: number, text: string, cleaned: Cleaned): void {
		switch (cleaned.kind) {
			case 'accepted':
				this.#accepted.push(index);
				return;
			case 'malformed':
				this.#malformed.set(keyOf(text), index);
				return this.#reject(index, -1);
			case 'duplicate': {
				const of = cleaned.of === null ? this.#malformed.get(keyOf(text)) : this.#accepted[cleaned.of];
				assert(of !== undefined, 'a duplicate repeats an element before it');
				return this.#reject(index, of);
			}
		}
	}

	get count(): number {
		return this.#indices.length;
	}

	/** The texts of the stored pages, made one at a time. `emails`: the list as sent. */
	*pages(emails: readonly string[]): Iterable<string> {
		for (let first = 0; first < this.#indices.length; first += ROWS_PER_PAGE) {
			const rows = this.#indices.slice(first, first + ROWS_PER_PAGE).map((index, at) => {
				const of = this.#repeated[first + at] ?? -1;
				return JSON.stringify([index, emails[index], of < 0 ? null : of]);
			});
			yield rows.join('\n');
		}
	}

	#reject(index: number, of: number): void {
		this.#indices.push(index);
		this.#repeated.push(of);
	}
}

/** Reads a line of a stored page. */
export function decodeRejected(line: string): Rejected {
	const [index, value, of] = JSON.parse(line) as readonly [number, string, number | null];
	return { index, value, reason: of === null ? 'malformed' : 'duplicate', duplicateOf: of };
}

/** The key by which `ListCleaner` compares malformed texts. */
function keyOf(text: string): string {
	return text.trim().toLowerCase();
}
