import type { IdentityServices } from './port.ts';

/** Deletes expired sessions, links (with their addresses) and throttles. */
export async function sweepIdentity(
	services: Pick<IdentityServices, 'clock' | 'people' | 'sessions' | 'attempts'>,
): Promise<void> {
	const { clock, people, sessions, attempts } = services;
	const now = clock.now();
	await people.sweepLinks(now);
	await sessions.sweep(now);
	await attempts.sweep(now);
}
