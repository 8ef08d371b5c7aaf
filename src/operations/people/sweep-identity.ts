import type { IdentityServices } from './port.ts';

/** Deletes expired sessions, links (with their addresses), throttles, and activity that is told no longer. */
export async function sweepIdentity(
	services: Pick<IdentityServices, 'clock' | 'people' | 'sessions' | 'attempts' | 'activities'>,
): Promise<void> {
	const { clock, people, sessions, attempts, activities } = services;
	const now = clock.now();
	await people.sweepLinks(now);
	await sessions.sweep(now);
	await attempts.sweep(now);
	await activities.sweep(now);
}
