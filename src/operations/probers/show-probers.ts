import type { Probers, SeenProber } from './port.ts';

export interface ShowProbersServices {
	readonly probers: Probers;
}

/** How each prober is, and what mail operators think of its source addresses. */
export function showProbers({ probers }: ShowProbersServices): Promise<readonly SeenProber[]> {
	return probers.states();
}
