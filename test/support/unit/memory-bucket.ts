interface Stored {
	readonly bytes: Uint8Array;
	readonly customMetadata: Record<string, string>;
	readonly uploaded: Date;
}

const STEP = 1_000;

/** A bucket in memory, with what our stores use of R2. */
export class MemoryBucket {
	readonly objects = new Map<string, Stored>();
	/** The keys that were read, in order. */
	readonly reads: string[] = [];
	#puts = 0;

	/** As the stores take it. */
	get r2(): R2Bucket {
		return this as unknown as R2Bucket;
	}

	/** The keys that begin so, without their beginning. */
	keysUnder(prefix: string): readonly string[] {
		return [...this.objects.keys()]
			.filter((key) => key.startsWith(prefix))
			.map((key) => key.slice(prefix.length));
	}

	async put(key: string, value: string | Uint8Array | ReadableStream, options: R2PutOptions = {}) {
		const isThere = this.objects.has(key);
		if (options.onlyIf !== undefined && isThere) return null;
		const { customMetadata = {} } = options;
		// Each later than the one before.
		const uploaded = new Date((this.#puts += 1));
		this.objects.set(key, { bytes: await new Response(value).bytes(), customMetadata, uploaded });
		return { key };
	}

	async head(key: string) {
		return this.objects.get(key) ?? null;
	}

	async get(key: string, { range }: { range?: { offset: number; length: number } } = {}) {
		this.reads.push(key);
		const stored = this.objects.get(key);
		if (stored === undefined) return null;
		const { offset, length } = range ?? { offset: 0, length: stored.bytes.length };
		const bytes = stored.bytes.subarray(offset, offset + length);
		const response = new Response(bytes);
		return {
			body: inSteps(bytes),
			text: () => response.text(),
			json: () => response.json(),
			arrayBuffer: () => response.arrayBuffer(),
		};
	}

	async list({ prefix = '' }: R2ListOptions) {
		const found = [...this.objects].filter(([key]) => key.startsWith(prefix));
		return { objects: found.map(([key, stored]) => ({ key, ...stored })), truncated: false };
	}

	async delete(keys: string | readonly string[]) {
		for (const key of [keys].flat()) this.objects.delete(key);
	}
}

function inSteps(bytes: Uint8Array): ReadableStream<Uint8Array> {
	let at = 0;
	return new ReadableStream({
		pull: (controller) => {
			if (at < bytes.length) controller.enqueue(bytes.subarray(at, at + STEP));
			else controller.close();
			at += STEP;
		},
	});
}
