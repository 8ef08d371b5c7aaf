import { isDisposable, isOnDisposableList } from '../core/lists/domain-kinds.ts';
import type { Clock } from '../engine/ports.ts';
import type { DisposableList, DisposableListStore } from '../operations/lists/port.ts';

const KEY = 'lists/disposable.txt';
// A new list reaches every isolate within this time; each look costs one read.
const LOOK_AGAIN_AFTER_MS = 6 * 3_600_000;

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

/** Looks domains up in the refreshed list if there is one, else in the bundled one. Cached in the isolate. */
export class DisposableLookup {
	readonly #store: DisposableListStore;
	readonly #clock: Clock;
	#domains: ReadonlySet<string> | undefined;
	#lookedAt: number | null = null;

	constructor(store: DisposableListStore, clock: Clock) {
		this.#store = store;
		this.#clock = clock;
	}

	async has(domain: string): Promise<boolean> {
		const now = this.#clock.now();
		if (this.#lookedAt === null || now - this.#lookedAt >= LOOK_AGAIN_AFTER_MS) {
			// Set first, so that one request loads the list while the others use the current one.
			this.#lookedAt = now;
			this.#domains = await this.#load();
		}
		return this.#domains === undefined ? isDisposable(domain) : isOnDisposableList(domain, this.#domains);
	}

	/** If the bucket can't be read, verification goes on with the list in use. */
	async #load(): Promise<ReadonlySet<string> | undefined> {
		try {
			const list = await this.#store.load();
			return list === null ? undefined : new Set(list.domains);
		} catch {
			return this.#domains;
		}
	}
}
