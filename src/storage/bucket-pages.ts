/** All objects whose keys begin so, with their own metadata, a page at a time. */
export async function* objectPages(
	bucket: R2Bucket,
	prefix: string,
): AsyncGenerator<readonly R2Object[], void, undefined> {
	let cursor: string | undefined;
	do {
		const after = cursor === undefined ? {} : { cursor };
		const page = await bucket.list({ prefix, include: ['customMetadata'], ...after });
		yield page.objects;
		cursor = page.truncated ? page.cursor : undefined;
	} while (cursor !== undefined);
}

/** Deletes the objects whose keys begin so and that are due. Resolves to their number. */
export async function removeWhere(bucket: R2Bucket, prefix: string, isDue: (object: R2Object) => boolean) {
	let removed = 0;
	for await (const page of objectPages(bucket, prefix)) {
		// As many as one call takes: a list has 1,000 at most, and so has a deletion.
		const keys = page.filter(isDue).map(({ key }) => key);
		if (keys.length > 0) await bucket.delete(keys);
		removed += keys.length;
	}
	return removed;
}
