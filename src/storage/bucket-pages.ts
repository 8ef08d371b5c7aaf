/** R2 lists and deletes at most this many keys at once. */
export const KEYS_MAX = 1_000;

export interface PageOptions {
	/** The most keys for one `list` or `delete`. */
	readonly keysMax?: number;
	/** Whether the objects bring their own metadata along. */
	readonly withMetadata?: boolean;
}

/** All objects whose keys begin so, a page at a time. */
export async function* objectPages(
	bucket: R2Bucket,
	prefix: string,
	{ keysMax = KEYS_MAX, withMetadata = false }: PageOptions = {},
): AsyncGenerator<readonly R2Object[], void, undefined> {
	let cursor: string | undefined;
	do {
		const page = await bucket.list({
			prefix,
			limit: keysMax,
			...(withMetadata ? { include: ['customMetadata'] } : {}),
			...(cursor === undefined ? {} : { cursor }),
		});
		yield page.objects;
		cursor = page.truncated ? page.cursor : undefined;
	} while (cursor !== undefined);
}

/** Deletes the objects whose keys begin so and that are due. Resolves to their number. */
export async function removeWhere(
	bucket: R2Bucket,
	prefix: string,
	isDue: (object: R2Object) => boolean,
	options: PageOptions = {},
): Promise<number> {
	let removed = 0;
	for await (const page of objectPages(bucket, prefix, options)) {
		const keys = page.filter(isDue).map(({ key }) => key);
		if (keys.length > 0) await bucket.delete(keys);
		removed += keys.length;
	}
	return removed;
}
