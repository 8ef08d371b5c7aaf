import type { Address } from '../core/address/parse-address.ts';
import type { DomainFacts } from '../core/catchall/domain.ts';
import type { SourceListFacts } from '../core/catchall/list/list-facts.ts';
import type { Wording } from '../core/catchall/reply-difference.ts';
import { addressesOf, findMailExchangers, usableAddresses } from '../core/dns/find-mail-exchangers.ts';
import type { AddressPolicy, MailRoute } from '../core/dns/find-mail-exchangers.ts';
import type { Answer, Resolver } from '../core/dns/resolver.ts';
import { conversationMs } from '../core/jobs/deferral.ts';
import {
	isDisposable,
	isDisposableHost,
	isFreeProvider,
	isPrivacyRelay,
} from '../core/lists/domain-kinds.ts';
import { suggestDomain } from '../core/lists/typos.ts';
import { findMailOperator } from '../core/mail-operators/operators.ts';
import type { MailOperator } from '../core/mail-operators/operators.ts';
import type { OutcomeKind } from '../core/outcomes/outcome.ts';
import type { DeepCheck } from '../core/smtp/session.ts';
import type { Party, Urgency } from '../core/turns/who.ts';
import type { Finding } from '../core/verification/finding.ts';
import { decidedBy } from '../core/verification/render.ts';
import type { Outcome } from '../core/verification/render.ts';
import type { Trail } from '../core/verification/trail.ts';
import { errorOf } from '../errors.ts';
import { onceOnly } from '../lib/expiring-map.ts';
import type { ExpiringMap } from '../lib/expiring-map.ts';
import type { Clock } from '../lib/time.ts';
import type { ProberClient } from '../net/prober-client.ts';
import type { OptOuts } from '../storage/opt-outs.ts';
import { HOSTS_MAX } from '../wire/prober.ts';
import type { QuestionHost } from '../wire/prober.ts';

export interface ExaminePorts {
	readonly clock: Clock;
	readonly resolver: Resolver;
	/** Which addresses of mail hosts may be dialled. */
	readonly addressPolicy: AddressPolicy;
	/** Left out: no domain opted out. */
	readonly optOuts?: Pick<OptOuts, 'covers'>;
	/** Holds the conversations with mail hosts, on a machine whose port 25 is open. */
	readonly prober: Pick<ProberClient, 'ask'>;
	/** Random lower-case letters, for recipients that surely do not exist. */
	readonly randomness: { word(length: number): string };
	/** The look-ups of the deeper check. Never throws: one that fails or is late (`deadline`: epoch ms) is not measured. */
	readonly examineDomain: (domain: string, deadline: number) => Promise<DomainFacts>;
	/** How domains last answered about invented recipients. Left out: none is remembered. */
	readonly catchAlls?: ExpiringMap<KnownCatchAll>;
}

/** How addresses are examined, and for whom: made once by who asks, and passed on whole. */
export interface How extends Party {
	/**
	 * When the deeper check runs. `never`: in a bulk job, which leaves it to a task. `catch_all`: in a single call, if the
	 * domain is a catch-all. `always`: in a task, whose every address gets a score.
	 */
	readonly deep: DeepCheck;
	/** How soon the answer is needed. */
	readonly class: Urgency;
	/** When the visit to the mail hosts began that this is a part of; epoch ms. Left out: now. */
	readonly since?: number;
	/** False: what needs a question to a mail host stays unknown (`free_limit`). */
	readonly mayAsk?: boolean;
	/** No mail host is asked: lists, DNS and what we remember of the domain decide. */
	readonly quick?: boolean;
	/** The trail tells what was heard of mail hosts. */
	readonly explain?: boolean;
	/** Each step is noted there as it happens. */
	readonly trail?: Trail;
	/** The DNS look-up of the domain's mail, done or under way; null: not begun. */
	readonly mail?: LookedUpMail | Promise<LookedUpMail> | null;
	/** Facts about the task's source list as a whole; null: none, or not a task. */
	readonly sourceList?: SourceListFacts | null;
	/** The outcome of the account's own messages to an address, if it reported one; null: it did not. */
	readonly ownOutcomeOf?: (address: Address) => OutcomeKind | null;
}

/** A single call about an address. */
export const ALONE = { class: 'single', deep: 'catch_all' } as const;

/** A mail host after its look-up. */
export type LookedUpHost = QuestionHost & {
	/** The DNS answers, in words for the trace. */
	readonly found: string;
	/** The look-up failed, and a name server said so. */
	readonly nameServersFail: boolean;
};

/** The DNS records about a domain's mail. */
export interface LookedUpMail {
	readonly route: MailRoute;
	/** Best preference first. Empty where the route alone was looked up. */
	readonly hosts: readonly LookedUpHost[];
}

