import type { Address } from '../core/address/parse-address.ts';
import { isDisposable, isFreeProvider, isNoReply, isRole } from '../core/lists/domain-kinds.ts';
import { suggestDomain } from '../core/lists/typos.ts';
import { conversationMs } from '../core/jobs/deferral.ts';
import type { MailRoute } from '../core/dns/find-mail-exchangers.ts';
import { findMailOperator } from '../core/mail-operators/find-operator.ts';
import type { MailOperator } from '../core/mail-operators/find-operator.ts';
import type { OwnOutcome } from '../core/outcomes/outcome.ts';
import type { Asker, Payer } from '../core/turns/who.ts';
import type { DomainFacts } from '../core/catchall/domain.ts';
import type { Wording } from '../core/catchall/reply-difference.ts';
import { renderResult } from '../core/verification/render.ts';
import type { ListFacts } from '../core/verification/render.ts';
import type { Trace } from '../core/verification/trace.ts';
import { assert } from '../lib/assert.ts';
import { onceOnly } from '../lib/expiring-map.ts';
import { recallCatchAll, rememberCatchAll } from './catch-all-memory.ts';
import { conclude, isWorthAsking } from './conclude.ts';
import type { Examined, ExaminePorts, ExamineSettings, Findings, Manner } from './examination.ts';
import { findMail } from './look-up-mail.ts';
import type { LookedUpHost, LookedUpMail } from './look-up-mail.ts';
import { leadsToDisposable, leadsToOptedOut, unasked } from './unasked.ts';
import type { NotAsked, Unasked } from './unasked.ts';
import { probe } from './probe.ts';

export const ALONE: Omit<Manner, 'asker' | 'mail' | 'ownOutcomeOf'> = {
	deep: 'catch_all',
	class: 'single',
	sourceList: null,
	domains: null,
};

export interface ExamineOptions extends Payer {
	readonly trace?: Trace;
	/** The DNS look-up of the domain's mail, if the caller has begun it. */
	readonly mail?: Promise<LookedUpMail> | null;
	/** The outcome of the account's own last message to the address; null: no report. */
	readonly ownOutcome?: OwnOutcome | null;
	/** False: what needs a question to a mail host stays unknown. */
	readonly mayAsk?: boolean;
	/** No mail host is asked. */
	readonly quick?: boolean;
	/** The trace tells what was heard of mail hosts. */
	readonly explain?: boolean;
}

/** Examines one address: lists, DNS, SMTP, verdict. Throws only when a way out of ours fails. */
export async function examineAddress(
	ports: ExaminePorts,
	settings: ExamineSettings,
	address: Address,
	asker: Asker,
	{
		trace = () => {},
		mail = null,
		ownOutcome = null,
		mayAsk = true,
		quick = false,
		explain = false,
		...payer
	}: ExamineOptions = {},
): Promise<Examined> {
	const manner = { ...ALONE, ...payer, asker, mail, mayAsk, quick, explain, ownOutcomeOf: () => ownOutcome };
	const [findings] = await examineAddresses(ports, settings, [address], manner, trace);
	assert(findings !== undefined && findings !== null, 'an address alone has a result');
	const { lists, outcome, judgement, answeredBy } = findings;
	const result = renderResult(address, lists, outcome, ports.clock.now());
	return { result, breakdown: judgement?.breakdown ?? null, answeredBy };
}

/**
 * Examines many addresses of one domain, which share the look-ups and the conversations. The findings are in the order
 * of the addresses; null: the time was up before a mail host was asked about this address.
 */
export async function examineAddresses(
	ports: ExaminePorts,
	settings: ExamineSettings,
	addresses: readonly Address[],
	manner: Manner,
	trace: Trace = () => {},
): Promise<readonly (Findings | null)[]> {
	const domain = addresses[0]?.domain ?? '';
	assert(
		addresses.every((address) => address.domain === domain),
		'the addresses have one domain',
	);
	for (const address of addresses) trace({ step: 'lists', facts: listFacts(address) });
	const recalled = manner.quick === true ? recallCatchAll(ports, domain) : null;
	const mail = await mailToAsk(ports, settings, { domain, count: addresses.length, manner }, trace);
	const known = addresses.map((address) => ({ address, lists: listFacts(address, mail.isDisposable) }));
	const found: (Findings | null)[] = [];
	if ('unasked' in mail) found.push(...(await Promise.all(known.map((each) => unasked(each, mail, manner)))));
	else {
		const isAlone = addresses.length === 1;
		const looking = { ...manner, domains: manner.domains ?? new Map<string, Promise<DomainFacts>>() };
		const { domains } = looking;
		const lookEarly = (): void => {
			if (!domains.has(domain)) domains.set(domain, ports.examineDomain(domain, mail.deadline));
		};
		const foundCatchAll = isAlone && manner.deep === 'catch_all' ? lookEarly : undefined;
		const answers =
			mail.hosts === null
				? null
				: await probe(ports, { ...manner, ...mail, addresses, hosts: mail.hosts }, trace, foundCatchAll);
		// Several addresses share it, so none of them had all of it.
		const waitedMs = isAlone ? ports.clock.now() - mail.lookedUpAt : null;
		const control = onceOnly<Wording | null>();
		const knownCatchAll = await recalled;
		const shared = { ports, settings, manner: looking, ...mail, knownCatchAll, waitedMs, control, trace };
		for (const [at, each] of known.entries()) {
			const answer = answers?.[at] ?? null;
			// A caller waits. In a list the deeper check has the time of one address, however long the questions took.
			const deadline = manner.class === 'single' ? mail.deadline : ports.clock.now() + settings.budgetMs;
			const wasReached = answers === null || answer !== null;
			found.push(wasReached ? await conclude({ ...shared, ...each, probe: answer, deadline }) : null);
		}
	}
	await rememberCatchAll(ports, domain, found);
	for (const findings of found)
		if (findings !== null) trace({ step: 'decision', subStatus: findings.outcome.subStatus });
	return found;
}

