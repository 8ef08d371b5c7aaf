import type { Probers, SeenProber } from './port.ts';

export interface ShowProbersServices {
	readonly probers: Probers;
}

/** How each prober is, and what mail operators think of its source addresses. */
export function showProbers(services: ShowProbersServices): Promise<readonly SeenProber[]> {
	return services.probers.states();
}
