import { Resolver } from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { reversed } from './check-egress.ts';
import type { CheckDns } from './check-egress.ts';

const TIMEOUT_MS = 3_000;
const TRIES = 2;
// The name has no such record, or is not there at all. Everything else says nothing about it.
const NOTHING_THERE: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND']);

/**
 * DNS as the machine itself, and so the mail operators' view of its address, has it.
 *
 * @param server `address` or `address:port` of a name server; null: those of the system
 */
export function nodeDns(server: string | null): CheckDns {
	const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
	if (server !== null) resolver.setServers([server]);
	const addresses = async (name: string): Promise<readonly string[]> => {
		const both = await Promise.all([orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))]);
		return both.flat();
	};
	return {
		addresses,
		txt: async (name) => (await orNone(resolver.resolveTxt(name))).map((strings) => strings.join('')),
		exchangers: async (name) => (await orNone(resolver.resolveMx(name))).map(({ exchange }) => exchange),
		// Not `reverse`, which reads the machine's own hosts file first.
		names: (address) =>
			orNone(resolver.resolvePtr(`${reversed(address)}.${isIPv6(address) ? 'ip6' : 'in-addr'}.arpa`)),
	};
}

async function orNone<T>(answer: Promise<readonly T[]>): Promise<readonly T[]> {
	try {
		return await answer;
	} catch (error) {
		if (NOTHING_THERE.has((error as NodeJS.ErrnoException).code ?? '')) return [];
		throw error;
	}
}
