import type { Answer, MxRecord, Resolver } from '../../../src/core/dns/resolver.ts';
import { fnv1a } from '../../../src/lib/digest.ts';
import { MAILBOX } from './mail-servers.ts';

const NAMES = 20_000;

/** Where the addresses of a list are, in shares of it, as people have them: a domain, or as many as have a number; its mail host. */
const MIX = [
	[0.45, 'gmail.com', 'gmail-smtp-in.l.google.com'],
	[0.2, 'outlook.com', 'outlook-com.olc.protection.outlook.com'],
	[0.05, 'icloud.com', 'mx01.mail.icloud.com'],
	[0.15, 'tenant-#.test', 'tenant-#-test.mail.protection.outlook.com'],
	// Some of the 15 % with hosts of their own are Google's tenants, and some are behind a gateway.
	[0.02, 'workspace-#.test', 'aspmx.l.google.com'],
	[0.02, 'guarded-#.test', 'mx0a-guarded-#.pphosted.com'],
	[0.11, 'own-#.test', 'mx.own-#.test'],
] as const;

const NO_MAILBOX = 0.1;

/** An address as lists have them; `n` makes it another than all before. */
export function drawAddress(random: () => number, n: number): string {
	const name = `${random() < NO_MAILBOX ? 'eve' : MAILBOX.slice(0, -1)}.n${n}`;
	let place = random();
	const [, domain] = MIX.find(([share]) => (place -= share) < 0) ?? MIX[6];
	return `${name}@${domain.replace('#', () => String(Math.floor(random() * NAMES)))}`;
}

/** The mail host of a domain. */
export function hostOf(domain: string): string {
	const number = /\d+/.exec(domain)?.[0] ?? '';
	const [, , host] = MIX.find(([, name]) => name.replace('#', number) === domain) ?? MIX[6];
	return host.replace('#', number);
}

/** A DNS that knows all of them, and answers at once. */
export const giantResolver: Resolver = {
	mx: (domain) => records<MxRecord>([{ preference: 10, exchange: hostOf(domain) }]),
	look: (host) => records([addressOf(host)]),
};

function records<R>(some: readonly R[]): Promise<Answer<R>> {
	return Promise.resolve({ kind: 'records', records: some });
}

/** Public, and another one for each host, as far as four numbers go. */
function addressOf(host: string): string {
	const hash = fnv1a(host) >>> 0;
	return `20.${(hash >>> 16) & 255}.${(hash >>> 8) & 255}.${hash & 255}`;
}
