import { DAY_MS } from '../lib/time.ts';
import type { FactCache, Clock } from './ports.ts';

/** A domain's last answer to invented recipients, and its time (epoch ms). */
export interface KnownCatchAll {
	readonly catchAll: boolean;
	readonly at: number;
}

/** `facts`: left out where there is no memory. */
type MemoryPorts = { readonly facts?: FactCache; readonly clock: Clock };
const keyOf = (domain: string): string => `catch-all/1/${domain}`;

/** Whether the domain was a catch-all when it was last asked; null: nothing is remembered. */
export async function recallCatchAll({ facts }: MemoryPorts, domain: string): Promise<KnownCatchAll | null> {
	return ((await facts?.get(keyOf(domain))) as KnownCatchAll | undefined) ?? null;
}

/**
 * Remembers what the domain's best mail host showed about invented recipients. An administrator may switch a catch-all
 * off at any time, and switches one on more often than off.
 */
export async function rememberCatchAll(
	{ facts, clock }: MemoryPorts,
	domain: string,
	catchAll: boolean,
): Promise<void> {
	const known: KnownCatchAll = { catchAll, at: clock.now() };
	await facts?.put(keyOf(domain), known, ((catchAll ? 7 : 1) * DAY_MS) / 1000);
}
