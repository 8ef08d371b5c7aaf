import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { directSource } from '../../core/egress/egress.ts';
import type { Egress } from '../../core/egress/egress.ts';
import { isPublicAddress } from '../../lib/ip-address.ts';

/** Public addresses of both families: to find by which address this machine speaks to the Internet, no more. */
export const ANYWHERE = ['1.1.1.1', '2606:4700:4700::1111'] as const;

/** By which of its addresses this machine would speak to another. Nothing is sent for it. */
export async function sourceTowards(address: string): Promise<string | null> {
	const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
	try {
		const connected = once(socket, 'connect');
		socket.connect(25, address);
		await connected;
		return socket.address().address;
	} catch {
		return null;
	} finally {
		socket.close();
	}
}

/**
 * The ways out, with `direct` known by the source address that the system chooses for it: so it keeps its warm-up when that
 * address is named. By IPv4 alone, since machines change their own IPv6 addresses daily; behind a NAT it stays `direct`.
 */
export async function withSystemSource(
	egresses: readonly Egress[],
	sourceOf: typeof sourceTowards = sourceTowards,
): Promise<readonly Egress[]> {
	const source = await sourceOf(ANYWHERE[0]);
	if (source === null || !isPublicAddress(source)) return egresses;
	return egresses.map((egress) =>
		egress.kind === 'direct' && egress.host === '' ? { ...egress, source: directSource(source) } : egress,
	);
}
