import type { Address } from '../core/address/parse-address.ts';
import type { DomainFacts } from '../core/catchall/domain-facts.ts';
import type { InventedReading } from '../core/catchall/evidence.ts';
import type { Judgement, VerdictThresholds } from '../core/catchall/judge.ts';
import type { ListFacts as SourceListFacts } from '../core/catchall/list/list-facts.ts';
import { findMailExchangers } from '../core/dns/find-mail-exchangers.ts';
import type { MailRoute } from '../core/dns/find-mail-exchangers.ts';
import type { AddressPolicy } from '../core/dns/usable-addresses.ts';
import { isDisposable } from '../core/lists/disposable.ts';
import { isFreeProvider } from '../core/lists/free-providers.ts';
import { isNoReply } from '../core/lists/no-reply.ts';
import { isRole } from '../core/lists/roles.ts';
import { suggestDomain } from '../core/lists/typos.ts';
import { findMailOperator } from '../core/mail-operators/find-operator.ts';
import type { Asker } from '../core/politeness/mail-host.ts';
import type { RecipientReply } from '../core/smtp/session.ts';
import type { InventedFinding } from '../core/verification/interpret-session.ts';
import { decidedBy, renderResult } from '../core/verification/render.ts';
import type { ListFacts, Outcome } from '../core/verification/render.ts';
import type { Trace } from '../core/verification/trace.ts';
import { ServiceError } from '../errors.ts';
import { onceOnly } from '../lib/once-only.ts';
import { assert } from '../lib/assert.ts';
import { conclude, readingsOf, weigh } from './conclude.ts';
import type { Subject } from './conclude.ts';
import type { JudgePorts } from './judge-catch-all.ts';
import { probeMailbox, probeMailboxes } from './probe-mailbox.ts';
import type { ProbePorts, ProbeResult } from './probe-mailbox.ts';
import type { Examined } from './examined.ts';
import { RESOLVER } from './ports.ts';
import type { Failure } from './ports.ts';

export interface ExaminePorts extends ProbePorts, JudgePorts {
	/** The list of disposable domains in use. */
	readonly disposable: { has(domain: string): Promise<boolean> };
}

export interface ExamineSettings {
	/** Time for all network work on one address, in milliseconds. */
	readonly budgetMs: number;
	readonly addressPolicy: AddressPolicy;
	readonly thresholds: VerdictThresholds;
}

/** Lists, DNS, SMTP, verdict: everything about one address but its price. Throws only when our own means fail. */
export async function examineAddress(
	ports: ExaminePorts,
	settings: ExamineSettings,
	address: Address,
	asker: Asker,
	trace: Trace = () => {},
): Promise<Examined> {
	const begun = ports.clock.now();
	const manner = { ...ALONE, asker };
	const { lists, outcome, judgement, answeredBy, unreachedBy } = await investigate(
		ports,
		settings,
		address,
		manner,
		trace,
	);
	if (unreachedBy !== undefined) assertServes(ports, { way: unreachedBy, begun, at: ports.clock.now() });
	const result = renderResult(address, lists, outcome, ports.clock.now());
	return { result, breakdown: judgement?.breakdown ?? null, answeredBy };
}

/** Throws where nobody is reached by this way out just now: that says nothing about the address. */
function assertServes({ waysOut }: ExaminePorts, failure: Failure): void {
	if (waysOut?.blame(failure) !== 'ours') return;
	const message =
		failure.way === RESOLVER
			? 'The DNS resolver gives no answers at the moment'
			: 'No outgoing connection for mail is available';
	throw new ServiceError('upstream_unavailable', message);
}

/** How an address is examined. */
export interface Manner {
	/** What a mail host holds against us while it is asked for an account counts for others only within limits. */
	readonly asker: Asker;
	/**
	 * `never`: a bulk job, which leaves the deeper check to a task. `catch_all`: a single call, where the domain takes
	 * everybody. `always`: a task, whose every address gets a score.
	 */
	readonly deep: 'never' | 'catch_all' | 'always';
	/** Wait a few seconds for a server that defers its first contact. */
	readonly patient: boolean;
	/** Where the domain's mail goes, as looked up a moment ago; null: to be looked up. */
	readonly route: MailRoute | null;
	/** What the domain said to invented recipients a moment ago; null: to be found out. */
	readonly knownInvented: KnownInvented | null;
	/** What the task's source list says as a whole; null: none, or not a task. */
	readonly sourceList: SourceListFacts | null;
	/** The facts of domains that were looked up a moment ago, for the next address of the same. */
	readonly domains: Map<string, Promise<DomainFacts>> | null;
}

