import type { Behaviour } from '../behaviour.ts';
import type { BehaviourName } from '../behaviours.ts';
import type { Expectation } from '../expectation.ts';
import type { RdapStory } from '../rdap-server.ts';
import type { ZoneEntry } from '../zone-lookup.ts';

/** How a mail host that has no server fails: port closed (05), no route (04), or no answer to a SYN at all. */
export type DeadHost = 'refused' | 'unreachable' | 'never';

/** A mail exchanger of a scene. Hosts of the same name are the same server. */
export interface Exchanger {
	readonly preference: number;
	readonly host: string;
	/** A behaviour by name, or one that only this host has. */
	readonly plays: BehaviourName | Behaviour | DeadHost;
}

/** One address to try and what to expect. */
interface Sample {
	readonly address: string;
	readonly expect: Expectation;
	/** Takes more than about three seconds. */
	readonly slow?: true;
}

/** One domain of the sandbox: who takes its mail, what DNS says of it, and which addresses show it. */
export interface Scene {
	readonly domain: string;
	/** One sentence for people. */
	readonly does: string;
	/** One server `mx.<domain>`, or the list of them; none: no MX record is made. */
	readonly mail?: BehaviourName | DeadHost | readonly Exchanger[];
	/** DNS of the domain itself, over what `mail` makes. */
	readonly zone?: ZoneEntry;
	/** Names under the domain. */
	readonly names?: Readonly<Record<string, ZoneEntry>>;
	/** Left out: not in DNS at all. */
	readonly exists?: false;
	readonly registeredDaysAgo?: number;
	/** What else the registry says. */
	readonly rdap?: Partial<RdapStory>;
	readonly samples: readonly Sample[];
}

/** A scene with one address that is `local` at the domain. */
export function scene(
	domain: string,
	does: string,
	mail: BehaviourName | DeadHost | readonly Exchanger[],
	expect: Expectation,
	more: { local?: string; slow?: true } = {},
): Scene {
	const { local = 'ada', ...rest } = more;
	return { domain, does, mail, samples: [{ address: `${local}@${domain}`, expect, ...rest }] };
}

/** The DMARC policy of a domain whose owner cares for its mail. */
export function healthyNames(domain: string): Readonly<Record<string, ZoneEntry>> {
	return { _dmarc: { txt: [`v=DMARC1; p=reject; rua=mailto:dmarc@${domain}`] } };
}

/** The SPF record of a domain that sends mail. */
export const SPF = 'v=spf1 mx -all';
