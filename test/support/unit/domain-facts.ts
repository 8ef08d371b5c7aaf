import type { DnsFacts, DomainFacts } from '../../../src/core/catchall/domain-facts.ts';
import { NO_DNS_FACTS } from '../../../src/core/catchall/domain-facts.ts';
import type { Registration } from '../../../src/core/catchall/domain/rdap.ts';

export const MEASURED_AT = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;

/** Facts where everything but the given ones is unknown. */
export function makeFacts(
	more: Partial<Omit<DomainFacts, 'dns'>> & { dns?: Partial<DnsFacts> } = {},
): DomainFacts {
	return {
		domain: 'acme.com',
		registrable: 'acme.com',
		measuredAt: MEASURED_AT,
		mtaSts: null,
		website: null,
		registration: null,
		publishedInDns: null,
		publishedOnSite: null,
		...more,
		dns: { ...NO_DNS_FACTS, ...more.dns },
	};
}

type Registered = Extract<Registration, { kind: 'registered' }>;

/** Days before the measurement; `expiresIn`: days after it. */
interface Days {
	readonly age?: number;
	readonly reregistered?: number;
	readonly transferred?: number;
	readonly expiresIn?: number;
	readonly holds?: Registered['holds'];
}

function before(days: number | undefined): number | null {
	return days === undefined ? null : MEASURED_AT - days * DAY_MS;
}

/** A registry's answer. */
export function registration({ age, reregistered, transferred, expiresIn, holds = [] }: Days): Registered {
	return {
		kind: 'registered',
		since: before(age),
		reregisteredAt: before(reregistered),
		transferredAt: before(transferred),
		expiresAt: before(expiresIn === undefined ? undefined : -expiresIn),
		holds,
	};
}
