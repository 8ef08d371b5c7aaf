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

// The first .com dates from March 1985: an older date is a mistake.
const OLDEST = Date.UTC(1985, 0, 1);

/**
 * Reads an RDAP domain object (RFC 9083 §5.3) about `domain` (A-labels). Null where `body` is no such object, or is
 * about another domain. Event actions must be exactly the registered words: `registrar expiration` is not `expiration`.
 */
export function readRdapAnswer(body: unknown, domain: string, now: number): Registration | null {
	const { objectClassName, ldhName, events, status } = fieldsOf(body);
	const name = lower(ldhName).replace(/\.$/, '');
	if (lower(objectClassName) !== 'domain' || (name !== '' && name !== domain.toLowerCase())) return null;
	const dates = listOf(events)
		.map(fieldsOf)
		.filter(
			({ eventAction }) => lower(eventAction) === 'registration' || lower(eventAction) === 'reregistration',
		)
		.map(({ eventDate }) => readDate(eventDate))
		.filter((at) => at <= now);
	// Some registries write EPP's `clientHold` where RDAP says `client hold`.
	const states = listOf(status).map((state) =>
		typeof state === 'string' ? state.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase() : '',
	);
	return {
		since: dates.length === 0 ? null : Math.max(...dates),
		holds: REGISTRATION_HOLDS.filter((hold) => states.includes(hold)),
	};
}

const DATE = /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)([Zz]|[+-]\d{2}:?\d{2})?)?$/;

/** RFC 3339, with the time or the zone optional; the zone defaults to UTC. No date is never over. */
function readDate(value: unknown): number {
	const [, day, time = '00:00', zone = 'Z'] = DATE.exec(typeof value === 'string' ? value : '') ?? [];
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
	const servers = listOf(fieldsOf(body).services).flatMap((service) => {
		const [names, urls] = listOf(service).map(listOf);
		const known = (urls ?? [])
			.filter((url) => typeof url === 'string')
			.filter((url) => /^https?:/i.test(url) && URL.canParse(url));
		const base = known.find((url) => url.toLowerCase().startsWith('https:')) ?? known[0];
		return base === undefined
			? []
			: (names ?? []).map((name) => [lower(name), base.replace(/\/?$/, '/')] as const);
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

/** JSON that a stranger sent: anything may be anything. */
function fieldsOf(value: unknown): { readonly [field in Field]?: unknown } {
	return typeof value === 'object' && value !== null ? value : {};
}

type Field = 'objectClassName' | 'ldhName' | 'events' | 'eventAction' | 'eventDate' | 'status' | 'services';

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? (value as unknown[]) : [];
}

function lower(value: unknown): string {
	return typeof value === 'string' ? value.toLowerCase() : '';
}
