import type { Address } from '../core/address/parse-address.ts';
import { readRandoms } from '../core/catchall/evidence.ts';
import { judgeAddress } from '../core/catchall/judge.ts';
import type { VerdictThresholds } from '../core/catchall/judge.ts';
import { measure } from '../core/catchall/signals.ts';
import { readDomainPolicies } from '../core/catchall/domain-policies.ts';
import { findMailExchangers } from '../core/dns/find-mail-exchangers.ts';
import type { MailRoute } from '../core/dns/find-mail-exchangers.ts';
import type { AddressPolicy } from '../core/dns/usable-addresses.ts';
import { isDisposable } from '../core/lists/disposable.ts';
import { isFreeProvider } from '../core/lists/free-providers.ts';
import { isNoReply } from '../core/lists/no-reply.ts';
import { isRole } from '../core/lists/roles.ts';
import { suggestDomain } from '../core/lists/typos.ts';
import { findMailOperator } from '../core/mail-operators/find-operator.ts';
import type { MailOperator } from '../core/mail-operators/find-operator.ts';
import { decide } from '../core/verification/decide.ts';
import type { RandomFinding } from '../core/verification/interpret-session.ts';
import { decidedBy, renderResult } from '../core/verification/render.ts';
import type { ListFacts, Outcome } from '../core/verification/render.ts';
import type { VerificationResult } from '../core/verification/result.ts';
import type { SubStatus } from '../core/verification/sub-status.ts';
import type { Trace } from '../core/verification/trace.ts';
import { probeMailbox } from './probe-mailbox.ts';
import type { ProbePorts, ProbeResult } from './probe-mailbox.ts';

export interface ExaminePorts extends ProbePorts {
	/** The list of disposable domains in use. */
	readonly disposable: { has(domain: string): Promise<boolean> };
}

export interface ExamineSettings {
	/** Time for all network work on one address, in milliseconds. */
	readonly budgetMs: number;
	readonly addressPolicy: AddressPolicy;
	readonly thresholds: VerdictThresholds;
}

type Hosts = Extract<MailRoute, { kind: 'hosts' }>;
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
): Promise<VerificationResult> {
	const { lists, outcome } = await investigate(ports, settings, address, ALONE, trace);
	return renderResult(address, lists, outcome, ports.clock.now());
}

/** How an address is examined. */
export interface Manner {
	/** The deeper check of a catch-all domain, in the same call. */
	readonly deep: boolean;
	/** Wait a few seconds for a server that defers its first contact. */
	readonly patient: boolean;
	/** What the domain said to an invented recipient a moment ago; null: to be found out. */
	readonly knownRandoms: RandomFinding | null;
}

const ALONE: Manner = { deep: true, patient: true, knownRandoms: null };

/** What was found out about one address, before it is rendered. */
export interface Findings {
	readonly lists: ListFacts;
	readonly outcome: Outcome;
	/** What the domain says to invented recipients, where its best host answered; for the next address of the domain. */
	readonly randoms: RandomFinding | null;
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
	const found = lists.disposable
		? { outcome: decidedBy('list', 'disposable'), randoms: null }
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
	ports: ProbePorts,
	settings: ExamineSettings,
	subject: Subject,
): Promise<Omit<Findings, 'lists'>> {
	const { address, manner, trace } = subject;
	const deadline = ports.clock.now() + settings.budgetMs;
	const route = await findMailExchangers(ports.resolver, address.domain);
	const operator = route.kind === 'hosts' && !route.implicit ? findMailOperator(route.hosts) : null;
	trace({ step: 'route', route, operator });
	switch (route.kind) {
		case 'no_such_domain':
			return { outcome: decidedBy('dns', 'invalid_domain'), randoms: null };
		case 'null_mx':
			return { outcome: decidedBy('dns', 'does_not_accept_mail'), randoms: null };
		case 'no_mail_host':
			return { outcome: decidedBy('dns', 'no_mx_records'), randoms: null };
		case 'undetermined':
			return { outcome: decidedBy('dns', 'dns_error'), randoms: null };
		case 'hosts':
			break;
	}
	const { addressPolicy } = settings;
	const { deep, patient, knownRandoms } = manner;
	const asked = { deep, patient, asksRandom: knownRandoms === null };
	const { hosts, implicit } = route;
	const question = { address, hosts, implicit, addressPolicy, deadline, ...asked };
	const probe = withKnownRandoms(await probeMailbox(ports, question, trace), knownRandoms);
	const outcome = await judge({ ...subject, ports, settings, route, operator, probe });
	const learnt = probe.kind === 'heard' && !probe.viaBackup ? probe.interpretation.randoms : null;
	return { outcome, randoms: learnt === 'accepted' || learnt === 'rejected' ? learnt : null };
}

