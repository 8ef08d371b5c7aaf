import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ServiceError } from '../errors.ts';
import { equalInConstantTime } from '../lib/digest.ts';
import { describeError, log } from '../lib/log.ts';
import { RULES_VERSION } from '../core/smtp/rules-version.ts';
import { NO_WORDS } from '../core/catchall/reply-difference.ts';
import { answer as wireAnswer, MESSAGE_OCTETS_MAX, PROBER_PATH, question, VERSION } from '../wire/prober.ts';
import type { Health, Refusal, WireAnswer, WireQuestion } from '../wire/prober.ts';
import { ASKED_PATH, HEALTH_PATH, STATE_PATH } from '../wire/prober-state.ts';
import type { AskingAccount, WireState } from '../wire/prober-state.ts';
import type { ProberMetrics } from './metrics.ts';

export interface ProberApp {
	/** Each is good. */
	readonly tokens: readonly string[];
	readonly metrics: ProberMetrics;
	/** Throws a `ServiceError` when no way out serves. `foundCatchAll`: called as soon as a host shows itself as one. */
	readonly answer: (asked: WireQuestion, foundCatchAll?: () => void) => Promise<WireAnswer>;
	/** Questions under way. */
	readonly running: () => number;
	/** For people and for `ops`: plain JSON. */
	readonly state: () => WireState;
	/** The accounts that asked about a domain on a day (UTC). */
	readonly askersOf: (domain: string, day: string) => readonly AskingAccount[];
	/** The reason why no mail host can be reached, in words without secrets. */
	readonly problems: () => Promise<readonly string[]>;
	/** It ends its work: nothing new is begun. */
	readonly isDraining: () => boolean;
	/** Begins to. */
	readonly drain: () => void;
}

const NEWS = `${JSON.stringify({ catchAll: true })}\n`;
// The news, and the blank before them, need room too.
const ANSWER_OCTETS_MAX = MESSAGE_OCTETS_MAX - 64;
// More at once than this is more than its connections can serve in the time that callers have.
export const RUNNING_MAX = 2_000;
const STATUS = {
	invalid: 400,
	unauthorized: 401,
	draining: 503,
	overloaded: 503,
} as const satisfies Partial<Record<Refusal['error'], number>>;

/**
 * The prober's HTTP: one question a request, and the figures that its operator wants to see. Node's own, since a question costs less
 * by it than a Request and a Response of the Web, and their streams, cost alone.
 */
export function createProberApp(prober: ProberApp): RequestListener {
	const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const { url = '' } = request;
		const [path = ''] = url.split('?', 1);
		const method = request.method === 'HEAD' ? 'GET' : request.method;
		// For a load balancer, a container and the Worker: no token, and no more than this. A way out that fails is not
		// mended by starting us again, so the answer says so, and is no failure.
		if (method === 'GET' && path === HEALTH_PATH) {
			if (prober.isDraining()) return send(response, 503, healthOf('draining', []));
			return send(response, 200, healthOf('ok', await prober.problems()));
		}
		// Before the body is read: a request without a token costs next to nothing.
		if (!isGood(prober.tokens, request.headers.authorization)) {
			prober.metrics.unauthorized.inc();
			return refuse(response, 'unauthorized', 'The token is missing or wrong');
		}
		switch (`${method} ${path}`) {
			case `POST ${PROBER_PATH}`:
				return answer(prober, request, response);
			case `GET ${STATE_PATH}`:
				return send(response, 200, prober.state());
			case `GET ${ASKED_PATH}`: {
				const query = new URLSearchParams(url.slice(url.indexOf('?')));
				const askers = prober.askersOf(query.get('domain') ?? '', query.get('day') ?? '');
				return send(response, 200, { askers });
			}
			case 'GET /metrics': {
				const { registry } = prober.metrics;
				response.setHeader('content-type', registry.contentType);
				return void response.end(await registry.metrics());
			}
			case 'POST /drain':
				prober.drain();
				return send(response, 202, { status: 'draining' });
			default:
				return send(response, 404, {});
		}
	};
	return (request, response) =>
		void respond(request, response).catch((error: unknown) => {
			const refusal = refusalOf(error);
			if (response.headersSent) response.destroy();
			else send(response, 500, refusal);
		});
}

/**
 * The head of the response, and a blank of its JSON, are sent at once: the asker knows by then that a prober is at
 * work, and goes to the next one where none is. News are a line; the answer is the last line.
 */
