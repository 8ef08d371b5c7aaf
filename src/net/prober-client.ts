import type { z } from 'zod';
import { Ways } from '../core/egress/ways.ts';
import type { Prober } from '../core/egress/probers.ts';
import type { Metrics } from '../core/metrics/metrics.ts';
import { ServiceError } from '../errors.ts';
import type { Clock, Prober as ProberPort } from '../engine/ports.ts';
import { log } from '../lib/log.ts';
import { beginWait } from '../lib/invocation.ts';
import type { Fetcher } from './invocation-fetch.ts';
import { isFreeProvider } from '../core/lists/domain-kinds.ts';
import type { Asked, Question } from '../engine/question.ts';
import { answerFromWire, questionToWire } from '../wire/prober-messages.ts';
import { answer, health, MESSAGE_OCTETS_MAX, news, PROBER_PATH, refusal } from '../wire/prober.ts';
import type { Refusal } from '../wire/prober.ts';
import {
	ASKED_PATH,
	askers,
	HEALTH_PATH,
	proberState,
	STATE_OCTETS_MAX,
	STATE_PATH,
} from '../wire/prober-state.ts';
import type { AskingAccount, WireState } from '../wire/prober-state.ts';
import { joinBytes, readPieces } from '../lib/streams.ts';
import { readResponse } from './public-web.ts';

// A prober that works sends the head of the response at once; one that takes longer counts as silent.
const SILENCE_MS = 3_000;
// Time for transport, in addition to the time for the work.
const TRANSIT_MS = 2_000;
// A wait that ends so much too late was held up by other work of this isolate, and so was the reading of answers.
const HELD_UP_MS = 250;
const LINE_FEED = 0x0a;

/** Thrown inside the client: this prober can't answer, but another may. */
class Unanswered extends Error {
	readonly why: Refusal['error'] | 'silent' | 'unreachable' | 'nonsense';
	/** The connection broke before the prober said that it has the question. */
	readonly isLost: boolean;

	constructor(why: Unanswered['why'], isLost = false) {
		super(why);
		this.why = why;
		this.isLost = isLost;
	}
}

// Reasons that point to a misconfiguration: no prober of ours, or a proxy without SOCKS5.
const NONSENSE: ReadonlySet<Unanswered['why']> = new Set(['nonsense', 'nonsense_way_out', 'invalid']);

/** A prober, and its report or why there is none. */
type Reported<T> = { readonly prober: string } & (
	| T
	| { readonly silent: 'unreachable' | 'silent' | 'refuses_token' | 'nonsense' }
);

/** Puts each question to the prober that comes first for its key, and to the next if that one can't answer. */
export class ProberClient implements ProberPort {
	readonly #clock: Clock;
	readonly #fetch: Fetcher;
	readonly #ways: Ways<Prober>;
	readonly #metrics: Metrics;

	constructor(probers: readonly Prober[], clock: Clock, fetch: Fetcher, metrics: Metrics) {
		this.#clock = clock;
		this.#fetch = fetch;
		this.#metrics = metrics;
		this.#ways = new Ways(probers, clock);
	}

	/** Throws if no prober is configured. */
	requireOne(): void {
		if (this.#ways.all.length > 0) return;
		throw new ServiceError('upstream_unavailable', 'No prober is configured: set PROBERS');
	}

	/** The problems that keep us from asking mail hosts, in words without secrets; empty while one prober is healthy. */
	async check(): Promise<readonly string[]> {
		if (this.#ways.all.length === 0) return ['PROBERS is not configured'];
		const problems = (await this.#reports(HEALTH_PATH, health)).map((one) => {
			if ('problems' in one)
				return one.status === 'ok' ? one.problems : [`The prober ${one.prober} takes no questions`];
			return [`The prober ${one.prober} ${one.silent === 'nonsense' ? 'is none' : 'cannot be reached'}`];
		});
		return problems.some((ofOne) => ofOne.length === 0) ? [] : problems.flat();
	}

	/** The state that each prober reports, in the order in which they are configured. */
	async states(): Promise<readonly Reported<{ readonly state: WireState }>[]> {
		return this.#reports(
			STATE_PATH,
			proberState.transform((state) => ({ state })),
		);
	}

