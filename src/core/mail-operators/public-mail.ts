import type { Address } from '../address/parse-address.ts';
import { isFreeProvider, mailboxName } from '../lists/domain-kinds.ts';
import type { OperatorRow } from './operator-row.ts';
import { OPERATORS, wordOf } from './operators.ts';
import type { OperatorName } from './operators.ts';

const ROWS = Object.entries(OPERATORS) as readonly [OperatorName, OperatorRow][];
const BY_DOMAIN: ReadonlyMap<string, OperatorName> = new Map(
	ROWS.flatMap(([operator, { publicMail }]) =>
		(publicMail?.domains.split(' ') ?? []).map((domain) => [domain, operator]),
	),
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

const WITH_TAGS: ReadonlySet<string | null> = new Set(
	ROWS.filter(([, row]) => row.plusTags === true).map(([name]) => wordOf(name)),
);

/**
 * The spelling that all names of a mailbox share by its operator's rules: without plus tag, in lower case, at Gmail
 * without dots. An address whose operator has no known rules stays as it is: a wrong rule would merge two people.
 *
 * @param smtpProvider the operator's name in results; null: the domain alone tells
 */
export function canonicalEmail(
	{ email, localPart, domain }: Pick<Address, 'email' | 'localPart' | 'domain'>,
	smtpProvider: string | null,
): string {
	const ofDomain = publicMailOf(domain);
	const operator = ofDomain === null ? smtpProvider : wordOf(ofDomain);
	if (!WITH_TAGS.has(operator) || operator === null || localPart.startsWith('"')) return email;
	const name = mailboxName(localPart);
	const row: OperatorRow | null = ofDomain === null ? null : OPERATORS[ofDomain];
	if (row?.publicMail?.ignoresDots !== true) return `${name}${email.slice(email.lastIndexOf('@'))}`;
	const [home = domain] = row.publicMail.domains.split(' ');
	return `${name.replaceAll('.', '')}@${home}`;
}
