/** The service's setting under which a file is run: as it comes, or as `shared-exchangers.test.ts` wants it. */
export function exchangerVars(): Record<string, string> {
	const named = process.env['SHARED_EXCHANGERS'];
	return named === undefined ? {} : { SHARED_EXCHANGERS: named };
}

/** Connections are kept for ten seconds after the last of many questions, and for half a second after a single one. */
export const ALL_CLOSED_WITHIN_MS = 15_000;
