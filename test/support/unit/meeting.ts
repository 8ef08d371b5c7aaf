import type { Meeting } from '../../../src/prober/ports.ts';

/** The question of an account that pays, about a domain. */
export function meeting(domain: string, asker: string | null = 'acc_1', isTrial = false): Meeting {
	return { domain, asker, isTrial, address: '192.0.2.1', operator: null };
}
