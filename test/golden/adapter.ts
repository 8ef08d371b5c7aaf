import { NOT_TOLD, readRdapAnswer } from '../../src/core/catchall/domain/rdap.ts';
import { planListFacts } from '../../src/core/catchall/list/list-facts.ts';
import { PRICE } from '../../src/core/credits/price.ts';
import type { Answer, DnsFailure, LookedUpType, MxRecord, RecordType } from '../../src/core/dns/resolver.ts';
import { renderRow } from '../../src/core/jobs/stored-row.ts';
import type { FinalRow } from '../../src/core/jobs/stored-row.ts';
import { Trail } from '../../src/core/verification/trail.ts';
import type { VerificationResult } from '../../src/core/verification/render.ts';
import { examineDomain } from '../../src/engine/domain.ts';
import type { DomainPorts } from '../../src/engine/domain.ts';
import { lookUpMail } from '../../src/engine/case.ts';
import type { ExaminePorts } from '../../src/engine/case.ts';
import { examineAddresses } from '../../src/engine/examine.ts';
import type { Asked, Question } from '../../src/wire/prober.ts';
import { ServiceError } from '../../src/errors.ts';
import { ExpiringMap } from '../../src/lib/expiring-map.ts';
import { parseAddressBlock } from '../../src/lib/ip-address.ts';
import { encodeQuestion, readAnswer } from '../../src/net/dns-message.ts';
import { Examination, NOT_DEEP } from '../../src/operations/jobs/steps/examine-part.ts';
import type { Depth } from '../../src/operations/jobs/steps/examine-part.ts';
import { ask as askHosts } from '../../src/prober/ask.ts';
import { ProberMemory } from '../../src/prober/memory.ts';
import type { Dialer } from '../../src/prober/dial/egress-dialer.ts';
import { Turns } from '../../src/prober/turns/turns.ts';
import { answerAt, questionAt, sentAnswer, sentQuestion, VERSION } from '../../src/wire/prober.ts';
import { makeCounters } from '../sandbox/counters.ts';
import { answerQuestion as answerFromZones } from '../sandbox/dns-server.ts';
import { domainObject } from '../sandbox/rdap-server.ts';
import { randomFrom } from '../support/random.ts';
import { SANDBOX_RANGE } from '../sandbox/zones.ts';
import { examineAlone } from '../support/unit/examine-alone.ts';
import { addressOf } from '../support/unit/mail-servers.ts';
import { virtualClock } from '../support/unit/virtual-clock.ts';
import { PlayedConnection } from './mail-server.ts';
import type { World } from './world.ts';

// The one file of the golden verdicts that knows how the product is built: the engine of the Worker before the prober's
// lines, with the sandbox's DNS, registries and mail servers inside this process and time that costs nothing.

/** An answer as the API gives it, and what it costs. */
export interface Told {
	readonly result: VerificationResult;
	readonly charge: number;
}

/** How POST /v1/verify is asked. `own`: what came of the account's own message two days ago. */
interface Asking {
	readonly quick?: boolean;
	readonly own?: 'delivered' | 'hard_bounce' | null;
}

/** A row of a catch-all task, and what it costs. */
export interface Judged {
	readonly email: string;
	readonly score: number;
	readonly verdict: string;
	readonly catchAll: boolean | null;
	readonly result: VerificationResult;
	readonly charge: number;
}

const SETTINGS = { budgetMs: 15_000 };
// The sandbox's mail hosts have no public addresses.
const POLICY = [parseAddressBlock(SANDBOX_RANGE) ?? raise('no range')];
const RETRIES_MS = [60_000, 300_000, 900_000];
const TURNS_MAX = 20;
const NEXT_TURN_MS = 60_000;
const ASKER = 'acc_1';
const EGRESS = 'direct';

const chargeOf = (price: number, { status }: VerificationResult): number =>
	status === 'unknown' ? 0 : price;

