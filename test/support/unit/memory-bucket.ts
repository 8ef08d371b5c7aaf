interface Stored {
	readonly bytes: Uint8Array;
	readonly customMetadata: Record<string, string>;
}

const STEP = 1_000;

/** A bucket in memory, with what our stores use of R2. */
export class MemoryBucket {
	readonly #objects: Map<string, Stored>;
	/** The keys that were read, in order. */
	readonly reads: string[] = [];

	constructor(objects = new Map<string, Stored>()) {
		this.#objects = objects;
	}

	/** As the stores take it. */
	get r2(): R2Bucket {
		return this as unknown as R2Bucket;
	}

	async put(key: string, value: string | Uint8Array, options: R2PutOptions = {}) {
		if (options.onlyIf !== undefined && this.#objects.has(key)) return null;
		const { customMetadata = {} } = options;
		this.#objects.set(key, { bytes: await new Response(value).bytes(), customMetadata });
		return { key };
	}

	async head(key: string) {
		return this.#objects.get(key) ?? null;
	}

	async get(key: string, { range }: { range?: { offset: number; length: number } } = {}) {
		this.reads.push(key);
		const stored = this.#objects.get(key);
		if (stored === undefined) return null;
		const { offset, length } = range ?? { offset: 0, length: stored.bytes.length };
		const bytes = stored.bytes.subarray(offset, offset + length);
		const response = new Response(bytes);
		return {
			body: inSteps(bytes),
			text: () => response.text(),
			json: () => response.json(),
		};
	}

	async delete(key: string) {
		this.#objects.delete(key);
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