/** What a domain said to invented recipients. */
export interface KnownInvented {
	readonly finding: InventedFinding;
	readonly readings: readonly InventedReading[];
}

const ALONE: Omit<Manner, 'asker'> = {
	deep: 'catch_all',
	patient: true,
	route: null,
	knownInvented: null,
	sourceList: null,
	domains: null,
};

/** What was found out about one address, before it is rendered. */
export interface Findings {
	readonly lists: ListFacts;
	readonly outcome: Outcome;
	/** What the domain says to invented recipients, where its best host answered; for the next address of the domain. */
	readonly invented: KnownInvented | null;
	/** Where the deep check ran. */
	readonly judgement: Judgement | null;
	/** The mail host whose reply decided; left out: none was asked, or none replied. */
	readonly answeredBy?: string | undefined;
	/** Our way out by which nobody could be reached: whose fault it is, it alone does not tell. */
	readonly unreachedBy?: string;
}

/** The examination itself, for one address. */
export async function investigate(
	ports: ExaminePorts,
	settings: ExamineSettings,
	address: Address,
	manner: Manner,
	trace: Trace = () => {},
): Promise<Findings> {
	const [findings] = await investigateMany(ports, settings, [address], manner, trace);
	assert(findings !== undefined && findings !== null, 'an address alone has a result');
	return findings;
}

/**
 * The examination of many addresses of one domain, which share the look-ups and the conversations. The findings stand
 * in the order of the addresses; null: the time was up before the mail server was asked about this one.
 */
export async function investigateMany(
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
	const subjects = addresses.map((address): Subject => {
		const lists = listFacts(address, isDisposableDomain);
		trace({ step: 'lists', facts: lists });
		return { address, lists, manner, trace };
	});
	// A task was bought for a score, so it asks all the same.
	const found =
		isDisposableDomain && manner.deep !== 'always'
			? subjects.map(() => ({ outcome: decidedBy('list', 'disposable'), invented: null, judgement: null }))
			: await askAhead(ports, settings, subjects);
	return subjects.map(({ lists }, index) => {
		const findings = found[index] ?? null;
		if (findings === null) return null;
		trace({ step: 'decision', subStatus: findings.outcome.subStatus });
		return { lists, ...findings };
	});
}

/** What the bundled lists know about an address. */
export function listFacts({ localPart, domain }: Address, disposable = isDisposable(domain)): ListFacts {
	return {
		freeEmail: isFreeProvider(domain),
		roleAccount: isRole(localPart),
		disposable,
		noReply: isNoReply(localPart),
		suggestedDomain: suggestDomain(domain),
	};
}

type Found = Omit<Findings, 'lists'>;

/**
 * Somebody waits: the proxy lets us in while the name servers are asked. Not for a free provider, whose exchanger mostly
 * has a connection.
 */
async function askAhead(
	ports: ExaminePorts,
	settings: ExamineSettings,
	subjects: readonly Subject[],
): Promise<readonly (Found | null)[]> {
	const [first] = subjects;
	const isWorthIt = first !== undefined && first.manner.patient && !first.lists.freeEmail;
	const begun = isWorthIt ? (ports.dialer.ahead?.(first.address.domain) ?? null) : null;
	if (begun === null) return askNetwork(ports, settings, subjects);
	try {
		return await askNetwork({ ...ports, dialer: begun.dialer }, settings, subjects);
	} finally {
		begun.end();
	}
}

