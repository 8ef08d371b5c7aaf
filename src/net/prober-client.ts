import { Ways } from '../core/egress/ways.ts';
import type { ProberAddress } from '../core/egress/probers.ts';
import type { Metrics } from '../core/metrics/metrics.ts';
import { ServiceError } from '../errors.ts';
import type { Clock } from '../lib/time.ts';
import { log } from '../lib/log.ts';
import { beginWait } from '../lib/invocation.ts';
import { parseJson } from '../lib/text.ts';
import { OVER, within } from '../lib/time.ts';
import type { Fetcher } from './invocation-fetch.ts';
import { isFreeProvider } from '../core/lists/domain-kinds.ts';
import {
	answerAt,
	health,
	MESSAGE_OCTETS_MAX,
	news,
	PROBER_PATH,
	refusal,
	sentAnswer,
	VERSION,
} from '../wire/prober.ts';
import type { Asked, Question, Refusal, SentQuestion } from '../wire/prober.ts';
import { ASKED_PATH, askers, HEALTH_PATH, proberState, STATE_PATH } from '../wire/prober-state.ts';

// A prober that works sends the head of the response at once; one that takes longer counts as silent.
const SILENCE_MS = 3_000;
// Time for transport, in addition to the time for the work.
const TRANSIT_MS = 2_000;

/** Why a prober has no answer: another may have one. `lost`: the connection broke before it said that it has the question. */
type Unanswered = Refusal['error'] | 'silent' | 'unreachable' | 'lost' | 'nonsense';

// Reasons that point to a misconfiguration: no prober of ours, or a proxy without SOCKS5.
const NONSENSE: ReadonlySet<Unanswered> = new Set(['nonsense', 'nonsense_way_out', 'invalid']);

/** The status and the JSON of a response, or why there is none. */
type Called = { readonly status: number; readonly json: unknown } | 'silent' | 'unreachable' | 'lost';

/** A prober, and its report or why there is none. */
type Reported<T> = { readonly prober: string } & (
	| T
	| { readonly silent: 'unreachable' | 'silent' | 'refuses_token' | 'nonsense' }
);

/** Puts each question to the prober that comes first for its key, and to the next if that one can't answer. */
export class ProberClient {
	readonly #clock: Clock;
	readonly #fetch: Fetcher;
	readonly #ways: Ways<ProberAddress>;
	readonly #metrics: Metrics;

