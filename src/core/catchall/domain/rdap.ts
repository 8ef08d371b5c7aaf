/** A registry's facts about a domain that matter here: dates and holds, no personal data. */
export type Registration =
	| { readonly kind: 'not_registered' }
	| {
			readonly kind: 'registered';
			/** The later of registration and re-registration, epoch ms; null: the registry does not publish it. */
			readonly since: number | null;
			/** Epoch ms, or null where the registry does not publish it. */
			readonly expiresAt: number | null;
			readonly holds: readonly RegistrationHold[];
	  };

/** States in which a domain does not resolve, or is about to be deleted (named as in RFC 8056 §2). */
const REGISTRATION_HOLDS = ['client hold', 'server hold', 'redemption period', 'pending delete'] as const;
type RegistrationHold = (typeof REGISTRATION_HOLDS)[number];

// The first .com dates from March 1985: an older date is a mistake.
const OLDEST = Date.UTC(1985, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);
const EVENTS_MAX = 200;

/**
 * Reads an RDAP domain object (RFC 9083 §5.3) about `domain` (A-labels). Null where `body` is no such object, or is
 * about another domain. Event actions must be exactly the registered words: `registrar expiration` is not `expiration`.
 */
export function readRdapAnswer(body: unknown, domain: string, now: number): Registration | null {
	if (!isRecord(body) || lower(body['objectClassName']) !== 'domain') return null;
	const name = lower(body['ldhName'])?.replace(/\.$/, '');
	if (name !== undefined && name !== domain.toLowerCase()) return null;
	const events = eventsOf(body['events']);
	const past = (action: string): number | null => latest(events, action, now);
	return {
		kind: 'registered',
		since: maximum([past('registration'), past('reregistration')]),
		expiresAt: latest(events, 'expiration', LATEST),
		holds: holdsOf(body['status']),
	};
}

interface RdapEvent {
	readonly action: string;
	readonly at: number;
}

function eventsOf(value: unknown): readonly RdapEvent[] {
	if (!Array.isArray(value)) return [];
	return (value as unknown[]).slice(0, EVENTS_MAX).flatMap((event): RdapEvent[] => {
		if (!isRecord(event)) return [];
		const action = lower(event['eventAction']);
		const at = readDate(event['eventDate']);
		return action === undefined || at === null ? [] : [{ action, at }];
	});
}

/** RFC 3339, with the time or the zone optional; the zone defaults to UTC. */
function readDate(value: unknown): number | null {
	if (typeof value !== 'string' || value.length > 40) return null;
	const match =
		/^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)([Zz]|[+-]\d{2}:?\d{2})?)?$/.exec(
			value,
		);
	if (match === null) return null;
	const [, day = '', time = '00:00', zone = 'Z'] = match;
	const at = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
	return Number.isFinite(at) && at >= OLDEST ? at : null;
}

function latest(events: readonly RdapEvent[], wanted: string, until: number): number | null {
	return maximum(events.filter(({ action, at }) => action === wanted && at <= until).map(({ at }) => at));
}

function maximum(values: readonly (number | null)[]): number | null {
	const known = values.filter((value) => value !== null);
	return known.length === 0 ? null : Math.max(...known);
}

function holdsOf(value: unknown): readonly RegistrationHold[] {
	if (!Array.isArray(value)) return [];
	// Some registries write EPP's `clientHold` where RDAP says `client hold`.
	const words = (value as unknown[]).slice(0, EVENTS_MAX).flatMap((status) => {
		if (typeof status !== 'string' || status.length > 100) return [];
		return [status.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()];
	});
	return REGISTRATION_HOLDS.filter((hold) => words.includes(hold));
}

function lower(value: unknown): string | undefined {
	return typeof value === 'string' ? value.toLowerCase() : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Base URLs of RDAP servers by top-level domain (or a name below it), A-labels in lower case. */
export type RdapServers = Readonly<Record<string, string>>;

const NAMES_MAX = 20_000;

/**
 * Reads a bootstrap file (RFC 9224 §4: `services` is a list of [names, base URLs]); null where it is not one.
 * The first https server of several is used; every base URL ends in a slash.
 */
export function readRdapBootstrap(body: unknown): RdapServers | null {
	const services = isRecord(body) ? body['services'] : null;
	if (!Array.isArray(services)) return null;
	const servers: Record<string, string> = Object.create(null) as Record<string, string>;
	let names = 0;
	for (const service of services) {
		const [entries, urls] = Array.isArray(service) ? (service as unknown[]) : [];
		const base = baseOf(urls);
		if (!Array.isArray(entries) || base === null) continue;
		for (const entry of entries as unknown[]) {
			if (typeof entry !== 'string' || entry.length > 253 || (names += 1) > NAMES_MAX) continue;
			servers[entry.toLowerCase()] = base;
		}
	}
	return names === 0 ? null : servers;
}

/** The server for a domain: the longest matching entry counts (RFC 9224 §4). */
export function findRdapServer(servers: RdapServers, domain: string): string | null {
	const labels = domain.toLowerCase().split('.');
	for (let from = 1; from < labels.length; from += 1) {
		const name = labels.slice(from).join('.');
		const base = Object.hasOwn(servers, name) ? servers[name] : undefined;
		if (base !== undefined) return base;
	}
	return null;
}

function baseOf(urls: unknown): string | null {
	const texts = Array.isArray(urls) ? (urls as unknown[]).filter(isHttpUrl) : [];
	const chosen = texts.find((url) => url.toLowerCase().startsWith('https:')) ?? texts[0];
	if (chosen === undefined) return null;
	return chosen.endsWith('/') ? chosen : `${chosen}/`;
}

function isHttpUrl(value: unknown): value is string {
	if (typeof value !== 'string' || value.length > 2_000 || !/^https?:\/\//i.test(value)) return false;
	return URL.canParse(value);
}
