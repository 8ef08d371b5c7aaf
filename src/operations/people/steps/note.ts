import type { Activity, IdentityServices } from '../port.ts';

/** The services that record an activity. */
export type NoteServices = Pick<IdentityServices, 'activities' | 'clock' | 'later'>;

// Its text is the owner's own, and may be long.
const ABOUT_MAX = 200;

/**
 * Tells the owner of an account what happened to it, after the response: a list for reading must neither delay nor undo
 * what was done. If we die in between, the line is missing.
 */
export function note(
	{ activities, clock, later }: NoteServices,
	accountId: string,
	{ kind, device = null, about = null, by = null }: Pick<Activity, 'kind'> & Partial<Activity>,
): void {
	const at = clock.now();
	later(() =>
		activities.record(accountId, { at, kind, device, about: about?.slice(0, ABOUT_MAX) ?? null, by }),
	);
}
