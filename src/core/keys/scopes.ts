/** What a key may do. `read` spends nothing and changes nothing. */
export const SCOPES = ['verify', 'lists', 'read'] as const;
export type Scope = (typeof SCOPES)[number];

/** What each scope lets a key do, for the pages and the guide. */
export const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
	verify: 'Verify single addresses, and send feedback',
	lists: 'Start, read, finish and delete lists and catch-all checks; manage webhooks',
	read: 'Read lists, results and webhooks, which spends nothing',
};

/** The scopes of which a key needs one for a call, or that any key may make it. */
export type NeededScopes = readonly Scope[] | 'any key';

/** The scopes of which a call that reads needs one: a program that starts lists may read them, too. */
export const READING = ['lists', 'read'] as const satisfies readonly Scope[];

/** Whether a key with these scopes may make a call that needs one of those. */
export function isInScope(held: readonly Scope[], needed: readonly Scope[] | null): boolean {
	return needed === null || needed.some((scope) => held.includes(scope));
}

/** The scopes that are written as text, separated by spaces. Words that we do not know allow nothing. */
export function parseScopes(text: string): readonly Scope[] {
	const words = text.split(' ');
	return SCOPES.filter((scope) => words.includes(scope));
}