/** A domain's last answer to invented recipients, and its time (epoch ms). */
export interface KnownCatchAll {
	readonly catchAll: boolean;
	readonly at: number;
}

/** A domain's mail by lists and DNS. */
interface KnownMail extends LookedUpMail {
	/** The outcome for all addresses of the domain. Null: the hosts are asked. */
	readonly unasked: Outcome | null;
	/** The mail operator of the route as a whole. */
	readonly operator: MailOperator | null;
	/** The domain, or each of its mail hosts, belongs to a disposable mail service. */
	readonly isDisposable: boolean;
}

/** The mail of a domain, and the call about it: made once for all addresses of the domain that are examined together. */
export interface Case extends KnownMail {
	readonly ports: ExaminePorts;
	readonly how: How;
	readonly domain: string;
	/** Epoch milliseconds by which there must be an answer. */
	readonly deadline: number;
	/** Looks up the domain's facts, once for all its addresses. */
	readonly domainFacts: (deadline: number) => Promise<DomainFacts>;
	/** Asks an invented recipient first, once for all its addresses. */
	readonly control: (ask: () => Promise<Wording | null>) => Promise<Wording | null>;
}

/** An address of a case, and what the prober heard of it. */
export interface AskedAddress extends Case {
	readonly address: Address;
	/** Null: no mail host was asked. */
	readonly heard: Finding | null;
	/** How long its mail hosts were given for their answer; 0: not known. */
	readonly waitedMs: number;
}

/** Looks up the domain's mail, unless its hosts are not to be asked. `count`: how many addresses share the question. */
export async function caseOf(
	ports: ExaminePorts,
	how: How,
	{ domain, count, budgetMs }: { readonly domain: string; readonly count: number; readonly budgetMs: number },
): Promise<Case> {
	const begun = ports.clock.now();
	const known = await findMail(ports, how, domain);
	const factsOnce = onceOnly<DomainFacts>();
	return {
		ports,
		how,
		domain,
		...known,
		deadline: begun + conversationMs(how.class, known.operator, { usualMs: budgetMs, count }),
		domainFacts: (deadline) => factsOnce(() => ports.examineDomain(domain, deadline)),
		control: onceOnly<Wording | null>(),
	};
}

async function findMail(ports: ExaminePorts, how: How, domain: string): Promise<KnownMail> {
	const { quick = false } = how;
	// A task is paid for scores, so it asks the mail hosts of disposable domains too.
	const asksDisposable = how.deep === 'always';
	const isListed = isDisposable(domain);
	const unknown = { route: NOT_LOOKED_UP, operator: null, hosts: [], isDisposable: isListed };
	// An opt-out is about questions to mail hosts.
	if (!quick && (await ports.optOuts?.covers(domain)) === true) return { ...unknown, unasked: OPTED_OUT };
	if (isListed && !asksDisposable) return { ...unknown, unasked: decidedBy('list', 'disposable') };
	const mail = await (how.mail ?? lookUpMail(ports, { domain }, { quick }));
	const { route } = mail;
	const operator = route.kind === 'hosts' && !route.implicit ? findMailOperator(route.hosts) : null;
	how.trail?.route(route, operator);
	// A list goes on: the zone's owner can have it so.
	if (how.class === 'single' && route.kind === 'undetermined' && route.cause === 'unreadable')
		throw errorOf('upstream_nonsense');
	if (!quick && (await leadsToOptedOut(ports, route))) return { ...unknown, unasked: OPTED_OUT };
	const known = { ...mail, operator, isDisposable: isListed || leadsToDisposable(domain, mail) };
	if (known.isDisposable && !asksDisposable) return { ...known, unasked: LEADS_TO_DISPOSABLE };
	return { ...known, unasked: unaskedBy(ports, how, { domain, route, operator }) };
}

const NOT_LOOKED_UP: MailRoute = { kind: 'undetermined', cause: 'timeout' };
const OPTED_OUT = decidedBy('list', 'opted_out');
const LEADS_TO_DISPOSABLE: Outcome = {
	...decidedBy('dns', 'disposable'),
	note: 'Mail for this domain goes to the mail host of a disposable mail service',
};

const ROUTELESS = {
	no_such_domain: 'invalid_domain',
	null_mx: 'does_not_accept_mail',
	no_mail_host: 'no_mx_records',
	undetermined: 'dns_error',
} as const;

/** The quick check: the domain takes mail, and nothing more is known of the mailbox. */
export const QUICK: Outcome = {
	...decidedBy('dns', 'not_asked'),
	note: 'The domain takes mail. The quick check asks no mail server, so the mailbox is not known',
};

/** The quick check: the domain takes mail, and was hardly meant. */
export const QUICK_TYPO: Outcome = {
	...decidedBy('list', 'possible_typo'),
	note: "The domain is one slip away from a large provider's. The quick check asked no mail server",
};

