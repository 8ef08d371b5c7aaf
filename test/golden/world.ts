import { SmtpDialogue } from '../sandbox/smtp-dialogue.ts';
import type { Behaviour } from '../sandbox/behaviour.ts';
import type { Registrations } from '../sandbox/rdap-server.ts';
import type { DeadHost, Scene } from '../sandbox/scenes/scene.ts';
import { registrations } from '../sandbox/world.ts';
import type { Zones } from '../sandbox/zone-lookup.ts';
import { assignHosts, buildZones, isServedBy } from '../sandbox/zones.ts';
import type { SessionParts } from '../sandbox/smtp-session.ts';

/** A mail server, as a stranger meets it. */
export interface Server {
	readonly host: string;
	readonly behaviour: Behaviour;
	/** Begins a conversation. `firstSeen`: whom this server has met, as its greylisting remembers it. */
	talk(now: () => number, firstSeen: Map<string, number>): SessionParts['dialogue'];
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
	const servers = hosts.map(({ name: host, address, plays }): [string, Server | DeadHost] => {
		if (typeof plays === 'string') return [address, plays];
		const serves = (domain: string): boolean => isServedBy(zones, domain, address);
		const talk: Server['talk'] = (now, firstSeen) =>
			new SmtpDialogue(plays, { host, now, firstSeen, serves });
		return [address, { host, behaviour: plays, talk }];
	});
	return { zones, registrations: registrations(scenes), servers: new Map(servers) };
}
