import type { Answer, MxRecord, Resolver } from '../../../src/core/dns/resolver.ts';
import { fnv1a } from '../../../src/lib/digest.ts';
import { MAILBOX } from './mail-servers.ts';

/** Where the addresses of a list are, in shares of it: as people have them. */
export const MIX = [
	{ at: 'gmail.com', share: 0.45 },
	{ at: 'outlook.com', share: 0.2 },
	{ at: 'icloud.com', share: 0.05 },
	{ at: 'Microsoft 365', share: 0.15 },
	// Some of the 15 % with hosts of their own are Google's tenants, and some are behind a gateway.
	{ at: 'Workspace', share: 0.02 },
	{ at: 'gateway', share: 0.02 },
	{ at: 'own host', share: 0.11 },
] as const;
type At = (typeof MIX)[number]['at'];

const TENANTS = 20_000;
const OWN_HOSTS = 20_000;
const NO_MAILBOX = 0.1;

/** An address as lists have them; `n` makes it another than all before. */
export function drawAddress(random: () => number, n: number): string {
	const name = `${random() < NO_MAILBOX ? 'eve' : MAILBOX.slice(0, -1)}.n${n}`;
	let place = random();
	const at = MIX.find(({ share }) => (place -= share) < 0)?.at ?? 'own host';
	return `${name}@${domainOf(at, random)}`;
}

function domainOf(at: At, random: () => number): string {
	const one = (of: number): number => Math.floor(random() * of);
	switch (at) {
		case 'Microsoft 365':
			return `tenant-${one(TENANTS)}.test`;
		case 'Workspace':
			return `workspace-${one(TENANTS)}.test`;
		case 'gateway':
			return `guarded-${one(TENANTS)}.test`;
		case 'own host':
			return `own-${one(OWN_HOSTS)}.test`;
		case 'gmail.com':
		case 'outlook.com':
		case 'icloud.com':
			return at;
	}
}

/** The mail host of a domain. */
export function hostOf(domain: string): string {
	const [label = ''] = domain.split('.');
	if (domain === 'gmail.com') return 'gmail-smtp-in.l.google.com';
	if (domain === 'outlook.com') return 'outlook-com.olc.protection.outlook.com';
	if (domain === 'icloud.com') return 'mx01.mail.icloud.com';
	if (label.startsWith('tenant-')) return `${label}-test.mail.protection.outlook.com`;
	if (label.startsWith('workspace-')) return 'aspmx.l.google.com';
	if (label.startsWith('guarded-')) return `mx0a-${label}.pphosted.com`;
	return `mx.${domain}`;
}

/** A DNS that knows all of them, and answers at once. */
export const giantResolver: Resolver = {
	mx: (domain) => records<MxRecord>([{ preference: 10, exchange: hostOf(domain) }]),
	addresses: (host) => records([addressOf(host)]),
	ipv6Addresses: () => Promise.resolve({ kind: 'no_data' }),
};

function records<R>(some: readonly R[]): Promise<Answer<R>> {
	return Promise.resolve({ kind: 'records', records: some });
}

/** Public, and another one for each host, as far as four numbers go. */
function addressOf(host: string): string {
	const hash = fnv1a(host) >>> 0;
	return `20.${(hash >>> 16) & 255}.${(hash >>> 8) & 255}.${hash & 255}`;
}