async function answer(prober: ProberApp, request: IncomingMessage, response: ServerResponse): Promise<void> {
	if (prober.isDraining()) return refuse(response, 'draining', 'This prober ends its work');
	if (prober.running() >= RUNNING_MAX)
		return refuse(response, 'overloaded', 'This prober has too many questions');
	const text = await textOf(request);
	if (text === null)
		return refuse(response, 'invalid', `A question has at most ${MESSAGE_OCTETS_MAX} octets`);
	const sent = parseJson(text);
	// Words that a Worker of each version takes for a prober that is away: it asks another one, or its caller again.
	if (isOfAnotherVersion(sent))
		return refuse(response, 'overloaded', `This prober takes questions of version ${VERSION}`);
	const parsed = question.safeParse(sent);
	if (!parsed.success) return refuse(response, 'invalid', wordsOf(parsed.error));
	response.writeHead(200, JSON_TYPE);
	response.write(' ');
	const { data } = parsed;
	let isTold = false;
	const tell = (): void => {
		if (!isTold) response.write(NEWS);
		isTold = true;
	};
	const answered = await prober.answer(data, data.tells ? tell : undefined).catch(refusalOf);
	response.end('results' in answered ? textOfAnswer(answered, data) : JSON.stringify(answered));
}

/**
 * The answer as JSON. If it is too long for the wire, or odd, it says that the conversation failed (`unexpected_error`):
 * otherwise one domain would put off a list, and each prober would count as failed.
 */
function textOfAnswer(answered: WireAnswer, { targets, hosts }: WireQuestion): string {
	const text = JSON.stringify(answered);
	const isShort = Buffer.byteLength(text) <= ANSWER_OCTETS_MAX;
	if (isShort && wireAnswer.safeParse(answered).success) return text;
	log('prober_answer_unfit', { octets: Buffer.byteLength(text) }, 'warn');
	const failed = {
		kind: 'heard',
		host: hosts[0]?.name ?? '',
		viaBackup: false,
		interpretation: {
			target: { kind: 'unknown', why: 'unexpected_error' },
			invented: 'no_evidence',
			advice: 'final',
			rule: null,
			replyCode: null,
		},
		readings: [],
		words: { ...NO_WORDS, target: null, invented: null },
		secured: false,
	} as const;
	const recipients = Number.isSafeInteger(answered.recipients) ? answered.recipients : targets.length;
	const odd = { version: VERSION, rules: RULES_VERSION, evidence: [], recipients } as const;
	return JSON.stringify({ ...odd, results: targets.map(() => failed) });
}

/** The body, empty where its sender has gone; null: it is too long. */
function textOf(request: IncomingMessage): Promise<string | null> {
	const { promise, resolve } = Promise.withResolvers<string | null>();
	const pieces: Buffer[] = [];
	let octets = 0;
	request.on('data', (piece: Buffer) => {
		octets += piece.length;
		if (octets <= MESSAGE_OCTETS_MAX) pieces.push(piece);
		else resolve(null);
	});
	request.on('end', () => resolve(Buffer.concat(pieces).toString()));
	request.on('error', () => resolve(''));
	return promise;
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

function isOfAnotherVersion(sent: unknown): boolean {
	return (
		typeof sent === 'object' &&
		sent !== null &&
		'domain' in sent &&
		(sent as { version?: unknown }).version !== VERSION
	);
}

function isGood(tokens: readonly string[], authorization = ''): boolean {
	const given = /^Bearer (.+)$/.exec(authorization)?.[1] ?? '';
	return tokens.map((token) => equalInConstantTime(token, given)).includes(true);
}

function healthOf(status: Health['status'], problems: readonly string[]): Health {
	return { status, problems: [...problems] };
}

function refusalOf(error: unknown): Refusal {
	if (!(error instanceof ServiceError)) {
		log('prober_error', describeError(error));
		return { error: 'failed', message: 'The prober failed' };
	}
	return {
		error: error.code === 'upstream_nonsense' ? 'nonsense_way_out' : 'no_way_out',
		message: error.message,
	};
}

function refuse(response: ServerResponse, error: keyof typeof STATUS, message: string): void {
	const status = STATUS[error];
	if (status === 503) response.setHeader('retry-after', '5');
	send(response, status, { error, message } satisfies Refusal);
}

const JSON_TYPE = { 'content-type': 'application/json' };

function send(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, JSON_TYPE).end(JSON.stringify(body));
}

/** Where and what, never the value: it may be an address. */
function wordsOf({
	issues,
}: {
	readonly issues: readonly { path: readonly PropertyKey[]; message: string }[];
}): string {
	return issues
		.slice(0, 3)
		.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
		.join('; ');
}
