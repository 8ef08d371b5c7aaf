import type { Address } from '../core/address/parse-address.ts';
import { judgeScore, scoreSignals } from '../core/catchall/scorecard.ts';
import type { VerdictThresholds } from '../core/catchall/scorecard.ts';
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
import { decide, subStatusOfCatchAll } from '../core/verification/decide.ts';
import { renderResult } from '../core/verification/render.ts';
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

const PAUSED = 'it refused us a short while ago, and is left alone for now';
const DOUBTFUL =
	'it suddenly refuses every mailbox of the domain, which is believed if it still does in 15 minutes';

/** Lists, DNS, SMTP, verdict: everything about one address but its price. Throws only when our own means fail. */
export async function examineAddress(
	ports: ExaminePorts,
	settings: ExamineSettings,
	address: Address,
	trace: Trace = () => {},
): Promise<VerificationResult> {
	trace({ step: 'address', address });
	const lists = listFacts(address, await ports.disposable.has(address.domain));
	trace({ step: 'lists', facts: lists });
	const outcome = lists.disposable
		? decidedBy('list', 'disposable')
		: await askNetwork(ports, settings, { address, lists, trace });
	trace({ step: 'decision', subStatus: outcome.subStatus });
	return renderResult(address, lists, outcome, ports.clock.now());
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

async function askNetwork(ports: ProbePorts, settings: ExamineSettings, subject: Subject): Promise<Outcome> {
	const { address, trace } = subject;
	const deadline = ports.clock.now() + settings.budgetMs;
	const route = await findMailExchangers(ports.resolver, address.domain);
	const operator = route.kind === 'hosts' && !route.implicit ? findMailOperator(route.hosts) : null;
	trace({ step: 'route', route, operator });
	switch (route.kind) {
		case 'no_such_domain':
			return decidedBy('dns', 'invalid_domain');
		case 'null_mx':
			return decidedBy('dns', 'does_not_accept_mail');
		case 'no_mail_host':
			return decidedBy('dns', 'no_mx_records');
		case 'undetermined':
			return decidedBy('dns', 'dns_error');
		case 'hosts':
			break;
	}
	const { addressPolicy } = settings;
	const question = { address, hosts: route.hosts, operator, addressPolicy, deep: true, deadline };
	const probe = await probeMailbox(ports, question, trace);
	return judge({ ...subject, ports, settings, route, operator, probe });
}

interface Subject {
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
	const { route, operator, probe } = about;
	const server = {
		mxRecord: route.implicit ? null : (route.hosts[0] ?? null),
		implicitMx: route.implicit ? (route.hosts[0] ?? null) : null,
		smtpProvider: operator?.smtpProvider ?? null,
		gateway: operator?.gateway ?? null,
	};
	if (probe.kind === 'dns_error') return { ...decidedBy('dns', 'dns_error'), ...server };
	if (probe.kind === 'unroutable') return { ...decidedBy('dns', 'unroutable_mx'), ...server };
	if (probe.kind === 'no_connect') return { ...decidedBy('smtp', 'no_connect'), ...server };
	if (probe.kind === 'paused') return { ...decidedBy('smtp', probe.why), ...server, note: PAUSED };
	const { interpretation, viaBackup } = probe;
	const likelyTypo = about.lists.suggestedDomain !== null;
	const decision = decide({ interpretation, viaBackup, operator, likelyTypo });
	if (isDoubtful(about, probe))
		return { ...decidedBy('smtp', 'unavailable_smtp'), ...server, note: DOUBTFUL };
	if (decision.kind === 'deep_check') return { ...(await checkCatchAll(about, probe)), ...server };
	const { subStatus, catchAll } = decision;
	const outcome = {
		...decidedBy('smtp', subStatus),
		...server,
		catchAll,
		replyCode: interpretation.replyCode,
	};
	// On a catch-all domain an address that is refused by itself has the lowest score (gate G2 of the scorecard).
	return catchAll === true ? { ...outcome, catchAllScore: { score: 2, verdict: 'invalid' } } : outcome;
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
	const { ports, settings, address, lists, route, operator } = about;
	const { randoms } = probe.interpretation;
	const measured = measure({
		localPart: address.localPart,
		roleAccount: lists.roleAccount,
		noReply: lists.noReply,
		likelyTypo: lists.suggestedDomain !== null,
		operator,
		mailHosts: route.hosts.length,
		implicitMx: route.implicit,
		startTls: probe.report.keywords.has('STARTTLS'),
		policies: await readDomainPolicies(ports.resolver, address.domain),
	});
	// Invented recipients that fare differently, or just one asked: what the server says can't be built upon.
	const consistent = randoms === 'accepted' && probe.report.randoms.length > 1;
	const { coverage } = measured;
	const judged = judgeScore(scoreSignals(measured.signals), { coverage, consistent }, settings.thresholds);
	about.trace({ step: 'score', signals: measured.signals, coverage, ...judged });
	return {
		...decidedBy('smtp', subStatusOfCatchAll(judged.verdict)),
		catchAll: true,
		catchAllScore: judged,
	};
}

function decidedBy(method: Outcome['method'], subStatus: SubStatus): Outcome {
	return {
		subStatus,
		method,
		catchAll: null,
		catchAllScore: null,
		mxRecord: null,
		implicitMx: null,
		smtpProvider: null,
		gateway: null,
		replyCode: null,
	};
}
