import * as z from 'zod';

/** The registry may know how old the domain is, and did not tell us in time. */
export const NOT_TOLD = 'not_told';

/** A registry's facts about a domain that matter here: dates and holds, no personal data. */
export interface Registration {
	/** The later of registration and re-registration, epoch ms; null: the registry does not publish it. */
	readonly since: number | null;
	readonly holds: readonly RegistrationHold[];
}

/** States in which a domain does not resolve, or is about to be deleted (named as in RFC 8056 §2). */
const REGISTRATION_HOLDS = ['client hold', 'server hold', 'redemption period', 'pending delete'] as const;
type RegistrationHold = (typeof REGISTRATION_HOLDS)[number];

// JSON that a stranger sent: whatever is not as it should be counts as left out.
const text = z.string().catch('');
const event = z.object({ eventAction: text, eventDate: text }).catch({ eventAction: '', eventDate: '' });
const domainObject = z.object({
	objectClassName: text,
	ldhName: text,
	events: z.array(event).catch([]),
	status: z.array(text).catch([]),
});
const bootstrap = z.object({ services: z.array(z.array(z.array(text).catch([])).catch([])).catch([]) });

// The first .com dates from March 1985: an older date is a mistake.
const OLDEST = Date.UTC(1985, 0, 1);

/**
 * Reads an RDAP domain object (RFC 9083 §5.3) about `domain` (A-labels). Null where `body` is no such object, or is
 * about another domain. Event actions must be exactly the registered words: `registrar expiration` is not `expiration`.
 */
export function readRdapAnswer(body: unknown, domain: string, now: number): Registration | null {
	const { data } = domainObject.safeParse(body);
	const name = data?.ldhName.toLowerCase().replace(/\.$/, '');
	if (data?.objectClassName.toLowerCase() !== 'domain' || (name !== '' && name !== domain.toLowerCase()))
		return null;
	const dates = data.events
		.filter(({ eventAction }) => /^(?:re)?registration$/i.test(eventAction))
		.map(({ eventDate }) => readDate(eventDate))
		.filter((at) => at <= now);
	// Some registries write EPP's `clientHold` where RDAP says `client hold`.
	const states = data.status.map((state) => state.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase());
	return {
		since: dates.length === 0 ? null : Math.max(...dates),
		holds: REGISTRATION_HOLDS.filter((hold) => states.includes(hold)),
	};
}

const DATE = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/** RFC 3339, with the time or the zone optional; the zone defaults to UTC. No date is never over. */
function readDate(value: string): number {
	const [, day, time = '00:00', zone = 'Z'] = DATE.exec(value) ?? [];
	const at = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
	return at >= OLDEST ? at : Infinity;
}

/** Base URLs of RDAP servers by top-level domain (or a name below it), A-labels in lower case. */
export type RdapServers = Readonly<Record<string, string>>;

/**
 * Reads a bootstrap file (RFC 9224 §4: `services` is a list of [names, base URLs]); null where it is not one.
 * The first https server of several is used; every base URL ends in a slash.
 */
export function readRdapBootstrap(body: unknown): RdapServers | null {
	const { services = [] } = bootstrap.safeParse(body).data ?? {};
	const servers = services.flatMap(([names = [], urls = []]) => {
		const known = urls.filter((url) => /^https?:/i.test(url) && URL.canParse(url));
		const base = known.find((url) => url.toLowerCase().startsWith('https:')) ?? known[0];
		return base === undefined
			? []
			: names.map((name) => [name.toLowerCase(), base.replace(/\/?$/, '/')] as const);
	});
	return servers.length === 0 ? null : Object.fromEntries(servers);
}

/** The server for a domain: the longest matching entry counts (RFC 9224 §4). */
export function findRdapServer(servers: RdapServers, domain: string): string | null {
	const labels = domain.toLowerCase().split('.');
	const names = labels.map((_, from) => labels.slice(from).join('.')).slice(1);
	const known = names.find((name) => Object.hasOwn(servers, name));
	return known === undefined ? null : (servers[known] ?? null);
}
