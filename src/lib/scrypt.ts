import { scrypt } from 'node:crypto';

/** The cost of scrypt (RFC 7914 §2). Cloudflare refuses more than N·r·p = 2^20. */
export interface ScryptCost {
	/** N is 2 to the power of this. */
	readonly logN: number;
	readonly r: number;
	readonly p: number;
}

/** Derives `octets` bytes from a text (RFC 7914). Takes about 150 ms, on purpose. */
export async function deriveByScrypt(
	text: string,
	salt: Uint8Array,
	{ logN, r, p }: ScryptCost,
	octets: number,
): Promise<Uint8Array> {
	return new Promise((resolve, reject) => {
		// Node's default of 32 MiB is slightly too little for N = 2^14, r = 8.
		const options = { N: 2 ** logN, r, p, maxmem: 64 * 1024 * 1024 };
		scrypt(text, salt, octets, options, (error, derived) => {
			if (error === null) resolve(derived);
			else reject(error);
		});
	});
}
