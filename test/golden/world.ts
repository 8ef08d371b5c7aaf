import { SmtpDialogue } from '../sandbox/smtp-dialogue.ts';
import type { Behaviour } from '../sandbox/behaviour.ts';
import type { Registrations } from '../sandbox/rdap-server.ts';
import type { DeadHost, Scene } from '../sandbox/scenes/scene.ts';
import { registrations } from '../sandbox/world.ts';
import type { Zones } from '../sandbox/zone-lookup.ts';
import { assignHosts, behaviourOf, buildZones, isServedBy } from '../sandbox/zones.ts';
import type { Dialogue } from './mail-server.ts';

/** A mail server, as a stranger meets it. */
export interface Server {
	readonly host: string;
	readonly behaviour: Behaviour;
	/** Begins a conversation. `firstSeen`: whom this server has met, as its greylisting remembers it. */
	talk(now: () => number, firstSeen: Map<string, number>): Dialogue;
}

/** Facts alone: DNS records, what registries say, and mail servers by their addresses. */
export interface World {
	readonly zones: Zones;
	readonly registrations: Registrations;
	readonly servers: ReadonlyMap<string, Server | DeadHost>;
	/** Pages of websites by URL; the others can't be fetched. */
	readonly pages?: ReadonlyMap<string, string>;
}

/** The world of some scenes of the sandbox. */
export function worldOf(scenes: readonly Scene[]): World {
	const hosts = assignHosts(scenes);
	const zones = buildZones(scenes, hosts);
	const servers = hosts.map((host): [string, Server | DeadHost] => {
		const played = behaviourOf(host);
		if (typeof played === 'string') return [host.address, played];
		const { name, address } = host;
		const { behaviour } = played;
		const serves = (domain: string): boolean => isServedBy(zones, domain, address);
		return [
			address,
			{
				host: name,
				behaviour,
				talk: (now, firstSeen) => new SmtpDialogue(behaviour, { host: name, now, firstSeen, serves }),
			},
		];
	});
	return { zones, registrations: registrations(scenes), servers: new Map(servers) };
}