/** Puts in what is known of the domain already. A backup has to show for itself that it knows its mailboxes. */
function withKnownRandoms(probe: ProbeResult, known: RandomFinding | null): ProbeResult {
	if (known === null || probe.kind !== 'heard' || probe.viaBackup) return probe;
	return { ...probe, interpretation: { ...probe.interpretation, randoms: known } };
}

interface Subject {
	readonly manner: Manner;
	readonly address: Address;
	readonly lists: ListFacts;
	readonly trace: Trace;
}

interface Case extends Subject {
	readonly ports: ProbePorts;
	readonly settings: ExamineSettings;
	readonly route: Hosts;
	readonly operator: MailOperator | null;
	readonly probe: ProbeResult;
}

async function judge(about: Case): Promise<Outcome> {
	const { route, probe } = about;
	const server = {
		mxRecord: route.implicit ? null : (route.hosts[0] ?? null),
		implicitMx: route.implicit ? (route.hosts[0] ?? null) : null,
		smtpProvider: about.operator?.smtpProvider ?? null,
		gateway: about.operator?.gateway ?? null,
	};
	if (probe.kind === 'dns_error') return { ...decidedBy('dns', 'dns_error'), ...server };
	if (probe.kind === 'unroutable') return { ...decidedBy('dns', 'unroutable_mx'), ...server };
	if (probe.kind === 'no_connect') return { ...decidedBy('smtp', 'no_connect'), ...server };
	if (probe.kind === 'paused') return { ...decidedBy('smtp', probe.why), ...server, note: PAUSED };
	const { interpretation, viaBackup, operator } = probe;
	const likelyTypo = about.lists.suggestedDomain !== null;
	const decision = decide({ interpretation, viaBackup, operator, likelyTypo });
	if (isDoubtful(about, probe))
		return { ...decidedBy('smtp', 'unavailable_smtp'), ...server, note: DOUBTFUL };
	if (decision.kind === 'deep_check') {
		const deeper = about.manner.deep ? await checkCatchAll(about, probe) : CATCH_ALL_ROW;
		return { ...deeper, ...server };
	}
	const { catchAll } = decision;
	const subStatus = about.manner.deep ? decision.subStatus : withoutDeepCheck(decision.subStatus);
	const outcome = {
		...decidedBy('smtp', subStatus),
		...server,
		catchAll,
		replyCode: interpretation.replyCode,
		...(subStatus === 'no_connect' ? { note: BACKUP } : {}),
	};
	// On a catch-all domain an address that is refused by itself has the lowest score (gate G2 of the scorecard).
	return catchAll === true && about.manner.deep
		? { ...outcome, catchAllScore: { score: 2, verdict: 'invalid' } }
		: outcome;
}

/** A job's row says what was found without the deeper check: the address was refused. */
function withoutDeepCheck(subStatus: SubStatus): SubStatus {
	return subStatus === 'catch_all_invalid' ? 'rejected_email' : subStatus;
}

/** A directory that broke says "no such user" for everybody: a sudden run of that is believed when it lasts. */
function isDoubtful({ ports, address }: Case, { interpretation }: Heard): boolean {
	const { kind } = interpretation.target;
	if (kind !== 'accepted' && kind !== 'rejected') return false;
	const trust = ports.standing.answered(address.domain, { kind, mailbox: address.localPart });
	return kind === 'rejected' && trust === 'doubtful';
}

/** The deeper check of an address on a domain that accepts every recipient. */
async function checkCatchAll(about: Case, probe: Heard): Promise<Outcome> {
	const { ports, settings, address, lists, route } = about;
	const measured = measure({
		localPart: address.localPart,
		roleAccount: lists.roleAccount,
		noReply: lists.noReply,
		policies: await readDomainPolicies(ports.resolver, address.domain),
	});
	const { score, verdict, subStatus, breakdown } = judgeAddress(
		{
			mail: { ...route, probe },
			randoms: readRandoms(probe.report, probe.operator?.operator ?? null),
			control: null,
			lists,
			...measured,
			registrationEnded: false,
			ownOutcome: null,
		},
		settings.thresholds,
	);
	about.trace({ step: 'score', breakdown, score, verdict });
	return { ...decidedBy('smtp', subStatus), catchAll: true, catchAllScore: { score, verdict } };
}

/** A catch-all domain in a bulk job, which leaves the deeper check to a task of its own. */
const CATCH_ALL_ROW: Outcome = { ...decidedBy('smtp', 'catch_all'), catchAll: true };
