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
 * The operator of the mailboxes for everybody at this domain, such as Google at gmail.com; null: none that we know.
 * It needs no look-up, so it shows which addresses of a list share a budget, but not how to ask them.
 */
export function publicMailOf(domain: string): OperatorName | null {
	const exact = BY_DOMAIN.get(domain);
	if (exact !== undefined || !isFreeProvider(domain)) return exact ?? null;
	return BY_DOMAIN.get(`${domain.slice(0, domain.indexOf('.'))}.*`) ?? null;
}

/** The usual name of the operator's mail at its own domains: Gmail; null: it has none. */
export function publicNameOf(operator: OperatorName): string | null {
	const row: OperatorRow = OPERATORS[operator];
	return row.publicMail?.name ?? null;
}