	/** The accounts that asked each prober about a domain on a day. */
	async askers(
		domain: string,
		day: string,
	): Promise<readonly Reported<{ readonly askers: readonly AskingAccount[] }>[]> {
		return this.#reports(`${ASKED_PATH}?${new URLSearchParams({ domain, day }).toString()}`, askers);
	}

	/** The JSON that each prober has at a path. One that does not answer holds up the others for a few seconds. */
	#reports<T extends object>(path: string, schema: z.ZodType<T>): Promise<readonly Reported<T>[]> {
		return Promise.all(
			this.#ways.all.map(async ({ url, token, label: prober }): Promise<Reported<T>> => {
				const [abort, done] = [new AbortController(), new AbortController()];
				const patience = this.#giveUpAfter(SILENCE_MS, abort, done.signal);
				try {
					const headers = { authorization: `Bearer ${token}` };
					const response = await this.#fetch(`${url}${path}`, {
						headers,
						signal: abort.signal,
						redirect: 'manual',
					});
					const { octets, isWhole } = await readResponse(response, STATE_OCTETS_MAX);
					if (response.status === 401) return { prober, silent: 'refuses_token' };
					const parsed = schema.safeParse(isWhole ? parseJson(octets) : null);
					if (parsed.success) return { prober, ...parsed.data };
					return { prober, silent: isOfProxy(response) ? 'unreachable' : 'nonsense' };
				} catch {
					return { prober, silent: abort.signal.aborted ? 'silent' : 'unreachable' };
				} finally {
					done.abort();
					await patience;
				}
			}),
		);
	}

	/** Aborts a request that is overdue. A delayed isolate first reads what came in, before it calls a prober mute. */
	async #giveUpAfter(ms: number, request: AbortController, isOver: AbortSignal): Promise<void> {
		const dueAt = this.#clock.now() + ms;
		await this.#clock.sleep(ms, isOver);
		const heldUpMs = this.#clock.now() - dueAt;
		if (!isOver.aborted && heldUpMs > HELD_UP_MS)
			await this.#clock.sleep(Math.min(heldUpMs, SILENCE_MS), isOver);
		if (!isOver.aborted) request.abort();
	}

	/**
	 * Puts a question. Throws `ServiceError`: `upstream_unavailable` if no prober is configured or none can answer,
	 * `upstream_nonsense` if one answered something that we do not understand.
	 *
	 * @param foundCatchAll called when a mail host shows itself as a catch-all
	 */
	async ask(question: Question, foundCatchAll?: () => void): Promise<Asked> {
		this.requireOne();
		let sawNonsense = false;
		let busy: { readonly until: number; readonly answered: Asked } | null = null;
		for (const prober of this.#ways.inOrder(keyOf(question))) {
			try {
				// Twice where it was lost: a connection that was kept open may end just as a question is sent. There is none to a
				// prober that failed and has not served since.
				const answered = await this.#askOne(prober, question, foundCatchAll).catch((error: unknown) => {
					const wasLost = error instanceof Unanswered && error.isLost;
					if (!wasLost || this.#ways.hasFailed(prober)) throw error;
					return this.#askOne(prober, question, foundCatchAll);
				});
				this.#ways.worked(prober);
				const until = busyUntil(answered);
				if (until === null) return answered;
				// Another prober has other source addresses. If none has capacity, the soonest to have some decides.
				if (busy === null || until < busy.until) busy = { until, answered };
			} catch (error) {
				if (!(error instanceof Unanswered)) throw error;
				log('prober_failed', { prober: prober.label, why: error.why }, 'warn');
				this.#metrics.note('prober_refusal', { prober: prober.label, why: error.why, count: 1 });
				// An invalid question is not the prober's fault.
				if (error.why !== 'invalid') this.#ways.failed(prober);
				sawNonsense ||= NONSENSE.has(error.why);
			}
		}
		if (busy !== null) return busy.answered;
		if (sawNonsense)
			throw new ServiceError('upstream_nonsense', 'The outgoing mail prober answered nonsense');
		throw new ServiceError('upstream_unavailable', 'No outgoing connection for mail is available');
	}

	async #askOne({ url, token }: Prober, question: Question, foundCatchAll?: () => void): Promise<Asked> {
		const endWait = beginWait('prober');
		const [abort, heard, done] = [new AbortController(), new AbortController(), new AbortController()];
		const leftMs = question.deadline - this.#clock.now() + TRANSIT_MS;
		const patience = [
			this.#giveUpAfter(SILENCE_MS, abort, heard.signal),
			this.#giveUpAfter(leftMs, abort, done.signal),
		];
		try {
			const response = await this.#fetch(`${url}${PROBER_PATH}`, {
				method: 'POST',
				headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
				body: JSON.stringify(questionToWire(question, this.#clock.now(), foundCatchAll !== undefined)),
				signal: abort.signal,
				redirect: 'manual',
			});
			heard.abort();
			const last = await lastLineOf(response, (line) => {
				if (news.safeParse(parseJson(line)).success) foundCatchAll?.();
			});
			const json = last === null ? undefined : parseJson(last);
			const refused = refusal.safeParse(json);
			if (refused.success) throw new Unanswered(refused.data.error);
			const answered = answer.safeParse(json);
			if (!answered.success) throw new Unanswered(isOfProxy(response) ? 'unreachable' : 'nonsense');
			const result = answerFromWire(answered.data, question, this.#clock.now());
			if (result === null) throw new Unanswered('nonsense');
			return result;
		} catch (error) {
			if (error instanceof Unanswered) throw error;
			if (abort.signal.aborted) throw new Unanswered('silent');
			throw new Unanswered('unreachable', !heard.signal.aborted);
		} finally {
			heard.abort();
			done.abort();
			await Promise.all(patience);
			endWait();
		}
	}
}

