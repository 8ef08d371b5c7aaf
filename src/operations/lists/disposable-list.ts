import { readDisposableText } from '../../core/lists/disposable-text.ts';
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
	/** The URL of the list. */
	readonly source: string;
}

type Refreshed =
	| { readonly kind: 'stored'; readonly domains: number; readonly leftOut: number }
	/** The new list was refused; the current one stays in use. */
	| { readonly kind: 'refused'; readonly problem: string };

/** Fetches a public list of disposable domains, validates it, and stores it with its source and date. */
export async function refreshDisposableList(
	services: RefreshServices,
	request: RefreshRequest,
): Promise<Refreshed> {
	const { source } = request;
	let text: string;
	try {
		text = await services.fetchText(source);
	} catch (error) {
		return { kind: 'refused', problem: `it could not be fetched: ${String(error)}` };
	}
	const read = readDisposableText(text);
	if (!read.ok) return { kind: 'refused', problem: read.problem };
	await services.store.save({ domains: read.domains, source, fetchedAt: services.clock.now() });
	return { kind: 'stored', domains: read.domains.length, leftOut: read.leftOut };
}
