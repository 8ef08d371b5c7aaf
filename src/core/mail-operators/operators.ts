import type { Address } from '../address/parse-address.ts';
import { isFreeProvider, mailboxName } from '../lists/domain-kinds.ts';
import { GATEWAYS } from './gateways.ts';
import { HOSTING } from './hosting.ts';
import { INTERNET_PROVIDERS } from './internet-providers.ts';
import { MAILBOX_HOSTS } from './mailbox-hosts.ts';
import type { OperatorRow, SpeaksFor } from './operator-row.ts';

/** An operator that we know. */
export type OperatorName =
	| keyof typeof MAILBOX_HOSTS
	| keyof typeof INTERNET_PROVIDERS
	| keyof typeof GATEWAYS
	| keyof typeof HOSTING;

/** One row per operator, collected from the MX records of 40,000 public bodies and from vendors' documents. */
export const OPERATORS: Readonly<Record<OperatorName, OperatorRow>> = {
	...MAILBOX_HOSTS,
	...INTERNET_PROVIDERS,
	...GATEWAYS,
	...HOSTING,
};

const ROWS = Object.entries(OPERATORS) as readonly [OperatorName, OperatorRow][];

/** Whether there is a row of that name. */
export function isOperator(name: string): name is OperatorName {
	return Object.hasOwn(OPERATORS, name);
}

/** An operator's name in results. */
export function wordOf(operator: OperatorName): string {
	return OPERATORS[operator].word ?? operator;
}

/** The party for which the operator's hosts refuse us before RCPT. */
export function speaksForOf(operator: OperatorName): SpeaksFor {
	const { speaksFor, kind } = OPERATORS[operator];
	return speaksFor ?? (kind === 'mailbox' || kind === 'gateway' ? 'operator' : 'itself');
}

/** The operator with which the operator shares one standing and one budget: itself, or another of its company. */
export function companyOf(operator: OperatorName): OperatorName {
	return OPERATORS[operator].standsWith ?? operator;
}

/** The words for gateways, or for all other operators, that results use; sorted. */
export function operatorWords(which: 'gateways' | 'others'): readonly string[] {
	const found = ROWS.filter(([, { kind }]) => (kind === 'gateway') === (which === 'gateways'));
	return [...new Set(found.map(([name]) => wordOf(name)))].toSorted();
}

/** The usual name of a mail operator, by its word in results: `google`, Google; `mailbox_org`, mailbox.org. */
export function displayNameOf(word: string): string {
	const name = isOperator(word) ? OPERATORS[word].name : undefined;
	return name ?? word.replaceAll('_', ' ').replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

/** The operator that receives the mail of a domain, and how its servers behave towards a probe, by its row. */
export interface MailOperator extends OperatorRow {
	readonly operator: OperatorName;
	/** The name in results: google, microsoft, …; null behind a gateway, unless another mail exchanger shows it. */
	readonly smtpProvider: string | null;
	/** The name of a secure e-mail gateway in results: proofpoint, mimecast, … */
	readonly gateway: string | null;
}

/** Operators by each word of a field. */
function byWordOf(field: (row: OperatorRow) => string | undefined): ReadonlyMap<string, OperatorName> {
	return new Map(ROWS.flatMap(([name, row]) => (field(row)?.split(' ') ?? []).map((word) => [word, name])));
}

/** By the host names of their mail servers. */
const BY_HOST = byWordOf(({ hosts }) => hosts);
/** Host names with a `*`, by their last two labels: a stranger's zone may have a thousand hosts of a hundred labels. */
const PATTERNS = Map.groupBy(
	[...BY_HOST]
		.filter(([host]) => host.includes('*'))
		.map(([host, name]) => ({ host, name, pattern: patternOf(host) })),
	({ host }) => lastLabelsOf(host),
);
// More mail hosts than this say nothing about who receives the mail: the largest known sets have seven.
const HOSTS_READ = 20;

/**
 * The operator of a domain's mail exchangers (best preference first); null when none is known.
 *
 * Mixed sets are common: a gateway, with Microsoft 365 behind it still listed as the last resort. So `gateway` is the
 * best gateway in the set. `smtpProvider` is the best mailbox host, or else the best host of another kind. Both hold
 * for the domain in any order. We talk to the first host, so the servers' behaviour is that of its operator, or
 * unknown.
 */
export function findMailOperator(mxHosts: readonly string[]): MailOperator | null {
	const names = mxHosts.slice(0, HOSTS_READ).map(findName);
	const known = names.filter((name) => name !== null);
	const [operator] = known;
	if (operator === undefined) return null;
	const { ownDomainsOnly, ...row } = OPERATORS[operator];
	const isFirst = names[0] === operator;
	const gateway = known.find((name) => OPERATORS[name].kind === 'gateway');
	// Next to a mailbox host, an inbound API or an Internet provider's backup is a detail.
	const mailbox = known.find((name) => OPERATORS[name].kind === 'mailbox');
	const provider = mailbox ?? known.find((name) => OPERATORS[name].kind !== 'gateway');
	return {
		...row,
		...(isFirst && ownDomainsOnly === true ? { ownDomainsOnly } : {}),
		routeClass: isFirst ? row.routeClass : 'unknown',
		operator,
		smtpProvider: provider === undefined ? null : wordOf(provider),
		gateway: gateway === undefined ? null : wordOf(gateway),
	};
}

/** The longest known suffix wins: olc.protection.outlook.com before protection.outlook.com. */
function findName(host: string): OperatorName | null {
	let ending = host.toLowerCase().replace(/\.$/, '');
	const patterns = PATTERNS.get(lastLabelsOf(ending)) ?? [];
	for (;;) {
		const name = BY_HOST.get(ending) ?? patterns.find(({ pattern }) => pattern.test(ending))?.name;
		if (name !== undefined) return name;
		const dot = ending.indexOf('.');
		if (dot === -1) return null;
		ending = ending.slice(dot + 1);
	}
}

function lastLabelsOf(host: string): string {
	return host.split('.').slice(-2).join('.');
}

function patternOf(host: string): RegExp {
	return new RegExp(`^${host.replaceAll('.', '\\.').replaceAll('*', '[a-z0-9-]*')}$`);
}

const BY_DOMAIN = byWordOf(({ publicMail }) => publicMail?.domains);

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
	if (!WITH_TAGS.has(operator) || localPart.startsWith('"')) return email;
	const name = mailboxName(localPart);
	const { publicMail } = ofDomain === null ? {} : OPERATORS[ofDomain];
	if (publicMail?.ignoresDots !== true) return `${name}${email.slice(email.lastIndexOf('@'))}`;
	const [home = domain] = publicMail.domains.split(' ');
	return `${name.replaceAll('.', '')}@${home}`;
}
