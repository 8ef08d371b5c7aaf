import { readDisposableText } from '../../core/lists/disposable-text.ts';
import type { Clock } from '../../engine/ports.ts';
import type { DisposableListStore } from './port.ts';

export interface RefreshServices {
	readonly clock: Clock;
	readonly store: DisposableListStore;
	/** The text behind a URL; throws when it can't be had or is too long. */
	readonly fetchText: (url: string) => Promise<string>;
}

export interface RefreshRequest {
	/** Where the list is, an URL. */
	readonly source: string;
}

export type Refreshed =
	| { readonly kind: 'stored'; readonly domains: number; readonly leftOut: number }
	/** The list in use stays in use. */
	| { readonly kind: 'refused'; readonly problem: string };

/** Takes a public list of disposable domains into use, with its source and date, after it was looked through. */
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
