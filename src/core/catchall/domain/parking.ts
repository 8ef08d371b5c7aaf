import { isInBlock, parseAddressBlock } from '../../../lib/ip-address.ts';
import {
	MARKET_PLACES,
	PARKING_ALIASES,
	PARKING_BLOCKS,
	PARKING_NAME_SERVERS,
} from './data/parking-services.ts';

/** The sign that a domain is parked, or `none`. */
export type ParkingFinding =
	| { readonly kind: 'none' }
	| { readonly kind: 'name_server' | 'address' | 'alias'; readonly service: string };

/** Answers of the DNS; null: not answered, or the DNS failed. */
export interface ParkingEvidence {
	readonly nameServers: readonly string[] | null;
	readonly addresses: readonly string[] | null;
	/** The CNAME targets of the domain and its `www`. */
	readonly aliases: readonly string[] | null;
}

/** Reads the evidence, the strongest kind first. `none` only where all three kinds were answered. */
export function readParking({ nameServers, addresses, aliases }: ParkingEvidence): ParkingFinding | null {
	const byServer = findService(nameServers ?? [], PARKING_NAME_SERVERS);
	if (byServer !== null) return { kind: 'name_server', service: byServer };
	for (const address of addresses ?? []) {
		const found = parkingBlocks().find(({ block }) => isInBlock(address, block));
		if (found !== undefined) return { kind: 'address', service: found.service };
	}
	const byAlias = findService(aliases ?? [], PARKING_ALIASES);
	if (byAlias !== null) return { kind: 'alias', service: byAlias };
	return nameServers === null || addresses === null || aliases === null ? null : { kind: 'none' };
}

/** Whether a host sells domains. */
export function isMarketPlace(host: string): boolean {
	return withParents(host).some((name) => MARKET_PLACES.has(name));
}

function findService(hosts: readonly string[], services: Readonly<Record<string, string>>): string | null {
	for (const name of hosts.flatMap(withParents)) {
		const service = Object.hasOwn(services, name) ? services[name] : undefined;
		if (service !== undefined) return service;
	}
	return null;
}

// A name has at most 127 labels. The limit bounds our work for a hostile one.
const LABELS_MAX = 127;

function withParents(host: string): string[] {
	const labels = host.toLowerCase().split('.').slice(-LABELS_MAX);
	return labels.map((_, index) => labels.slice(index).join('.'));
}

type Block = NonNullable<ReturnType<typeof parseAddressBlock>>;
let blocks: readonly { readonly block: Block; readonly service: string }[] | null = null;

function parkingBlocks(): NonNullable<typeof blocks> {
	blocks ??= Object.entries(PARKING_BLOCKS).flatMap(([text, service]) => {
		const block = parseAddressBlock(text);
		return block === null ? [] : [{ block, service }];
	});
	return blocks;
}
