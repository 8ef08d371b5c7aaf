import { createGunzip } from 'node:zlib';
import type { Gunzip } from 'node:zlib';
import type { Body } from './read-body.ts';

/** The octets are not gzip (RFC 1952), or they end too early. */
export class NotGzip extends Error {
	override readonly name = 'NotGzip';
}

/**
 * Like `readPieces`, for a gzip body: passes on at most `octetsMax` inflated octets, and reads at most as many
 * deflated ones. zlib inflates some kilobytes at a time and waits until `take` has read them, so a body that would
 * inflate to gigabytes costs no more than allowed. Also throws `NotGzip`.
 */
export async function gunzipPieces(
	body: Body,
	octetsMax: number,
	take: (piece: Uint8Array) => void | Promise<void>,
): Promise<boolean> {
	const gunzip = createGunzip();
	const feeding = feed(gunzip, body, octetsMax);
	try {
		let room = octetsMax;
		for await (const piece of gunzip as AsyncIterable<Uint8Array>) {
			await take(piece.subarray(0, room));
			if (piece.length > room) return false;
			room -= piece.length;
		}
		return true;
	} catch (error) {
		if (error instanceof TooLong) return false;
		throw isOfZlib(error) ? new NotGzip('The body is not gzip', { cause: error }) : error;
	} finally {
		gunzip.destroy();
		// Until then the body is locked, and no other code can read the rest of it.
		await feeding;
	}
}

class TooLong extends Error {}

/** Never throws: failures become the error of `gunzip`. */
async function feed(gunzip: Gunzip, body: Body, octetsMax: number): Promise<void> {
	let room = octetsMax;
	try {
		for await (const piece of body?.values({ preventCancel: true }) ?? []) {
			if (piece.length > room) throw new TooLong();
			room -= piece.length;
			if (!gunzip.write(piece)) await drained(gunzip);
			if (gunzip.destroyed) return;
		}
		gunzip.end();
	} catch (error) {
		gunzip.destroy(error instanceof Error ? error : new Error(String(error)));
	}
}

/** Waits until `gunzip` has room for more, or needs no more. */
async function drained(gunzip: Gunzip): Promise<void> {
	if (gunzip.destroyed) return;
	await new Promise<void>((resolve) => {
		gunzip.once('drain', resolve);
		gunzip.once('close', resolve);
	});
}

function isOfZlib(error: unknown): boolean {
	return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}
