import type { VerifiedAddresses } from '../operations/verify/history-port.ts';
import { KEYS_MAX } from './bucket-pages.ts';

const ROOT = 'verifications/';

/** Addresses in R2, as bodies of objects: metadata may lie in a database, which forgets late. */
export class R2VerifiedAddresses implements VerifiedAddresses {
	readonly #bucket: R2Bucket;
	readonly #keysMax: number;

	/** `keysMax`: the most keys for one `list` or `delete`. */
	constructor(bucket: R2Bucket, keysMax = KEYS_MAX) {
		this.#bucket = bucket;
		this.#keysMax = keysMax;
	}

	async put(accountId: string, id: string, email: string): Promise<void> {
		await this.#bucket.put(keyOf(accountId, id), email);
	}

	async read(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
		const found = new Map<string, string>();
		await Promise.all(
			ids.map(async (id) => {
				const object = await this.#bucket.get(keyOf(accountId, id));
				if (object !== null) found.set(id, await object.text());
			}),
		);
		return found;
	}

	async remove(accountId: string, ids: readonly string[]): Promise<void> {
		for (let from = 0; from < ids.length; from += this.#keysMax)
			await this.#bucket.delete(ids.slice(from, from + this.#keysMax).map((id) => keyOf(accountId, id)));
	}
}

function keyOf(accountId: string, id: string): string {
	return `${ROOT}${accountId}/${id}`;
}
