import type { Address } from '../core/address/parse-address.ts';
import type { DomainFacts } from '../core/catchall/domain-facts.ts';
import { readRandoms } from '../core/catchall/evidence.ts';
import type { RandomReading } from '../core/catchall/evidence.ts';
import { judgeUnasked } from '../core/catchall/judge.ts';
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
import type { RecipientReply } from '../core/smtp/session.ts';
import { decide } from '../core/verification/decide.ts';
import type { RandomFinding } from '../core/verification/interpret-session.ts';
import { decidedBy, renderResult } from '../core/verification/render.ts';
import type { ListFacts, Outcome } from '../core/verification/render.ts';
import type { SubStatusOf } from '../core/verification/sub-status.ts';
import type { Trace } from '../core/verification/trace.ts';
import { judgeCatchAll, nameSignals } from './judge-catch-all.ts';
import type { JudgePorts } from './judge-catch-all.ts';
import { probeMailbox } from './probe-mailbox.ts';
import type { ProbePorts, ProbeResult } from './probe-mailbox.ts';
import type { Examined } from './verify-address.ts';

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

type Heard = Extract<ProbeResult, { kind: 'heard' }>;

const PAUSED = "The recipient's mail server refused us a short while ago, and is left alone for now";
const DOUBTFUL =
	"The recipient's mail server suddenly refuses every mailbox of the domain, which is believed if it still does in 15 minutes";
const BACKUP =
	"The recipient's first mail server could not be reached, and what a backup accepts proves nothing";

/** Lists, DNS, SMTP, verdict: everything about one address but its price. Throws only when our own means fail. */
export async function examineAddress(
	ports: ExaminePorts,
	settings: ExamineSettings,
	address: Address,
	trace: Trace = () => {},
): Promise<Examined> {
	const { lists, outcome, judgement } = await investigate(ports, settings, address, ALONE, trace);
	const result = renderResult(address, lists, outcome, ports.clock.now());
	return { result, breakdown: judgement?.breakdown ?? null };
}

/** How an address is examined. */
export interface Manner {
	/**
	 * `never`: a bulk job, which leaves the deeper check to a task. `catch_all`: a single call, where the domain takes
	 * everybody. `always`: a task, whose every address gets a score.
	 */
	readonly deep: 'never' | 'catch_all' | 'always';
	/** Wait a few seconds for a server that defers its first contact. */
	readonly patient: boolean;
	/** What the domain said to invented recipients a moment ago; null: to be found out. */
	readonly knownRandoms: KnownRandoms | null;
	/** What the task's source list says as a whole; null: none, or not a task. */
	readonly sourceList: SourceListFacts | null;
	/** The facts of domains that were looked up a moment ago, for the next address of the same. */
	readonly domains: Map<string, Promise<DomainFacts>> | null;
}

/** What a domain said to invented recipients. */
export interface KnownRandoms {
	readonly finding: RandomFinding;
	readonly readings: readonly RandomReading[];
}

const ALONE: Manner = {
	deep: 'catch_all',
	patient: true,
	knownRandoms: null,
	sourceList: null,
	domains: null,
};

/** What was found out about one address, before it is rendered. */
export interface Findings {
	readonly lists: ListFacts;
	readonly outcome: Outcome;
	/** What the domain says to invented recipients, where its best host answered; for the next address of the domain. */
	readonly randoms: KnownRandoms | null;
	/** Where the deep check ran. */
	readonly judgement: Judgement | null;
}