/** Where a domain's mail goes, and whom to ask about it. */
interface MailToAsk {
	readonly route: MailRoute;
	/** Name servers of the domain or of its hosts answered that they fail. */
	readonly nameServersFail: boolean;
	/** The mail operator of the route as a whole. */
	readonly operator: MailOperator | null;
	readonly implicit: boolean;
	/** Null: the route leads to no host, or to one that is not worth asking. */
	readonly hosts: readonly LookedUpHost[] | null;
	/** The domain, or each of its mail hosts, belongs to a disposable mail service. */
	readonly isDisposable: boolean;
	/** Epoch milliseconds: when the look-up of the hosts' addresses began, and by when there must be an answer. */
	readonly lookedUpAt: number;
	readonly deadline: number;
}

/** Mail hosts that are not to be asked. */
type NotToAsk = NotAsked & { readonly isDisposable: boolean };

/** Looks up the domain's mail, unless its hosts are not to be asked. */
async function mailToAsk(
	ports: ExaminePorts,
	{ budgetMs }: ExamineSettings,
	about: {
		readonly domain: string;
		/** How many addresses share the question. */
		readonly count: number;
		readonly manner: Manner;
	},
	trace: Trace,
): Promise<MailToAsk | NotToAsk> {
	const { domain, count, manner } = about;
	const isListed = isDisposable(domain);
	const { quick = false } = manner;
	const notAsked = (why: Unasked, isThrowAway = isListed): NotToAsk => ({
		unasked: why,
		isDisposable: isThrowAway,
	});
	// An opt-out is about questions to mail hosts.
	if (!quick && (await ports.optOuts?.covers(domain)) === true) return notAsked('opted_out');
	// A task is paid for scores, so it asks the mail hosts of disposable domains too.
	const asksDisposable = manner.deep === 'always';
	if (isListed && !asksDisposable) return notAsked('disposable');
	const begun = ports.clock.now();
	const mail = await (manner.mail ?? findMail(ports, { budgetMs }, { domain }, { quick }));
	const { route } = mail;
	const implicit = route.kind === 'hosts' && route.implicit;
	const operator = route.kind === 'hosts' && !implicit ? findMailOperator(route.hosts) : null;
	trace({ step: 'route', route, operator });
	if (!quick && (await leadsToOptedOut(ports, route))) return notAsked('opted_out');
	const deadline = begun + conversationMs(manner.class, operator, { usualMs: budgetMs, count });
	const lookedUpAt = ports.clock.now();
	const isThrowAway = isListed || leadsToDisposable(domain, mail);
	if (isThrowAway && !asksDisposable)
		return {
			...notAsked('disposable', true),
			mailHost: route.kind === 'hosts' ? (route.hosts[0] ?? null) : null,
		};
	const found = { route, operator, implicit, isDisposable: isThrowAway, lookedUpAt, deadline };
	if (quick || route.kind !== 'hosts' || !isWorthAsking(operator, manner.deep)) {
		const nameServersFail = route.kind === 'undetermined' && route.cause === 'server_failure';
		return { ...found, hosts: null, nameServersFail };
	}
	if (manner.mayAsk === false) return notAsked('free_limit', isThrowAway);
	const { hosts } = mail;
	return { ...found, hosts, nameServersFail: hosts?.some((host) => host.nameServersFail) === true };
}

/** The facts of our lists about an address. */
export function listFacts({ localPart, domain }: Address, disposable = isDisposable(domain)): ListFacts {
	return {
		freeEmail: isFreeProvider(domain),
		roleAccount: isRole(localPart),
		disposable,
		noReply: isNoReply(localPart),
		suggestedDomain: suggestDomain(domain),
	};
}
