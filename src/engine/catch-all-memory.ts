import { DAY_MS } from '../lib/time.ts';
import type { ExaminePorts, Findings, KnownCatchAll } from './case.ts';

// Whether a domain takes every recipient, as its mail host last showed it. An administrator may switch a catch-all off
// at any time, and switches one on more often than off.

const KEPT_DAYS = { catchAll: 7, none: 1 } as const;
const keyOf = (domain: string): string => `catch-all/1/${domain}`;

type MemoryPorts = Pick<ExaminePorts, 'facts' | 'clock'>;

/** Whether the domain was a catch-all when it was last asked; null: nothing is remembered. */
export async function recallCatchAll({ facts }: MemoryPorts, domain: string): Promise<KnownCatchAll | null> {
	return ((await facts?.get(keyOf(domain))) as KnownCatchAll | undefined) ?? null;
}

/** Remembers what the domain's best mail host showed about invented recipients, if it showed anything. */
export async function rememberCatchAll(
	{ facts, clock }: MemoryPorts,
	domain: string,
	found: readonly (Findings | null)[],
): Promise<void> {
	const invented = found.find((findings) => (findings?.invented ?? null) !== null)?.invented;
	if (invented === undefined || invented === null) return;
	const catchAll = invented === 'accepted';
	const days = catchAll ? KEPT_DAYS.catchAll : KEPT_DAYS.none;
	const known: KnownCatchAll = { catchAll, at: clock.now() };
	await facts?.put(keyOf(domain), known, (days * DAY_MS) / 1000);
}
