import type { Address } from '../core/address/parse-address.ts';
import { isDisposable, isFreeProvider } from '../core/lists/domain-kinds.ts';
import { isNoReply, isRole } from '../core/lists/local-parts.ts';
import { suggestDomain } from '../core/lists/typos.ts';
import { conversationMs } from '../core/jobs/deferral.ts';
import { findMailOperator } from '../core/mail-operators/find-operator.ts';
import type { OwnOutcome } from '../core/outcomes/own-outcome.ts';
import type { Asker } from '../core/politeness/mail-host.ts';
import type { RecipientReply } from '../core/smtp/session.ts';
import { decidedBy, renderResult } from '../core/verification/render.ts';
import type { ListFacts } from '../core/verification/render.ts';
import type { Trace } from '../core/verification/trace.ts';
import { ServiceError } from '../errors.ts';
import { assert } from '../lib/assert.ts';
import { onceOnly } from '../lib/remembered.ts';
import { conclude, isWorthAsking } from './conclude.ts';
import type { ExaminePorts, ExamineSettings, Findings, Manner } from './examination.ts';
import type { Examined } from './examined.ts';
import { lookUpHosts, lookUpMail } from './look-up-mail.ts';
import type { LookedUpMail } from './look-up-mail.ts';
import { RESOLVER } from './ports.ts';
import type { Failure } from './ports.ts';
import { isOptedOut, leadsToOptedOut, unasked } from './unasked.ts';
import type { Unasked } from './unasked.ts';
import { probe } from './probe.ts';
import type { TargetAnswer } from './question.ts';

const ALONE: Omit<Manner, 'asker' | 'mail' | 'ownOutcomeOf'> = {
	deep: 'catch_all',
	class: 'single',
	knownInvented: null,
	sourceList: null,
	domains: null,
};

export interface ExamineOptions {
	readonly trace?: Trace;
	/** The DNS look-up of the domain's mail, if the caller has begun it. */
	readonly mail?: Promise<LookedUpMail> | null;
	/** What became of the account's own last message to the address; null: it did not say. */
	readonly ownOutcome?: OwnOutcome | null;
	/** False: what needs a question to a mail host stays unknown. */
	readonly mayAsk?: boolean;
}

/** Examines one address: lists, DNS, SMTP, verdict. Throws only when a way out of ours fails. */
export async function examineAddress(
	ports: ExaminePorts,
	settings: ExamineSettings,
	address: Address,
	asker: Asker,
	{ trace = () => {}, mail = null, ownOutcome = null, mayAsk = true }: ExamineOptions = {},
): Promise<Examined> {
	const manner = { ...ALONE, asker, mail, mayAsk, ownOutcomeOf: () => ownOutcome };
	const begun = ports.clock.now();
	const [findings] = await examineAddresses(ports, settings, [address], manner, trace);
	assert(findings !== undefined && findings !== null, 'an address alone has a result');
	const { lists, outcome, judgement, answeredBy, unreachedBy } = findings;
	if (unreachedBy !== undefined) assertServes(ports, { way: unreachedBy, begun, at: ports.clock.now() });
	const result = renderResult(address, lists, outcome, ports.clock.now());
	return {
		result,
		breakdown: judgement?.breakdown ?? null,
		countedPoints: judgement?.countedPoints ?? null,
		answeredBy,
	};
}

/** Throws if the way out reaches no party at the moment: its failure then says nothing about the address. */
function assertServes({ waysOut }: ExaminePorts, failure: Failure): void {
	if (waysOut?.blame(failure) !== 'ours') return;
	const message =
		failure.way === RESOLVER
			? 'The DNS resolver gives no answers at the moment'
			: 'No outgoing connection for mail is available';
	throw new ServiceError('upstream_unavailable', message);
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
	for (const address of addresses) trace({ step: 'address', address });
	const isDisposableDomain = await ports.disposable.has(domain);
	const lists = addresses.map((address) => listFacts(address, isDisposableDomain));
	for (const facts of lists) trace({ step: 'lists', facts });
	const about = { addresses, lists, manner };
	// A task is paid for scores, so it asks the mail hosts of disposable domains too.
	let found: readonly (Findings | null)[];
	if (await isOptedOut(ports, domain)) found = declineAll(settings, about, 'opted_out');
	else if (isDisposableDomain && manner.deep !== 'always')
		found = lists.map((facts) => ({ ...DISPOSABLE, lists: facts }));
	else found = await examineMail(ports, settings, about, trace);
	for (const findings of found)
		if (findings !== null) trace({ step: 'decision', subStatus: findings.outcome.subStatus });
	return found;
}

