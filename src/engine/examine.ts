import type { Address } from '../core/address/parse-address.ts';
import type { DomainFacts } from '../core/catchall/domain.ts';
import type { Wording } from '../core/catchall/reply-difference.ts';
import type { MailRoute } from '../core/dns/find-mail-exchangers.ts';
import { conversationMs } from '../core/jobs/deferral.ts';
import { isDisposable } from '../core/lists/domain-kinds.ts';
import { findMailOperator } from '../core/mail-operators/find-operator.ts';
import type { Asker } from '../core/turns/who.ts';
import { renderResult } from '../core/verification/render.ts';
import { assert } from '../lib/assert.ts';
import { onceOnly } from '../lib/expiring-map.ts';
import { recallCatchAll, rememberCatchAll } from './catch-all-memory.ts';
import type { DomainCase, Examined, ExaminePorts, ExamineSettings, Findings, How, Refusal } from './case.ts';
import { lookUpMail } from './look-up-mail.ts';
import { probe } from './probe.ts';
import { leadsToDisposable, leadsToOptedOut, listFacts } from './refusal.ts';
import { conclude, isWorthAsking } from './verdict.ts';

/** A single call about an address. Throws only when a way out of ours fails. */
export async function examineAddress(
	ports: ExaminePorts,
	settings: ExamineSettings,
	address: Address,
	asker: Asker,
	how: Partial<How> = {},
): Promise<Examined> {
	const alone = { class: 'single', deep: 'catch_all', ...how, asker } as const;
	const [found] = await examineAddresses(ports, settings, [address], alone);
	assert(found !== undefined && found !== null, 'an address alone has a result');
	return examinedOf(address, found, ports.clock.now());
}

/** The findings about an address, as its caller gets them at `now` (epoch ms). */
export function examinedOf(
	address: Address,
	{ lists, outcome, judgement, answeredBy }: Findings,
	now: number,
): Examined {
	const result = renderResult(address, lists, outcome, now);
	return { result, breakdown: judgement?.breakdown ?? null, answeredBy };
}

/**
 * Examines addresses of one domain, which share the look-ups and the conversations: lists, DNS, SMTP, verdict. The findings
 * are in the order of the addresses; null: the time was up before a mail host was asked about this address.
 */
export async function examineAddresses(
	ports: ExaminePorts,
	settings: ExamineSettings,
	addresses: readonly Address[],
	how: How,
): Promise<readonly (Findings | null)[]> {
	const domain = addresses[0]?.domain ?? '';
	assert(
		addresses.every((address) => address.domain === domain),
		'the addresses have one domain',
	);
	for (const address of addresses) how.trail?.lists(listFacts(address));
	const about = await caseOf(ports, settings, how, { domain, count: addresses.length });
	const { hosts, deadline, isDisposable: disposable, lookedUpAt } = about;
	const isAlone = addresses.length === 1;
	// A catch-all's facts are looked up while its server is still asked.
	const foundCatchAll =
		isAlone && how.deep === 'catch_all' ? () => void about.domainFacts(deadline) : undefined;
	const answers = hosts === null ? null : await probe({ ...about, hosts }, addresses, foundCatchAll);
	// Several addresses share it, so none of them had all of it.
	const waitedMs = isAlone ? ports.clock.now() - lookedUpAt : null;
	const found: (Findings | null)[] = [];
	for (const [at, address] of addresses.entries()) {
		const heard = answers?.[at] ?? null;
		const wasReached = answers === null || heard !== null;
		// A caller waits. In a list the deeper check has the time of one address, however long the questions took.
		const until = how.class === 'single' ? deadline : ports.clock.now() + settings.budgetMs;
		const of = { address, lists: listFacts(address, disposable), heard, waitedMs, deadline: until };
		found.push(wasReached ? await conclude({ ...about, ...of }) : null);
	}
	await rememberCatchAll(ports, domain, found);
	for (const findings of found) if (findings !== null) how.trail?.decision(findings.outcome.subStatus);
	return found;
}

// Nothing was looked up.
const NO_ROUTE: MailRoute = { kind: 'undetermined', cause: 'timeout' };

/** Looks up the domain's mail, unless its hosts are not to be asked. */
async function caseOf(
	ports: ExaminePorts,
	{ budgetMs }: ExamineSettings,
	how: How,
	/** `count`: how many addresses share the question. */
	{ domain, count }: { readonly domain: string; readonly count: number },
): Promise<DomainCase> {
	const { clock, optOuts } = ports;
	const { quick = false } = how;
	const isListed = isDisposable(domain);
	const begun = clock.now();
	const domains = how.domains ?? new Map<string, Promise<DomainFacts>>();
	const unasked: DomainCase = {
		ports,
		how,
		domain,
		refusal: null,
		route: NO_ROUTE,
		operator: null,
		hosts: null,
		nameServersFail: false,
		isDisposable: isListed,
		lookedUpAt: begun,
		deadline: begun + budgetMs,
		knownCatchAll: null,
		domainFacts: (deadline) => {
			const facts = domains.get(domain) ?? ports.examineDomain(domain, deadline);
			domains.set(domain, facts);
			return facts;
		},
		control: onceOnly<Wording | null>(),
	};
	const refuse = (why: Refusal['why'], mailHost: string | null = null): DomainCase => ({
		...unasked,
		refusal: { why, mailHost },
	});
	// An opt-out is about questions to mail hosts.
	if (!quick && (await optOuts?.covers(domain)) === true) return refuse('opted_out');
	// A task is paid for scores, so it asks the mail hosts of disposable domains too.
	const asksDisposable = how.deep === 'always';
	if (isListed && !asksDisposable) return refuse('disposable');
	const recalled = quick ? recallCatchAll(ports, domain) : null;
	const since = clock.now();
	const mail = await (how.mail ?? lookUpMail(ports, { budgetMs }, { domain }, { quick }));
	const { route, hosts } = mail;
	const names = route.kind === 'hosts' ? route.hosts : [];
	const operator = route.kind === 'hosts' && !route.implicit ? findMailOperator(names) : null;
	how.trail?.route(route, operator);
	if (!quick && (await leadsToOptedOut(ports, route))) return refuse('opted_out');
	const isThrowAway = isListed || leadsToDisposable(domain, mail);
	if (isThrowAway && !asksDisposable) return { ...refuse('disposable', names[0]), isDisposable: true };
	const isAsked = !quick && route.kind === 'hosts' && isWorthAsking(operator, how.deep);
	if (isAsked && how.mayAsk === false) return { ...refuse('free_limit'), isDisposable: isThrowAway };
	return {
		...unasked,
		route,
		operator,
		hosts: isAsked ? hosts : null,
		nameServersFail: isAsked
			? hosts?.some((host) => host.nameServersFail) === true
			: route.kind === 'undetermined' && route.cause === 'server_failure',
		isDisposable: isThrowAway,
		lookedUpAt: clock.now(),
		deadline: since + conversationMs(how.class, operator, { usualMs: budgetMs, count }),
		knownCatchAll: await recalled,
	};
}
