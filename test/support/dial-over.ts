import { overWaysOut } from '../../src/prober/dial/ways-out.ts';
import type { Dialer } from '../../src/prober/ports.ts';

/** Dials by the first way out that serves, as the prober does. */
export function dialOver(
	dialer: Dialer,
	target: { readonly domain: string; readonly address: string; readonly hostName?: string },
	limitMs: number,
) {
	return overWaysOut(dialer, target, (egress) => dialer.dial({ ...target, egress }, limitMs));
}