/** A service that met nobody yet, in a world. */
export function openService(world: World) {
	const clock = virtualClock();
	const random = randomFrom(1);
	const word = (length: number): string =>
		Array.from({ length }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('');
	const lookUp = resolverIn(world, clock);
	const records = {
		look: async (name: string, type: LookedUpType) => (await lookUp(name, type)) as Answer<string>,
	};
	const domainPorts: DomainPorts = { clock, records, ...outsideOf(world, clock) };
	const ports: ExaminePorts = {
		clock,
		resolver: { ...records, mx: async (domain) => (await lookUp(domain, 'MX')) as Answer<MxRecord> },
		addressPolicy: POLICY,
		prober: { ask: proberIn(world, clock, random) },
		randomness: { word },
		examineDomain: (domain, question) => examineDomain(domainPorts, domain, question),
	};
	const part = {
		clock,
		lookUpMail: lookUpMail.bind(null, ports),
		examineAddresses: examineAddresses.bind(null, ports, SETTINGS),
	};
	/** One attempt after the other, as a list makes them, until each address has its final row. */
	const rowsOf = async (emails: readonly string[], depth: Depth): Promise<FinalRow[]> => {
		const rows = new Map<number, FinalRow>();
		let open = emails.map((email, index) => [index, email] as const);
		for (
			let attempt = 0, turn = 0;
			open.length > 0 && attempt <= RETRIES_MS.length && turn < TURNS_MAX;
			turn += 1
		) {
			const asker = { accountId: ASKER, payer: {}, class: 'list' as const, freeAnswersLeft: Infinity };
			const examination = new Examination(part, asker, open, { ...depth, ownOutcomeOf: () => null });
			await examination.ended;
			const { found } = examination;
			// A slow host leaves no time for the others: their part has another turn soon, and no attempt less.
			const wereReached = open.every(([index]) => found.has(index));
			open = open.filter(([index]) => {
				const one = found.get(index);
				if (one !== undefined && 'row' in one && one.row !== null) rows.set(index, one.row);
				return one?.kind !== 'final';
			});
			await clock.sleep(wereReached ? (RETRIES_MS[attempt] ?? 0) : NEXT_TURN_MS);
			if (wereReached) attempt += 1;
		}
		return emails.map((email, index) => rows.get(index) ?? raise(`${email} got no row`));
	};
	return {
		/** POST /v1/verify with `explain`. */
		alone: (email: string, { quick = false, own = null }: Asking = {}): Promise<Told> =>
			clock.run(
				(async () => {
					const trail = new Trail(() => clock.now());
					const { result } = await examineAlone(ports, addressOf(email), {
						trail,
						quick,
						explain: true,
						ownOutcomeOf: () => own,
					});
					const told = { ...result, evidence: trail.evidence() };
					return { result: told, charge: chargeOf(PRICE.single, result) };
				})(),
			),
		/**
		 * The rows of a list, those of a catch-all task for its catch-all rows, and what these say if the list resolves them
		 * itself (`auto_catchall_rescue`).
		 */
		list: (emails: readonly string[]): Promise<{ rows: Told[]; task: Judged[]; rescued: Told[] }> =>
			clock.run(
				(async () => {
					const rowsBy = async (depth: Depth): Promise<Told[]> =>
						(await rowsOf(emails, depth))
							.map((row) => renderRow(row))
							.map((result) => ({ result, charge: chargeOf(PRICE.verification, result) }));
					const rows = await rowsBy(NOT_DEEP);
					const listed = rows.map(({ result: { email, status, details } }) => ({
						email,
						status,
						catchAll: details.attributes.catch_all === true,
					}));
					const catchAlls = listed.filter(({ catchAll }) => catchAll).map(({ email }) => email);
					if (catchAlls.length === 0) return { rows, task: [], rescued: [] };
					const judged = await rowsOf(catchAlls, { deep: 'always', sourceList: planListFacts(listed) });
					// A list that resolves them knows its addresses alone, before any is asked about.
					const neighbours = emails.map((email) => ({ email, status: 'unknown', catchAll: true }) as const);
					const resolved = await rowsBy({ deep: 'catch_all', sourceList: planListFacts(neighbours) });
					const rescued = resolved.filter(({ result }) => catchAlls.includes(result.email));
					return { rows, task: judged.map(judgedOf), rescued };
				})(),
			),
	};
}

function judgedOf(row: FinalRow): Judged {
	const result = renderRow(row);
	const { email, catch_all_score: score = -1, catch_all_verdict: verdict = 'none', details } = result;
	const charge = chargeOf(PRICE.catchall, result);
	return { email, score, verdict, catchAll: details.attributes.catch_all, result, charge };
}

/** The code of an error of ours instead of an answer. */
export function failureOf(error: unknown): string {
	if (error instanceof ServiceError) return error.code;
	throw error;
}

type VirtualClock = ReturnType<typeof virtualClock>;

/** Asks the zones through the bytes of DNS messages. */
function resolverIn({ zones }: World, clock: VirtualClock) {
	const counters = makeCounters().dns;
	return async (name: string, type: RecordType) => {
		const said = answerFromZones(zones, counters, Buffer.from(encodeQuestion(name, type)));
		if (said.kind === 'silence') await clock.sleep(4_000);
		const failed = (cause: DnsFailure) => ({ kind: 'failed', cause }) as const;
		if (said.kind === 'silence') return failed('timeout');
		if (said.kind === 'garbage' || said.kind === 'unreadable') return failed('unreadable');
		const reading = readAnswer(said.bytes, name, type);
		return reading.kind === 'answer' ? reading.answer : failed('server_failure');
	};
}

/** Registries, websites, and no cache. */
function outsideOf(
	{ registrations, pages }: World,
	clock: VirtualClock,
): Omit<DomainPorts, 'clock' | 'randomness' | 'records'> {
	return {
		web: (url) => {
			const text = pages?.get(url);
			return Promise.resolve(
				text === undefined
					? { kind: 'failed' }
					: { kind: 'page', url, status: 200, headers: new Headers(), text },
			);
		},
		registrationOf: async (domain, limitMs) => {
			const story = registrations.get(domain);
			if (story === undefined || story.fault === 'unknown') return null;
			if (story.fault === 'silence') await clock.sleep(limitMs);
			if (story.fault !== undefined) return NOT_TOLD;
			return readRdapAnswer(domainObject(domain, story, clock.now()), domain, clock.now());
		},
		sites: new ExpiringMap(1_000),
	};
}

/** A prober whose way out leads to the world's mail servers; what it hears and says passes through the wire's shape. */
function proberIn({ servers }: World, clock: VirtualClock, random: () => number) {
	const met = new Map<string, Map<string, number>>();
	const identity = { heloName: 'probe.us.test', mailFrom: 'verify@us.test' };
	const dialer: Dialer = {
		egressesFor: () => [EGRESS],
		dial: async ({ address }, limitMs) => {
			const server = servers.get(address) ?? 'unreachable';
			const failed = (why: 'refused' | 'unreachable' | 'timeout') =>
				({ kind: 'no_connection', why }) as const;
			if (server === 'never') await clock.sleep(limitMs);
			if (typeof server === 'string') return failed(server === 'never' ? 'timeout' : server);
			const firstSeen = met.get(address) ?? new Map<string, number>();
			met.set(address, firstSeen);
			const dialogue = server.talk(() => clock.now(), firstSeen);
			const connection = new PlayedConnection(clock, { ...server, dialogue });
			return { kind: 'connected', connection, identity };
		},
	};
	const memory = new ProberMemory(':memory:', clock);
	const conversations = new Turns({ clock, random, dialer, memory, overrides: {}, warm: ['all'] });
	const ports = { clock, conversations, addressPolicy: POLICY };
	return async (question: Question): Promise<Asked> => {
		const head = { version: VERSION, sentAt: clock.now() };
		const sent = sentQuestion.parse(overTheWire({ ...head, tells: false, question }));
		const asked = await askHosts(ports, questionAt(clock.now(), sent));
		const answered = { ...head, sentAt: clock.now(), rules: 'golden', ...asked };
		return answerAt(clock.now(), sentAnswer.parse(overTheWire(answered)));
	};
}

function overTheWire(message: object): unknown {
	return JSON.parse(JSON.stringify(message));
}

function raise(message: string): never {
	throw new Error(message);
}
