import { isFreeProvider } from '../lists/domain-kinds.ts';
import type { OperatorRow } from './operator-row.ts';
import { OPERATORS } from './operators.ts';
import type { OperatorName } from './operators.ts';

interface PublicMail {
	readonly operator: OperatorName;
	readonly domain: string;
}

const ROWS = Object.entries(OPERATORS) as readonly [OperatorName, OperatorRow][];
const DOMAINS = ROWS.flatMap(([operator, { publicMail }]) =>
	(publicMail?.domains.split(' ') ?? []).map((domain): PublicMail => ({ operator, domain })),
);
const BY_DOMAIN: ReadonlyMap<string, OperatorName> = new Map(
	DOMAINS.map(({ operator, domain }) => [domain, operator]),
);

/**
 * The operator that gives mailboxes to everybody at this domain, such as Google's at gmail.com; null: none that we know.
 * Known without a look-up, so it can say which addresses of a list will wait for each other, but not how they are asked.
 */
export function publicMailOf(domain: string): OperatorName | null {
	const exact = BY_DOMAIN.get(domain);
	if (exact !== undefined || !isFreeProvider(domain)) return exact ?? null;
	return BY_DOMAIN.get(`${domain.slice(0, domain.indexOf('.'))}.*`) ?? null;
}

/** What people call the operator's mail at its own domains: Gmail; null: it has none. */
export function publicNameOf(operator: OperatorName): string | null {
	const row: OperatorRow = OPERATORS[operator];
	return row.publicMail?.name ?? null;
}
