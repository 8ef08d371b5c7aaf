import type { DomainFacts } from '../../../src/core/catchall/domain.ts';
import type { Registration } from '../../../src/core/catchall/domain/rdap.ts';

export const MEASURED_AT = Date.UTC(2026, 10, 21, 12);
const DAY_MS = 86_400_000;

/** Facts where everything but the given ones is unknown. */
export function makeFacts(more: Partial<DomainFacts> = {}): DomainFacts {
	return {
		domain: 'acme.com',
		measuredAt: MEASURED_AT,
		spf: null,
		dmarc: null,
		parking: null,
		website: null,
		registration: null,
		published: null,
		...more,
	};
}

/** A registry's answer; `age`: days before the measurement. */
export function registration({
	age,
	holds = [],
}: {
	readonly age?: number;
	readonly holds?: Registration['holds'];
}): Registration {
	const since = age === undefined ? null : MEASURED_AT - age * DAY_MS;
	return { since, holds };
}