/** The outcome where the route leads to no host, or to one that is not asked; null: its hosts are asked. */
function unaskedBy(
	{ clock, catchAlls }: ExaminePorts,
	{ quick = false, mayAsk = true, deep }: How,
	{ domain, route, operator }: Pick<Case, 'domain' | 'route' | 'operator'>,
): Outcome | null {
	if (route.kind !== 'hosts') return decidedBy('dns', ROUTELESS[route.kind]);
	const limited = mayAsk ? null : decidedBy('list', 'free_limit');
	// Who says yes to everybody is not asked: a connection there costs our good name and proves nothing. A task was bought
	// for a score, so it asks all the same.
	const isWorthAsking = deep === 'always' || operator?.routeClass !== 'blind';
	if (!quick) return isWorthAsking ? limited : decidedBy('smtp', 'accepts_everything');
	if (suggestDomain(domain) !== null) return QUICK_TYPO;
	return { ...(limited ?? QUICK), catchAll: catchAlls?.get(domain, clock.now())?.catchAll ?? null };
}

/** Name servers of the domain or of its hosts answered that they fail. */
export function nameServersFail({ route, hosts }: LookedUpMail): boolean {
	if (route.kind === 'undetermined') return route.cause !== 'timeout';
	return hosts.some((host) => host.nameServersFail);
}

/** Looks up the mail of a domain, and its hosts' addresses; `quick`: its route alone. */
export async function lookUpMail(
	ports: ExaminePorts,
	{ domain }: Pick<Address, 'domain'>,
	{ quick }: { readonly quick: boolean },
): Promise<LookedUpMail> {
	const route = await findMailExchangers(ports.resolver, domain);
	const names = route.kind === 'hosts' && !quick ? route.hosts : [];
	return { route, hosts: await lookUpHosts(ports, names) };
}

/**
 * Looks up the addresses of the best mail hosts, as many as a question names. RFC 5321 §5.1 wants their order, and not each
 * of them: a domain may name a thousand, in a zone that is broken on purpose.
 */
export async function lookUpHosts(
	ports: ExaminePorts,
	names: readonly string[],
): Promise<readonly LookedUpHost[]> {
	const looked = await Promise.all(names.slice(0, HOSTS_MAX).map((name) => lookUpHost(ports, name)));
	if (looked.length === names.length || looked.some(({ addresses }) => addresses.length > 0)) return looked;
	// Nothing is known of those that were not looked up, so the domain is not unroutable.
	return looked.map((host) => ({ ...host, failed: true }));
}

const words = (answer: Answer<string>): string =>
	answer.kind === 'records' ? answer.records.join(', ') : answer.kind;

/** Looks up a host's IPv6 addresses as well if it has IPv4 addresses, none of which can be used. */
async function lookUpHost({ resolver, addressPolicy }: ExaminePorts, name: string): Promise<LookedUpHost> {
	const usable = (answer: Answer<string>): readonly string[] =>
		answer.kind === 'records' ? usableAddresses(answer.records, addressPolicy) : [];
	const first = await addressesOf(resolver, name);
	const isEnough = first.kind !== 'records' || usable(first).length > 0;
	const last = isEnough ? first : await resolver.look(name, 'AAAA');
	return {
		name,
		addresses: usable(last),
		found: isEnough ? words(first) : `${words(first)}; ${words(last)}`,
		failed: last.kind === 'failed',
		nameServersFail: last.kind === 'failed' && last.cause === 'server_failure',
	};
}

/**
 * Whether a mail host of the route belongs to a domain that opted out. Not the host of an operator that we know: its
 * customers did not ask, and its own domain speaks for its own mailboxes only.
 */
export async function leadsToOptedOut(
	{ optOuts }: Pick<ExaminePorts, 'optOuts'>,
	route: MailRoute,
): Promise<boolean> {
	if (optOuts === undefined || route.kind !== 'hosts') return false;
	const hosts = route.hosts.filter((host) => route.implicit || findMailOperator([host]) === null);
	const covered = await Promise.all(hosts.map((host) => optOuts.covers(host)));
	return covered.includes(true);
}

/**
 * Whether each mail host of the route takes mail for disposable services only: by its name, its IP address, or because its
 * own domain is on the list of disposable domains. Not a relay, and not the host of an operator that we know.
 */
export function leadsToDisposable(domain: string, { route, hosts }: LookedUpMail): boolean {
	if (route.kind !== 'hosts' || route.implicit || isPrivacyRelay(domain) || isFreeProvider(domain))
		return false;
	return route.hosts.every((name) => {
		if (findMailOperator([name]) !== null) return false;
		const addresses = hosts.find((host) => host.name === name)?.addresses ?? [];
		return isDisposableHost({ name, addresses }) || isDisposable(name);
	});
}
