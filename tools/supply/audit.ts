import { readFileSync } from 'node:fs';

export const EXPLAINED_FILE = 'tools/supply/explained.json';

/** A known weakness of a package. */
export interface Finding {
	/** `GHSA-…` */
	readonly advisory: string;
	readonly package: string;
	readonly severity: string;
	readonly title: string;
}

/** A finding that we live with for a while. */
export interface Explained {
	readonly advisory: string;
	/** Why it does not reach us. */
	readonly why: string;
	/** The last day on which that is enough, `2026-12-31`. */
	readonly until: string;
}

export function readExplained(): readonly Explained[] {
	return JSON.parse(readFileSync(EXPLAINED_FILE, 'utf8')) as readonly Explained[];
}

interface Report {
	readonly vulnerabilities?: Readonly<Record<string, { readonly via: readonly (string | Via)[] }>>;
}

interface Via {
	readonly name: string;
	readonly title: string;
	readonly url: string;
	readonly severity: string;
}

/** Reads what `npm audit --json` has printed; null if the registry could not be asked. */
export function readFindings(json: string): readonly Finding[] | null {
	const { vulnerabilities } = JSON.parse(json) as Report;
	if (vulnerabilities === undefined) return null;
	const found = Object.values(vulnerabilities)
		.flatMap(({ via }) => via)
		// A package that needs a weak one is listed by the weak one's name.
		.filter((via) => typeof via !== 'string')
		.map(({ name, title, url, severity }) => ({
			advisory: url.slice(url.lastIndexOf('/') + 1),
			package: name,
			severity,
			title,
		}));
	return [...new Map(found.map((one) => [`${one.advisory} ${one.package}`, one])).values()];
}

/** Findings that nobody has explained, explanations that are over, and such as explain nothing. */
export function auditProblems(
	findings: readonly Finding[],
	explained: readonly Explained[],
	today: string,
): readonly string[] {
	const known = new Map(explained.map((one) => [one.advisory, one]));
	return [
		...findings.flatMap(({ advisory, package: name, severity, title }) => {
			const one = known.get(advisory);
			if (one === undefined) return [`${advisory} (${severity}) in ${name}: ${title}`];
			return today > one.until ? [`${advisory} in ${name} was explained until ${one.until}`] : [];
		}),
		...explained
			.filter(({ advisory }) => !findings.some((one) => one.advisory === advisory))
			.map(({ advisory }) => `${advisory} is explained, and nothing is found: take it out`),
	];
}
