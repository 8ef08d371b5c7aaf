import { agreedDisposable, readDisposableText } from '../../core/lists/disposable-text.ts';
import type { Clock } from '../../engine/ports.ts';

/** A list of disposable domains that replaced the bundled one. */
export interface DisposableList {
	readonly domains: readonly string[];
	readonly source: string;
	/** Epoch milliseconds. */
	readonly fetchedAt: number;
}

/** Stores the refreshed list. */
export interface DisposableListStore {
	save(list: DisposableList): Promise<void>;
	/** Null: never refreshed, so the bundled list is used. */
	load(): Promise<DisposableList | null>;
}

interface RefreshServices {
	readonly clock: Clock;
	readonly store: DisposableListStore;
	/** Fetches the text of a URL; throws when that fails or the text is too long. */
	readonly fetchText: (url: string) => Promise<string>;
}

interface RefreshRequest {
	/** The URLs of the lists. One is believed as it is; of several, two must name a domain. */
	readonly sources: readonly string[];
}

type Refreshed =
	| { readonly kind: 'stored'; readonly domains: number; readonly leftOut: number }
	/** The new list was refused; the current one stays in use. */
	| { readonly kind: 'refused'; readonly problem: string };

/** Fetches public lists of disposable domains, validates them, and stores what they agree on with source and date. */
export async function refreshDisposableList(
	services: RefreshServices,
	{ sources }: RefreshRequest,
): Promise<Refreshed> {
	const lists: (readonly string[])[] = [];
	let leftOut = 0;
	for (const source of sources) {
		let text: string;
		try {
			text = await services.fetchText(source);
		} catch (error) {
			return { kind: 'refused', problem: `it could not be fetched: ${String(error)}` };
		}
		const read = readDisposableText(text);
		if (!read.ok) return { kind: 'refused', problem: read.problem };
		lists.push(read.domains);
		leftOut += read.leftOut;
	}
	const domains = agreedDisposable(lists);
	await services.store.save({ domains, source: sources.join(' '), fetchedAt: services.clock.now() });
	return { kind: 'stored', domains: domains.length, leftOut };
}
