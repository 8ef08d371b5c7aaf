import type { IdentityServices } from './port.ts';

/** Deletes what has ended: sessions, links with the addresses in them, throttles. */
export async function sweepIdentity({
	clock,
	people,
	sessions,
	attempts,
}: Pick<IdentityServices, 'clock' | 'people' | 'sessions' | 'attempts'>): Promise<void> {
	const now = clock.now();
	await people.sweepLinks(now);
	await sessions.sweep(now);
	await attempts.sweep(now);
}