async function askNetwork(
	ports: ExaminePorts,
	settings: ExamineSettings,
	subjects: readonly Subject[],
): Promise<readonly (Found | null)[]> {
	const [first] = subjects;
	if (first === undefined) return [];
	const { manner, trace } = first;
	const deadline = ports.clock.now() + settings.budgetMs;
	const route = manner.route ?? (await findMailExchangers(ports.resolver, first.address.domain));
	const operator = route.kind === 'hosts' && !route.implicit ? findMailOperator(route.hosts) : null;
	trace({ step: 'route', route, operator });
	const probes = route.kind === 'hosts' ? await askHosts(ports, settings, { subjects, route, deadline }) : [];
	const server = {
		mxRecord: route.kind !== 'hosts' || route.implicit ? null : (route.hosts[0] ?? null),
		implicitMx: route.kind === 'hosts' && route.implicit ? (route.hosts[0] ?? null) : null,
		smtpProvider: operator?.smtpProvider ?? null,
		gateway: operator?.gateway ?? null,
	};
	const control = onceOnly<RecipientReply | null>();
	const found: (Found | null)[] = [];
	for (const subject of subjects) {
		// The deep check has the time of one address, whatever the others took before it.
		const ownDeadline = subjects.length === 1 ? deadline : ports.clock.now() + settings.budgetMs;
		const base = { ...subject, ports, settings, route, deadline: ownDeadline, control };
		if (route.kind !== 'hosts') {
			const judged = await weigh({ ...base, probe: null }, decidedBy('dns', ROUTELESS[route.kind]));
			const unreached = route.kind === 'undetermined' ? { unreachedBy: RESOLVER } : {};
			found.push({ ...judged, ...unreached, invented: null });
			continue;
		}
		const heard = probes[found.length] ?? null;
		if (heard === null) {
			found.push(null);
			continue;
		}
		const probe = withKnownInvented(heard, manner.knownInvented);
		const judged = await conclude({ ...base, probe });
		found.push({
			...judged,
			outcome: { ...judged.outcome, ...server },
			invented: learntFrom(probe),
			answeredBy: whoReplied(probe),
			...unreachedIn(ports, first.address.domain, probe),
		});
	}
	return found;
}

/** Who needs SMTPUTF8 is asked about in a conversation of their own: its MAIL command says so for all recipients. */
async function askHosts(
	ports: ExaminePorts,
	settings: ExamineSettings,
	about: {
		readonly subjects: readonly Subject[];
		readonly route: Extract<MailRoute, { kind: 'hosts' }>;
		readonly deadline: number;
	},
): Promise<readonly (ProbeResult | null)[]> {
	const { subjects, route, deadline } = about;
	const [first] = subjects;
	if (first === undefined) return [];
	const { manner, trace } = first;
	const question = {
		hosts: route.hosts,
		implicit: route.implicit,
		addressPolicy: settings.addressPolicy,
		asker: manner.asker,
		deadline,
		deep: PROBE_DEPTH[manner.deep],
		asksInvented: manner.knownInvented === null,
	};
	if (subjects.length === 1)
		return [
			await probeMailbox(ports, { ...question, address: first.address, patient: manner.patient }, trace),
		];
	const probes = new Map<Address, ProbeResult | null>();
	for (const needsSmtputf8 of [false, true]) {
		const addresses = subjects
			.map(({ address }) => address)
			.filter((address) => address.needsSmtputf8 === needsSmtputf8);
		if (addresses.length === 0) continue;
		const heard = await probeMailboxes(ports, { ...question, addresses }, trace);
		addresses.forEach((address, index) => void probes.set(address, heard[index] ?? null));
	}
	return subjects.map(({ address }) => probes.get(address) ?? null);
}

function unreachedIn(
	{ dialer }: ExaminePorts,
	domain: string,
	{ kind }: ProbeResult,
): Pick<Findings, 'unreachedBy'> {
	if (kind === 'dns_error') return { unreachedBy: RESOLVER };
	return kind === 'no_connect' ? { unreachedBy: dialer.egressFor(domain) } : {};
}

const ROUTELESS = {
	no_such_domain: 'invalid_domain',
	null_mx: 'does_not_accept_mail',
	no_mail_host: 'no_mx_records',
	undetermined: 'dns_error',
} as const;

const PROBE_DEPTH = { never: 'no', catch_all: 'catch_all', always: 'both' } as const;

/** A host that took the connection and said nothing did not answer. */
function whoReplied(probe: ProbeResult): string | undefined {
	return probe.kind === 'heard' && probe.interpretation.replyCode !== null ? probe.host : undefined;
}

/** What the next address of the domain need not ask again: not from a backup, which may have habits of its own. */
function learntFrom(probe: ProbeResult): KnownInvented | null {
	if (probe.kind !== 'heard' || probe.viaBackup) return null;
	const { invented: finding } = probe.interpretation;
	return finding === 'accepted' || finding === 'rejected' ? { finding, readings: readingsOf(probe) } : null;
}

/** Puts in what is known of the domain already. A backup has to show for itself that it knows its mailboxes. */
function withKnownInvented(probe: ProbeResult, known: KnownInvented | null): ProbeResult {
	if (known === null || probe.kind !== 'heard' || probe.viaBackup) return probe;
	return { ...probe, interpretation: { ...probe.interpretation, invented: known.finding } };
}
