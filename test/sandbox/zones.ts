import { domainToASCII } from 'node:url';
import type { Behaviour } from './behaviour.ts';
import { BEHAVIOURS, isBehaviour } from './behaviours.ts';
import type { DeadHost, Exchanger, Scene } from './scenes/scene.ts';
import type { ZoneEntry, Zones } from './zone-lookup.ts';
import { addressesOf, lookup } from './zone-lookup.ts';

/** The benchmarking range (RFC 2544, RFC 6890): never routed, so a mistake cannot reach anybody. */
export const SANDBOX_RANGE = '198.18.0.0/15';

/** A host that takes mail, or fails to. */
export interface MailHost {
	readonly name: string;
	/** Its address in SANDBOX_RANGE. */
	readonly address: string;
	readonly plays: Behaviour | DeadHost;
}

/** The mail exchangers of a scene. */
export function exchangersOf({ domain, mail }: Scene): readonly Exchanger[] {
	if (mail === undefined) return [];
	return typeof mail === 'string'
		? [{ preference: 10, host: `mx.${domainToASCII(domain)}`, plays: mail }]
		: mail;
}

/** Gives each mail host of the scenes an address, in the order of their appearance. */
export function assignHosts(scenes: readonly Scene[]): MailHost[] {
	const plays = new Map(scenes.flatMap(exchangersOf).map((exchanger) => [exchanger.host, exchanger.plays]));
	return [...plays].map(([name, played], i) => ({
		name,
		// Each in a network of its own, as strangers are.
		address: `198.${18 + Math.floor(i / 256)}.${i % 256}.10`,
		plays: typeof played === 'string' && isBehaviour(played) ? BEHAVIOURS[played] : played,
	}));
}

/** The zone table of the scenes, with the example domains as they are in the real DNS. */
export function buildZones(scenes: readonly Scene[], hosts: readonly MailHost[]): Zones {
	const zones = new Map<string, ZoneEntry>();
	for (const name of ['example.com', 'example.net', 'example.org']) zones.set(name, { mx: [[0, '.']] });
	for (const { name, address } of hosts) zones.set(name, { a: [address] });
	// By this name the Worker tells a broken name from a broken resolver.
	zones.set('gmail.com', { mx: [[5, 'aspmx.l.google.com']] });
	for (const scene of scenes) {
		if (scene.exists === false) continue;
		const domain = domainToASCII(scene.domain);
		const mx = exchangersOf(scene).map(({ preference, host }) => [preference, host] as const);
		zones.set(domain, {
			ns: ['ns1.sandbox.test', 'ns2.sandbox.test'],
			mx,
			...zones.get(domain),
			...scene.zone,
		});
		for (const [label, entry] of Object.entries(scene.names ?? {})) zones.set(`${label}.${domain}`, entry);
	}
	return zones;
}

/** Whether mail for `domain` goes to `address`, by MX or, without one, by the domain's own address. */
export function isServedBy(zones: Zones, domain: string, address: string): boolean {
	const found = lookup(zones, domain, 'MX');
	if (found.kind !== 'answer') return false;
	const exchanges = found.answers.flatMap((record) => (record.type === 'MX' ? [record.data.exchange] : []));
	return (exchanges.length > 0 ? exchanges : [domain]).some((host) =>
		addressesOf(zones, host).includes(address),
	);
}
