import { readOctets } from '../lib/read-body.ts';

/** The first `octetsMax` octets of a response, and whether that is all of it. The rest is cancelled. */
export async function readResponse(response: Response, octetsMax: number): ReturnType<typeof readOctets> {
	const read = await readOctets(response.body, octetsMax);
	if (!read.isWhole) await response.body?.cancel();
	return read;
}
