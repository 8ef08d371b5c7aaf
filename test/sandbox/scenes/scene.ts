import type { Behaviour } from '../behaviour.ts';
import { isBehaviour } from '../behaviours.ts';
import type { BehaviourName } from '../behaviours.ts';
import { promise } from '../expectation.ts';
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

/** What DNS and registry say of a domain, which no row can hold. */
export type Records = Pick<Scene, 'zone' | 'names' | 'registeredDaysAgo' | 'rdap'>;

/**
 * Scenes from a table: `domain | mail | addresses and promises | one sentence`.
 *
 * - mail: how `mx.<domain>` behaves, or several hosts, as `10 mx1.x.test refused, 20 mx2.x.test plain`; `-`: there is no MX record;
 *   `nowhere`: the domain is not in the DNS.
 * - promises: as `sampleOf` reads them, with semicolons between them; those of some domains are not in the table for people.
 */
export function scenesOf(table: string, records: Readonly<Record<string, Records>> = {}): readonly Scene[] {
	return rowsOf(table).map(([domain = '', mail = '', samples = '', does = '']) => ({
		domain,
		does,
		...(mail === 'nowhere' ? { exists: false } : mail === '-' ? {} : { mail: mailOf(mail) }),
		...records[domain],
		samples: samples === '' ? [] : samples.split('; ').flatMap((words) => samplesOf(words, domain)),
	}));
}

/** The cells of a table's rows. */
export function rowsOf(table: string): readonly (readonly string[])[] {
	const lines = table.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//'));
	return lines.map((line) => line.split(' |').map((cell) => cell.trim()));
}

function mailOf(words: string): NonNullable<Scene['mail']> {
	if (!words.includes(' ')) return behaviourOf(words);
	return words.split(', ').map((exchanger) => {
		const [preference, host = '', plays = ''] = exchanger.split(' ');
		return { preference: Number(preference), host, plays: behaviourOf(plays) };
	});
}

function behaviourOf(name: string): BehaviourName | DeadHost {
	if (isBehaviour(name) || name === 'refused' || name === 'unreachable' || name === 'never') return name;
	throw new Error(`no server behaves like ${name}`);
}

/** `ada, grace deliverable accepted_email no`: mailboxes, and what is promised of them; `slow` behind it: it takes its time. */
export function samplesOf(words: string, domain: string): readonly Sample[] {
	const [, locals = '', promised = '', slow] =
		/^(.+?) ((?:deliverable|undeliverable|risky|unknown) .*?)( slow)?$/.exec(words) ?? [];
	return locals.split(', ').map((local) => ({
		address: `${local}@${domain}`,
		expect: promise(promised),
		...(slow === undefined ? {} : { slow: true }),
	}));
}

/** The DMARC policy of a domain whose owner cares for its mail. */
export function healthyNames(domain: string): Readonly<Record<string, ZoneEntry>> {
	return { _dmarc: { txt: [`v=DMARC1; p=reject; rua=mailto:dmarc@${domain}`] } };
}