/** Asks nobody. */
function declineAll(
	settings: ExamineSettings,
	{ addresses, lists, manner }: About,
	why: Unasked,
): readonly Findings[] {
	return addresses.map((address, at) => {
		const facts = lists[at];
		assert(facts !== undefined, 'every address was looked up in the lists');
		return unasked(settings, { address, lists: facts, why }, manner);
	});
}

const DISPOSABLE: Omit<Findings, 'lists'> = {
	outcome: decidedBy('list', 'disposable'),
	invented: null,
	judgement: null,
};

/** Addresses of one domain. */
interface About {
	readonly addresses: readonly Address[];
	/** In the order of the addresses. */
	readonly lists: readonly ListFacts[];
	readonly manner: Manner;
}

/** Asks the domain's mail hosts and concludes on each address. */
async function examineMail(
	ports: ExaminePorts,
	settings: ExamineSettings,
	about: About,
	trace: Trace,
): Promise<readonly (Findings | null)[]> {
	const { addresses, lists, manner } = about;
	const domain = addresses[0]?.domain ?? '';
	const begun = ports.clock.now();
	const mail = await (manner.mail ?? lookUpMail(ports, domain, begun + settings.budgetMs));
	const { route } = mail;
	const operator = route.kind === 'hosts' && !route.implicit ? findMailOperator(route.hosts) : null;
	trace({ step: 'route', route, operator });
	if (await leadsToOptedOut(ports, route)) return declineAll(settings, about, 'opted_out');
	const deadline = begun + conversationMs(manner.class, operator, settings.budgetMs);
	const { deep, asker } = manner;
	const how = { deep, asksInvented: manner.knownInvented === null, class: manner.class, asker, deadline };
	let answers: readonly (TargetAnswer | null)[] | null = null;
	let nameServersFail = route.kind === 'undetermined' && route.cause === 'server_failure';
	const askedAt = ports.clock.now();
	if (route.kind === 'hosts' && isWorthAsking(operator, deep)) {
		if (manner.mayAsk === false) return declineAll(settings, about, 'free_limit');
		const hosts = mail.hosts ?? (await lookUpHosts(ports, route.hosts, deadline));
		nameServersFail = hosts.some((host) => host.nameServersFail);
		answers = await probe(ports, { addresses, hosts, implicit: route.implicit, ...how }, trace);
	}
	// Of several addresses none had all of it.
	const waitedMs = addresses.length === 1 ? ports.clock.now() - askedAt : null;
	const shared = { ports, settings, manner, route, nameServersFail, operator, waitedMs, trace };
	const control = onceOnly<RecipientReply | null>();
	const found: (Findings | null)[] = [];
	for (const [at, address] of addresses.entries()) {
		const answer = answers?.[at] ?? null;
		const facts = lists[at];
		assert(facts !== undefined, 'every address was looked up in the lists');
		// The deeper check has the time of one address, however long those before it took.
		const ownDeadline = addresses.length === 1 ? deadline : ports.clock.now() + settings.budgetMs;
		const own = { address, lists: facts, probe: answer, deadline: ownDeadline, control };
		const wasReached = answers === null || answer !== null;
		found.push(wasReached ? await conclude({ ...shared, ...own }) : null);
	}
	return found;
}

/** What our lists say about an address. */
export function listFacts({ localPart, domain }: Address, disposable = isDisposable(domain)): ListFacts {
	return {
		freeEmail: isFreeProvider(domain),
		roleAccount: isRole(localPart),
		disposable,
		noReply: isNoReply(localPart),
		suggestedDomain: suggestDomain(domain),
	};
}