	constructor(probers: readonly ProberAddress[], clock: Clock, fetch: Fetcher, metrics: Metrics) {
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
	states() {
		const state = proberState.transform((told) => ({ state: told }));
		return this.#reports(STATE_PATH, state);
	}

	/** The accounts that asked each prober about a domain on a day. */
	askers(domain: string, day: string) {
		return this.#reports(`${ASKED_PATH}?${new URLSearchParams({ domain, day }).toString()}`, askers);
	}

	/** The JSON that each prober has at a path. One that does not answer holds up the others for a few seconds. */
	#reports<T extends object>(
		path: string,
		schema: { safeParse(value: unknown): { readonly data?: T | undefined } },
	): Promise<readonly Reported<T>[]> {
		return Promise.all(
			this.#ways.all.map(async (prober): Promise<Reported<T>> => {
				const { label } = prober;
				const called = await this.#call(prober, path, SILENCE_MS);
				if (typeof called === 'string')
					return { prober: label, silent: called === 'silent' ? called : 'unreachable' };
				if (called.status === 401) return { prober: label, silent: 'refuses_token' };
				const { data } = schema.safeParse(called.json);
				return { prober: label, ...(data ?? { silent: ofNoneOfOurs(called.status) }) };
			}),
		);
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
			let answered = await this.#put(prober, question, foundCatchAll);
			// A connection that was kept open may end just as a question is sent. There is none to a prober that failed and has
			// not served since.
			if (answered === 'lost' && !this.#ways.hasFailed(prober))
				answered = await this.#put(prober, question, foundCatchAll);
			if (typeof answered !== 'string') {
				this.#ways.worked(prober);
				const until = busyUntil(answered);
				if (until === null) return answered;
				// Another prober has other source addresses. If none has capacity, the soonest to have some decides.
				if (busy === null || until < busy.until) busy = { until, answered };
				continue;
			}
			const why = answered === 'lost' ? 'unreachable' : answered;
			log('prober_failed', { prober: prober.label, why }, 'warn');
			this.#metrics.note('prober_refusal', { prober: prober.label, why, count: 1 });
			// An invalid question is not the prober's fault.
			if (why !== 'invalid') this.#ways.failed(prober);
			sawNonsense ||= NONSENSE.has(why);
		}
		if (busy !== null) return busy.answered;
		if (sawNonsense)
			throw new ServiceError('upstream_nonsense', 'The outgoing mail prober answered nonsense');
		throw new ServiceError('upstream_unavailable', 'No outgoing connection for mail is available');
	}

	async #put(
		prober: ProberAddress,
		question: Question,
		foundCatchAll?: () => void,
	): Promise<Asked | Unanswered> {
		const sentAt = this.#clock.now();
		const sent: SentQuestion = { version: VERSION, sentAt, tells: foundCatchAll !== undefined, question };
		// A slow zone may have used up the time: the prober says so, and is not silent.
		const leftMs = Math.max(0, question.deadline - sentAt) + TRANSIT_MS;
		const called = await this.#call(prober, PROBER_PATH, leftMs, JSON.stringify(sent), (line) => {
			if (news.safeParse(line).success) foundCatchAll?.();
		});
		if (typeof called === 'string') return called;
		const refused = refusal.safeParse(called.json);
		if (refused.success) return refused.data.error;
		const { data } = sentAnswer.safeParse(called.json);
		if (data?.answers.length !== question.targets.length) return ofNoneOfOurs(called.status);
		return answerAt(this.#clock.now(), data);
	}

	/**
	 * Reads a prober's answer at a path, as JSON: passes on each line but the last as it comes, and returns the last one.
	 *
	 * @param limitMs for all that it says
	 * @param body left out: it is only read
	 */
	async #call(
		{ url, token }: ProberAddress,
		path: string,
		limitMs: number,
		body?: string,
		take: (line: unknown) => void = () => {},
	): Promise<Called> {
		const endWait = beginWait('prober');
		const begun = this.#clock.now();
		const request = new AbortController();
		const head = this.#fetch(`${url}${path}`, {
			...(body === undefined ? {} : { method: 'POST', body }),
			headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
			signal: request.signal,
			redirect: 'manual',
		});
		const whole = head.then(async (response) => {
			return { status: response.status, json: await lastLineOf(response, take) };
		});
		let isHeard = false;
		try {
			isHeard = await this.#endsBy(begun + Math.min(SILENCE_MS, limitMs), head);
			if (isHeard && (await this.#endsBy(begun + limitMs, whole))) return await whole;
			return 'silent';
		} catch {
			return isHeard ? 'unreachable' : 'lost';
		} finally {
			request.abort(OVER);
			whole.catch(() => {});
			endWait();
		}
	}

	/** Whether the work ends by then. A delayed isolate first reads what came in, before it calls a prober mute. */
	async #endsBy(dueAt: number, work: Promise<unknown>): Promise<boolean> {
		const ended = work.then(() => true);
		if ((await within(ended, dueAt - this.#clock.now(), this.#clock)) === true) return true;
		// Other work of this isolate held up this wait for so long, and so the reading of answers.
		const heldUpMs = this.#clock.now() - dueAt;
		return (await within(ended, Math.min(heldUpMs, SILENCE_MS), this.#clock)) === true;
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
 * The kind of an answer that is none of ours. A proxy whose prober is away says 502 to 504, or Cloudflare's own numbers up to
 * 530 for a tunnel that has ended.
 */
function ofNoneOfOurs(status: number): 'unreachable' | 'nonsense' {
	return status >= 502 ? 'unreachable' : 'nonsense';
}

/** Passes on each line but the last as it comes, and returns the last one; undefined: it is no JSON, or too long. */
async function lastLineOf({ body }: Response, take: (line: unknown) => void): Promise<unknown> {
	let [last, length] = ['', 0];
	for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
		length += piece.length;
		if (length > MESSAGE_OCTETS_MAX) return undefined;
		const lines = `${last}${piece}`.split('\n');
		last = lines.pop() ?? '';
		for (const line of lines) take(parseJson(line));
	}
	return parseJson(last);
}
