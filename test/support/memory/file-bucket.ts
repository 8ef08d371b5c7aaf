import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What the steps use of a bucket, on disk, so that stored objects do not count as used memory. */
export function fileBucket(folder: string): R2Bucket {
	const pathOf = (key: string): string => join(folder, 'objects', key);
	const metadataOf = (key: string): string => join(folder, 'metadata', key);
	const bucket = {
		put: async (
			key: string,
			text: string | Uint8Array,
			options?: { customMetadata?: Record<string, string> },
		) => {
			write(pathOf(key), text);
			write(metadataOf(key), JSON.stringify(options?.customMetadata ?? {}));
			return { key };
		},
		head: async (key: string) =>
			existsSync(pathOf(key))
				? { customMetadata: JSON.parse(readFileSync(metadataOf(key), 'utf8')) as object }
				: null,
		get: async (key: string, options?: { range?: { offset: number; length: number } }) => {
			if (!existsSync(pathOf(key))) return null;
			const bytes = readFileSync(pathOf(key));
			const { offset, length } = options?.range ?? { offset: 0, length: bytes.length };
			return { text: async () => bytes.subarray(offset, offset + length).toString('utf8') };
		},
	};
	return bucket as unknown as R2Bucket;
}

function write(path: string, text: string | Uint8Array): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}
