import { isDisposable, isOnDisposableList } from '../core/lists/domain-kinds.ts';
import { describeError, log } from '../lib/log.ts';
import type { Clock } from '../engine/ports.ts';
import type { DisposableList, DisposableListStore } from '../operations/lists/disposable-list.ts';
import { Reloaded } from './reloaded.ts';

const KEY = 'lists/disposable.txt';
// A new list reaches every isolate within this time; each reload costs one read.
const RELOAD_AFTER_MS = 6 * 3_600_000;

/** The refreshed list of disposable domains in R2: a text of one domain a line, with its provenance as metadata. */
export class R2DisposableList implements DisposableListStore {
	readonly #bucket: R2Bucket;

	constructor(bucket: R2Bucket) {
		this.#bucket = bucket;
	}

	async save({ domains, source, fetchedAt }: DisposableList): Promise<void> {
		await this.#bucket.put(KEY, domains.join('\n'), {
			httpMetadata: { contentType: 'text/plain; charset=utf-8' },
			customMetadata: { source, fetchedAt: String(fetchedAt), domains: String(domains.length) },
		});
	}

	async load(): Promise<DisposableList | null> {
		const object = await this.#bucket.get(KEY);
		if (object === null) return null;
		const domains = (await object.text()).split('\n');
		const { source = '', fetchedAt = '0' } = object.customMetadata ?? {};
		return { domains, source, fetchedAt: Number(fetchedAt) };
	}
}

/** Looks domains up in the refreshed list if there is one, else in the bundled one. */
export class DisposableLookup {
	readonly #list: Reloaded<ReadonlySet<string> | 'bundled'>;

	constructor(store: DisposableListStore, clock: Clock) {
		const load = async () => {
			const list = await store.load();
			return list === null ? 'bundled' : new Set(list.domains);
		};
		this.#list = new Reloaded(load, clock, RELOAD_AFTER_MS, (error) =>
			log('disposable_list_not_read', describeError(error), 'warn'),
		);
	}

	async has(domain: string): Promise<boolean> {
		const list = (await this.#list.current()) ?? 'bundled';
		return list === 'bundled' ? isDisposable(domain) : isOnDisposableList(domain, list);
	}
}
