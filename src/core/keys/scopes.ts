/** What a key may do. `read` spends nothing and changes nothing. */
export const SCOPES = ['verify', 'lists', 'read'] as const;
export type Scope = (typeof SCOPES)[number];

/** What each scope lets a key do, for the pages and the guide. */
export const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
	verify: 'Verify single addresses, and send feedback',
	lists: 'Start, read, finish and delete lists and catch-all checks; manage webhooks',
	read: 'Read lists, results and webhooks, which spends nothing',
};

/**
 * The scopes of which a key needs one for a call; null: any key may make it. A scope that starts work may read it too,
 * so that a program that starts lists needs one scope.
 */
export function scopesFor(method: string, path: string): readonly Scope[] | null {
	const isReading = method === 'GET' || method === 'HEAD';
	if (/^\/v1\/(?:verify|feedback)$/.test(path)) return ['verify'];
	if (/^\/v1\/(?:verify-batch|jobs|catchall|webhooks)(?:\/|$)/.test(path))
		return isReading ? ['lists', 'read'] : ['lists'];
	// The balance, which the answers of every other call carry too, and paths that do not exist.
	return null;
}

/** Whether a key with these scopes may make a call that needs one of those. */
export function isInScope(held: readonly Scope[], needed: readonly Scope[] | null): boolean {
	return needed === null || needed.some((scope) => held.includes(scope));
}

/** The scopes that are written as text, separated by spaces. Words that we do not know allow nothing. */
export function parseScopes(text: string): readonly Scope[] {
	const words = text.split(' ');
	return SCOPES.filter((scope) => words.includes(scope));
}