/** The examination itself, for one call and for the rows of a job alike. */
export async function investigate(
	ports: ExaminePorts,
	settings: ExamineSettings,
	address: Address,
	manner: Manner,
	trace: Trace = () => {},
): Promise<Findings> {
	trace({ step: 'address', address });
	const lists = listFacts(address, await ports.disposable.has(address.domain));
	trace({ step: 'lists', facts: lists });
	// A task was bought for a score, so it asks all the same.
	const found =
		lists.disposable && manner.deep !== 'always'
			? { outcome: decidedBy('list', 'disposable'), randoms: null, judgement: null }
			: await askNetwork(ports, settings, { address, lists, manner, trace });
	trace({ step: 'decision', subStatus: found.outcome.subStatus });
	return { lists, ...found };
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

async function askNetwork(
	ports: ExaminePorts,
	settings: ExamineSettings,
	subject: Subject,
): Promise<Omit<Findings, 'lists'>> {
	const { address, manner, trace } = subject;
	const deadline = ports.clock.now() + settings.budgetMs;
	const route = await findMailExchangers(ports.resolver, address.domain);
	const operator = route.kind === 'hosts' && !route.implicit ? findMailOperator(route.hosts) : null;
	trace({ step: 'route', route, operator });
	if (route.kind !== 'hosts') {
		const outcome = decidedBy('dns', ROUTELESS[route.kind]);
		const judged = await weigh({ ...subject, ports, settings, route, probe: null, deadline }, outcome);
		return { ...judged, randoms: null };
	}
	const question = {
		address,
		hosts: route.hosts,
		implicit: route.implicit,
		addressPolicy: settings.addressPolicy,
		deadline,
		patient: manner.patient,
		deep: PROBE_DEPTH[manner.deep],
		asksRandom: manner.knownRandoms === null,
	};
	const probe = withKnownRandoms(await probeMailbox(ports, question, trace), manner.knownRandoms);
	const server = {
		mxRecord: route.implicit ? null : (route.hosts[0] ?? null),
		implicitMx: route.implicit ? (route.hosts[0] ?? null) : null,
		smtpProvider: operator?.smtpProvider ?? null,
		gateway: operator?.gateway ?? null,
	};
	const about = { ...subject, ports, settings, route, probe, deadline };
	const decided = probe.kind === 'heard' ? decideHeard(about, probe) : decideUnheard(probe);
	const judged = await weigh(about, decided);
	return { ...judged, outcome: { ...judged.outcome, ...server }, randoms: learntFrom(probe) };
}

const ROUTELESS = {
	no_such_domain: 'invalid_domain',
	null_mx: 'does_not_accept_mail',
	no_mail_host: 'no_mx_records',
	undetermined: 'dns_error',
} as const;

const PROBE_DEPTH = { never: 'no', catch_all: 'catch_all', always: 'both' } as const;

/** What the next address of the domain need not ask again: not from a backup, which may have habits of its own. */
function learntFrom(probe: ProbeResult): KnownRandoms | null {
	if (probe.kind !== 'heard' || probe.viaBackup) return null;
	const { randoms: finding } = probe.interpretation;
	return finding === 'accepted' || finding === 'rejected' ? { finding, readings: readingsOf(probe) } : null;
}

/** Puts in what is known of the domain already. A backup has to show for itself that it knows its mailboxes. */
function withKnownRandoms(probe: ProbeResult, known: KnownRandoms | null): ProbeResult {
	if (known === null || probe.kind !== 'heard' || probe.viaBackup) return probe;
	return { ...probe, interpretation: { ...probe.interpretation, randoms: known.finding } };
}

function readingsOf({ report, operator }: Heard): readonly RandomReading[] {
	return readRandoms(report, operator?.operator ?? null);
}

interface Subject {
	readonly manner: Manner;
	readonly address: Address;
	readonly lists: ListFacts;
	readonly trace: Trace;
}

interface Case extends Subject {
	readonly ports: ExaminePorts;
	readonly settings: ExamineSettings;
	readonly route: MailRoute;
	readonly probe: ProbeResult | null;
	readonly deadline: number;
}

/** What the conversation decides; null: the domain takes everybody, so the deeper check has to. */
type Decided = Outcome | 'doubtful_directory' | null;

function decideUnheard(probe: Exclude<ProbeResult, Heard>): Outcome {
	switch (probe.kind) {
		case 'dns_error':
			return decidedBy('dns', 'dns_error');
		case 'unroutable':
			return decidedBy('dns', 'unroutable_mx');
		case 'no_connect':
			return decidedBy('smtp', 'no_connect');
		case 'paused':
			return { ...decidedBy('smtp', probe.why), note: PAUSED };
	}
}

function decideHeard(about: Case, probe: Heard): Decided {
	const { interpretation, viaBackup, operator } = probe;
	const likelyTypo = about.lists.suggestedDomain !== null;
	const decision = decide({ interpretation, viaBackup, operator, likelyTypo });
	if (isDoubtful(about, probe)) return 'doubtful_directory';
	if (decision.kind === 'deep_check') return null;
	const { subStatus, catchAll } = decision;
	return {
		...decidedBy('smtp', subStatus),
		catchAll,
		replyCode: interpretation.replyCode,
		...(subStatus === 'no_connect' ? { note: BACKUP } : {}),
	};
}

/** A directory that broke says "no such user" for everybody: a sudden run of that is believed when it lasts. */
function isDoubtful({ ports, address }: Case, { interpretation }: Heard): boolean {
	const { kind } = interpretation.target;
	if (kind !== 'accepted' && kind !== 'rejected') return false;
	const trust = ports.standing.answered(address.domain, { kind, mailbox: address.localPart });
	return kind === 'rejected' && trust === 'doubtful';
}

/** From what the conversation decided to what is said of the address, with the deeper check where that is wanted. */
async function weigh(about: Case, decided: Decided): Promise<Pick<Findings, 'outcome' | 'judgement'>> {
	const { deep } = about.manner;
	if (decided === 'doubtful_directory') {
		const outcome = { ...decidedBy('smtp', 'unavailable_smtp'), note: DOUBTFUL };
		return { outcome, judgement: deep === 'always' ? judgeWithoutServer(about, 'unavailable_smtp') : null };
	}
	if (deep === 'always' || (deep === 'catch_all' && decided === null)) {
		const judgement = await checkDeeply(about);
		const { score, verdict, subStatus, isCatchAll } = judgement;
		const catchAll = decided === null ? true : isCatchAll;
		const base = decided ?? decidedBy('smtp', subStatus);
		return { outcome: { ...base, subStatus, catchAll, catchAllScore: { score, verdict } }, judgement };
	}
	if (decided === null) return { outcome: CATCH_ALL_ROW, judgement: null };
	if (decided.subStatus !== 'catch_all_invalid') return { outcome: decided, judgement: null };
	// A job's row says what was found without the deeper check: the address was refused. Alone, it has the lowest score
	// of a catch-all domain (gate G2 of the scorecard).
	const outcome: Outcome =
		deep === 'never'
			? { ...decided, subStatus: 'rejected_email' }
			: { ...decided, catchAllScore: { score: 2, verdict: 'invalid' } };
	return { outcome, judgement: null };
}

function judgeWithoutServer(about: Case, why: SubStatusOf<'unknown'>): Judgement {
	return judgeUnasked(nameSignals(about.address, about.manner.sourceList), why, about.settings.thresholds);
}

/** The deeper check of an address on a domain that accepts every recipient. */
async function checkDeeply(about: Case): Promise<Judgement> {
	const { ports, settings, address, lists, route, probe, deadline, manner, trace } = about;
	const { knownRandoms, sourceList, domains } = manner;
	const randoms = knownRandoms?.readings ?? (probe?.kind === 'heard' ? readingsOf(probe) : []);
	const examineDomain = domains === null ? ports.examineDomain : remembering(ports.examineDomain, domains);
	const judgement = await judgeCatchAll({ ...ports, examineDomain }, settings.thresholds, {
		address,
		lists,
		route,
		probe,
		randoms,
		sourceList,
		askControl: () => askControl(about),
		deadline,
	});
	const { breakdown, score, verdict } = judgement;
	trace({ step: 'score', breakdown, score, verdict });
	return judgement;
}

/** One look at a domain for all its addresses. */
function remembering(
	examineDomain: JudgePorts['examineDomain'],
	known: Map<string, Promise<DomainFacts>>,
): JudgePorts['examineDomain'] {
	return (domain, question) => {
		const facts = known.get(domain) ?? examineDomain(domain, question);
		known.set(domain, facts);
		return facts;
	};
}

/** An invented recipient, asked first in a conversation of its own. */
async function askControl({
	ports,
	settings,
	address,
	route,
	deadline,
	trace,
}: Case): Promise<RecipientReply | null> {
	if (route.kind !== 'hosts') return null;
	const stranger = { ...address, localPart: ports.randomness.word(CONTROL_LENGTH), needsSmtputf8: false };
	const { hosts, implicit } = route;
	const { addressPolicy } = settings;
	const asked = { address: stranger, hosts, implicit, addressPolicy, deadline } as const;
	const probe = await probeMailbox(ports, { ...asked, deep: 'no', asksRandom: false, patient: false }, trace);
	return probe.kind === 'heard' ? (probe.report.targets[0] ?? null) : null;
}

const CONTROL_LENGTH = 16;

/** A catch-all domain in a bulk job, which leaves the deeper check to a task of its own. */
const CATCH_ALL_ROW: Outcome = { ...decidedBy('smtp', 'catch_all'), catchAll: true };
