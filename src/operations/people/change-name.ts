import type { IdentityServices, SignedIn } from './port.ts';

/** What the person wants to be called; empty for nothing. */
export async function changeName(
	services: Pick<IdentityServices, 'people'>,
	{ user }: SignedIn,
	name: string,
): Promise<void> {
	await services.people.rename(user.id, name);
}
