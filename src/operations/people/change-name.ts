import type { IdentityServices, SignedIn } from './port.ts';

export interface ChangeNameRequest {
	/** Empty: no name. */
	readonly name: string;
}

/** Changes the person's name. */
export async function changeName(
	services: Pick<IdentityServices, 'people'>,
	person: SignedIn,
	request: ChangeNameRequest,
): Promise<void> {
	await services.people.rename(person.user.id, request.name);
}