/**
 * The key that chooses the prober to ask first. A domain keeps its prober, since greylisting servers want to see the
 * same client again. Mailboxes of a free provider are spread: they can be half of a list, too many for one source
 * address.
 */
function keyOf({ domain, targets }: Question): string {
	return isFreeProvider(domain) ? (targets[0] ?? domain) : domain;
}

/** When the prober has capacity for the first of the targets, epoch ms; null: it had some for one. */
function busyUntil({ answers }: Asked): number | null {
	const until = answers.map((one) => (one?.kind === 'postponed' ? one.until : -Infinity));
	return until.includes(-Infinity) ? null : Math.min(...until);
}

/**
 * Whether an answer that is none of ours comes from a proxy whose prober is away: 502 to 504, or Cloudflare's own numbers
 * up to 530 for a tunnel that has ended.
 */
function isOfProxy({ status }: Response): boolean {
	return status >= 502;
}

/** Passes on each line but the last as it comes, and returns the last one; null: the body is too long. */
async function lastLineOf(response: Response, take: (line: Uint8Array) => void): Promise<Uint8Array | null> {
	let pieces: Uint8Array[] = [];
	const isWhole = await readPieces(response.body, MESSAGE_OCTETS_MAX, (piece) => {
		let begin = 0;
		for (let end = piece.indexOf(LINE_FEED); end >= 0; end = piece.indexOf(LINE_FEED, begin)) {
			take(joinBytes([...pieces, piece.subarray(begin, end)]));
			pieces = [];
			begin = end + 1;
		}
		pieces.push(piece.subarray(begin));
	});
	if (!isWhole) await response.body?.cancel();
	return isWhole ? joinBytes(pieces) : null;
}

/** The octets as JSON; undefined: they are not JSON. */
function parseJson(octets: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder().decode(octets));
	} catch {
		return undefined;
	}
}
