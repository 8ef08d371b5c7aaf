/** The hints of a tool that only reads. */
export const READS = { readOnlyHint: true, openWorldHint: false } as const;
/** The hints of a tool that spends credits. */
export const SPENDS = { readOnlyHint: false, destructiveHint: false, openWorldHint: true } as const;

/** The query of a page, without what is not given. */
export function queryOf(fields: Readonly<Record<string, string | number | undefined>>): string {
	const given = Object.entries(fields).filter(([, value]) => value !== undefined);
	return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
}
