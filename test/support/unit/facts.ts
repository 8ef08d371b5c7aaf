import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The rows of each file of facts (test/data/README.md), as far as tests read them. */
interface Facts {
	readonly addresses: {
		readonly id: string;
		readonly address: string;
		readonly consensus: string;
		readonly practical: string | null;
		readonly verdicts: Readonly<Record<string, unknown>>;
	};
	readonly 'address-differences': { readonly id: string; readonly we: string; readonly why: string };
	readonly 'mx-domains': {
		readonly domain: string;
		readonly mx: readonly string[];
		readonly provider_label?: string;
		readonly gateway_label?: string;
	};
	readonly 'list-probes': { readonly domain: string; readonly kind: string };
}

/** A row of a file. */
export type Fact<Name extends keyof Facts> = Facts[Name];

/** Reads a file. */
export function readFacts<Name extends keyof Facts>(name: Name): readonly Facts[Name][] {
	const text = readFileSync(path.join(import.meta.dirname, `../../data/${name}.jsonl`), 'utf8');
	return text
		.trimEnd()
		.split('\n')
		.map((line) => JSON.parse(line) as Facts[Name]);
}
