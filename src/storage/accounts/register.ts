import { ServiceError } from '../../errors.ts';
import type { AccountRegister } from '../../operations/accounts/directory-port.ts';

const ROOT = 'accounts/';

/** The register as empty objects in R2, named by the accounts. Nothing expires there. */
export class R2AccountRegister implements AccountRegister {
	readonly #bucket: R2Bucket;

	constructor(bucket: R2Bucket) {
		this.#bucket = bucket;
	}

	async enter(accountId: string): Promise<void> {
		try {
			// The first entry stays, and its time with it.
			await this.#bucket.put(`${ROOT}${accountId}`, '', { onlyIf: { etagDoesNotMatch: '*' } });
		} catch (cause) {
			const message = 'Accounts can not be opened at the moment';
			throw new ServiceError('upstream_unavailable', message, { cause });
		}
	}

	async enteredAt(accountId: string): Promise<number | null> {
		const entry = await this.#bucket.head(`${ROOT}${accountId}`);
		return entry?.uploaded.getTime() ?? null;
	}

	async nextAccount(after: string | null): Promise<string | null> {
		const startAfter = `${ROOT}${after ?? ''}`;
		const { objects } = await this.#bucket.list({ prefix: ROOT, startAfter, limit: 1 });
		return objects[0]?.key.slice(ROOT.length) ?? null;
	}
}
