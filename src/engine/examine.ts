import type { Address } from '../core/address/parse-address.ts';
import type { DomainFacts } from '../core/catchall/domain.ts';
import type { Wording } from '../core/catchall/reply-difference.ts';
import type { MailRoute } from '../core/dns/find-mail-exchangers.ts';
import { conversationMs } from '../core/jobs/deferral.ts';
import { isDisposable } from '../core/lists/domain-kinds.ts';
import { findMailOperator } from '../core/mail-operators/operators.ts';
import type { Finding } from '../core/verification/interpret-session.ts';
import { assert } from '../lib/assert.ts';
import { onceOnly } from '../lib/expiring-map.ts';
import { recallCatchAll, rememberCatchAll } from './catch-all-memory.ts';
import type { Case, ExaminePorts, Conclusion, How } from './case.ts';
import { lookUpMail } from './look-up-mail.ts';
import { probe } from './probe.ts';
import { leadsToDisposable, leadsToOptedOut, listFacts, refusedBy } from './unasked.ts';
import { conclude, isWorthAsking } from './verdict.ts';

/**
 * Examines addresses of one domain, which share the look-ups and the conversations: lists, DNS, SMTP, verdict. The findings
 * are in the order of the addresses; null: the time was up before a mail host was asked about this address. Throws only
 * when a way out of ours fails.
 *
 * @param settings `budgetMs`: time for all network work on one address
 */
export async function examineAddresses(
	ports: ExaminePorts,
	{ budgetMs }: { readonly budgetMs: number },
	addresses: readonly Address[],
	how: How,
): Promise<readonly (Conclusion | null)[]> {
	const domain = addresses[0]?.domain ?? '';
	assert(
		addresses.every((address) => address.domain === domain),
		'the addresses have one domain',
	);
	for (const address of addresses) how.trail?.lists(listFacts(address));
	const about = await caseOf(ports, how, { domain, count: addresses.length, budgetMs });
	const { hosts, deadline } = about;
	// A catch-all's facts are looked up while its server is still asked.
	const isAlone = addresses.length === 1 && how.deep === 'catch_all';
	const foundCatchAll = isAlone ? () => void about.domainFacts(deadline) : undefined;
	const answers = hosts === null ? null : await probe(about, hosts, addresses, foundCatchAll);
	const invented = answers?.map(shownOfInvented).find((one) => one !== null) ?? null;
	if (invented !== null) await rememberCatchAll(ports, domain, invented === 'accepted');
	const waitedMs = ports.clock.now() - about.lookedUpAt;
	const found: (Conclusion | null)[] = [];
	for (const [at, address] of addresses.entries()) {
		const heard = answers?.[at] ?? null;
		// A caller waits. In a list the deeper check has the time of one address, however long the questions took.
		const until = how.class === 'single' ? deadline : ports.clock.now() + budgetMs;
		const wasReached = answers === null || heard !== null;
		// Several addresses share the time of their question, so none of them had all of it.
		const of = { address, heard, waitedMs: addresses.length === 1 ? waitedMs : 0 };
		found.push(wasReached ? await conclude({ ...about, deadline: until }, of) : null);
	}
	for (const findings of found) if (findings !== null) how.trail?.decision(findings.outcome.subStatus);
	return found;
}

// Nothing was looked up.
const NO_ROUTE: MailRoute = { kind: 'undetermined', cause: 'timeout' };

/** Looks up the domain's mail, unless its hosts are not to be asked. `count`: how many addresses share the question. */
async function caseOf(
	ports: ExaminePorts,
	how: How,
	{ domain, count, budgetMs }: { readonly domain: string; readonly count: number; readonly budgetMs: number },
): Promise<Case> {
	const { clock, optOuts } = ports;
	const { quick = false } = how;
	const isListed = isDisposable(domain);
	const begun = clock.now();
	const factsOnce = onceOnly<DomainFacts>();
	const unasked: Case = {
		ports,
		how,
		domain,
		refused: null,
		route: NO_ROUTE,
		operator: null,
		hosts: null,
		nameServersFail: false,
		isDisposable: isListed,
		lookedUpAt: begun,
		deadline: begun + budgetMs,
		knownCatchAll: null,
		domainFacts: (deadline) => factsOnce(() => ports.examineDomain(domain, deadline)),
		control: onceOnly<Wording | null>(),
	};
	// An opt-out is about questions to mail hosts.
	if (!quick && (await optOuts?.covers(domain)) === true)
		return { ...unasked, refused: refusedBy('opted_out') };
	// A task is paid for scores, so it asks the mail hosts of disposable domains too.
	const asksDisposable = how.deep === 'always';
	if (isListed && !asksDisposable) return { ...unasked, refused: refusedBy('disposable') };
	const recalled = quick ? recallCatchAll(ports, domain) : null;
	const since = clock.now();
	const mail = await (how.mail ?? lookUpMail(ports, { domain }, { quick }));
	const { route, hosts } = mail;
	const names = route.kind === 'hosts' ? route.hosts : [];
	const operator = route.kind === 'hosts' && !route.implicit ? findMailOperator(names) : null;
	how.trail?.route(route, operator);
	if (!quick && (await leadsToOptedOut(ports, route))) return { ...unasked, refused: refusedBy('opted_out') };
	const isThrowAway = isListed || leadsToDisposable(domain, mail);
	if (isThrowAway && !asksDisposable)
		return { ...unasked, refused: refusedBy('disposable', names[0]), isDisposable: true };
	const isAsked = !quick && route.kind === 'hosts' && isWorthAsking(operator, how.deep);
	if (isAsked && how.mayAsk === false)
		return { ...unasked, refused: refusedBy('free_limit'), isDisposable: isThrowAway };
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

/** The best host's answer to invented recipients, if it is clear. A backup may answer otherwise. */
function shownOfInvented(heard: Finding | null): 'accepted' | 'rejected' | null {
	if (heard?.kind !== 'heard' || heard.viaBackup) return null;
	const { invented } = heard.interpretation;
	return invented === 'accepted' || invented === 'rejected' ? invented : null;
}
