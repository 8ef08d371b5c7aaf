/** Where work that goes on another day stands: text under a key, empty for the beginning. */
export class KeptPlace {
	readonly #bucket: R2Bucket;
	readonly #key: string;

	constructor(bucket: R2Bucket, key: string) {
		this.#bucket = bucket;
		this.#key = key;
	}

	/** Null: at the beginning. */
	async read(): Promise<string | null> {
		const object = await this.#bucket.get(this.#key);
		const place = object === null ? '' : await object.text();
		return place === '' ? null : place;
	}

	async keep(place: string | null): Promise<void> {
		await this.#bucket.put(this.#key, place ?? '');
	}
}
