import type { IdentityServices, SignedIn } from './port.ts';

export interface ChangeNameRequest {
	/** Empty for nothing. */
	readonly name: string;
}

/** Notes what the person wants to be called. */
export async function changeName(
	services: Pick<IdentityServices, 'people'>,
	person: SignedIn,
	request: ChangeNameRequest,
): Promise<void> {
	await services.people.rename(person.user.id, request.name);
}
