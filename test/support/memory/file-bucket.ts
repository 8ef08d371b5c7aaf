import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** A bucket on disk, so that stored objects do not count as used memory. */
export function fileBucket(folder: string): R2Bucket {
	const pathOf = (key: string): string => join(folder, 'objects', key);
	const metadataOf = (key: string): string => join(folder, 'metadata', key);
	const bucket = {
		put: (key: string, text: string | Uint8Array, options?: { customMetadata?: Record<string, string> }) => {
			write(pathOf(key), text);
			write(metadataOf(key), JSON.stringify(options?.customMetadata ?? {}));
			return Promise.resolve({ key });
		},
		head: (key: string) =>
			Promise.resolve(
				existsSync(pathOf(key))
					? { customMetadata: JSON.parse(readFileSync(metadataOf(key), 'utf8')) as object }
					: null,
			),
		get: (key: string, options?: { range?: { offset: number; length: number } }) => {
			if (!existsSync(pathOf(key))) return Promise.resolve(null);
			const bytes = readFileSync(pathOf(key));
			const { offset, length } = options?.range ?? { offset: 0, length: bytes.length };
			const text = bytes.subarray(offset, offset + length).toString('utf8');
			return Promise.resolve({ text: () => Promise.resolve(text) });
		},
		list: ({ prefix }: { prefix: string }) => {
			const under = readdirSync(join(folder, 'objects'), { recursive: true, withFileTypes: true });
			const keys = under
				.filter((entry) => entry.isFile())
				.map((entry) => relative(join(folder, 'objects'), join(entry.parentPath, entry.name)));
			const objects = keys.filter((key) => key.startsWith(prefix)).map((key) => ({ key }));
			return Promise.resolve({ objects, truncated: false });
		},
		delete: () => Promise.resolve(),
	};
	return bucket as unknown as R2Bucket;
}

function write(path: string, text: string | Uint8Array): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
}
