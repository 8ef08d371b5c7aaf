import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { ServiceError } from '../errors.ts';
import { equalInConstantTime } from '../lib/digest.ts';
import { describeError, log } from '../lib/log.ts';
import type { Hear } from '../engine/question.ts';
import { newsToWire } from '../wire/prober-messages.ts';
import { MESSAGE_OCTETS_MAX, PROBER_PATH, question } from '../wire/prober.ts';
import type { Health, Refusal, WireAnswer, WireQuestion } from '../wire/prober.ts';
import { ASKED_PATH, STATE_PATH } from '../wire/prober-state.ts';
import type { AskingAccount, WireState } from '../wire/prober-state.ts';
import type { ProberMetrics } from './metrics.ts';

export interface ProberApp {
	/** Each is good. */
	readonly tokens: readonly string[];
	readonly metrics: ProberMetrics;
	/** Throws a `ServiceError` when no way out serves. `hear`: told what mail hosts say as they say it. */
	readonly answer: (asked: WireQuestion, hear?: Hear) => Promise<WireAnswer>;
	/** For people and for `ops`: plain JSON. */
	readonly state: () => Omit<WireState, 'draining' | 'running'>;
	/** The accounts that asked about a domain on a day (UTC). */
	readonly askersOf: (domain: string, day: string) => readonly AskingAccount[];
	/** What keeps mail hosts from being reached, in words without secrets. */
	readonly problems: () => Promise<readonly string[]>;
	/** It ends its work: nothing new is begun. */
	readonly isDraining: () => boolean;
	/** Begins to. */
	readonly drain: () => void;
}

// More at once than this is more than its connections can serve in the time that callers have.
export const RUNNING_MAX = 2_000;
const STATUS = {
	invalid: 400,
	unauthorized: 401,
	draining: 503,
	overloaded: 503,
} as const satisfies Partial<Record<Refusal['error'], ContentfulStatusCode>>;

/** The prober's HTTP: one question a request, and what whoever runs it wants to see. */
export function createProberApp(prober: ProberApp): Hono {
	const app = new Hono();
	let running = 0;
	/** Counts a question under way. Gives the answer, or why there is none. */
	const counted = async (
		asked: WireQuestion,
		answering: Promise<WireAnswer>,
	): Promise<WireAnswer | Refusal> => {
		running += 1;
		prober.metrics.running.set(running);
		const askedAt = performance.now();
		const count = (outcome: string): void => prober.metrics.questions.inc({ class: asked.class, outcome });
		try {
			const answer = await answering;
			count('answered');
			return answer;
		} catch (error) {
			if (!(error instanceof ServiceError)) log('prober_error', describeError(error));
			count(error instanceof ServiceError ? error.code : 'failed');
			return refusalOf(error);
		} finally {
			running -= 1;
			prober.metrics.running.set(running);
			prober.metrics.questionSeconds.observe({ class: asked.class }, (performance.now() - askedAt) / 1000);
		}
	};

	// For a load balancer, a container and the Worker: no token, and no more than this. A way out that fails is not
	// mended by starting us again, so that is told and no failure.
	app.get('/healthz', async (c) =>
		prober.isDraining()
			? c.json(healthOf('draining', []), 503)
			: c.json(healthOf('ok', await prober.problems())),
	);

	// Before the body is read: whoever has no token costs next to nothing.
	app.use(async (c, next) => {
		if (isGood(prober.tokens, c.req.header('authorization'))) return next();
		prober.metrics.unauthorized.inc();
		return refuse('unauthorized', 'The token is missing or wrong');
	});

	app.post(
		PROBER_PATH,
		bodyLimit({
			maxSize: MESSAGE_OCTETS_MAX,
			onError: () => refuse('invalid', `A question has at most ${MESSAGE_OCTETS_MAX} octets`),
		}),
		async (c) => {
			if (prober.isDraining()) return refuse('draining', 'This prober ends its work');
			if (running >= RUNNING_MAX) return refuse('overloaded', 'This prober has too many questions');
			const parsed = question.safeParse(await c.req.json().catch(() => null));
			if (!parsed.success) return refuse('invalid', wordsOf(parsed.error));
			const { data } = parsed;
			const stream = streamOf(data, (hear) => counted(data, prober.answer(data, hear)));
			return c.body(stream, 200, { 'content-type': 'application/json' });
		},
	);
	app.get(STATE_PATH, (c) =>
		c.json({ draining: prober.isDraining(), running, ...prober.state() } satisfies WireState),
	);
	app.get(ASKED_PATH, (c) =>
		c.json({ askers: prober.askersOf(c.req.query('domain') ?? '', c.req.query('day') ?? '') }),
	);
	app.get('/metrics', async (c) =>
		c.body(await prober.metrics.registry.metrics(), 200, {
			'content-type': prober.metrics.registry.contentType,
		}),
	);
	app.post('/drain', (c) => {
		prober.drain();
		return c.json({ status: 'draining' }, 202);
	});

	app.onError(answerFailure);
	return app;
}

function isGood(tokens: readonly string[], authorization = ''): boolean {
	const given = /^Bearer (.+)$/.exec(authorization)?.[1] ?? '';
	return tokens.map((token) => equalInConstantTime(token, given)).includes(true);
}

function answerFailure(error: Error): Response {
	log('prober_error', describeError(error));
	return Response.json({ error: 'failed', message: 'The prober failed' }, { status: 500 });
}

function healthOf(status: Health['status'], problems: readonly string[]): Health {
	return { status, problems: [...problems] };
}

/**
 * The head of the response, and a blank of its JSON, are sent at once: whoever asks knows by then that somebody is at
 * work, and goes to the next prober where nobody is. News are a line each; the answer is the last line.
 */
function streamOf(
	{ tells = false }: WireQuestion,
	answer: (hear?: Hear) => Promise<WireAnswer | Refusal>,
): ReadableStream<Uint8Array> {
	const encoder = new TextEncoder();
	let isRead = true;
	return new ReadableStream({
		async start(controller) {
			controller.enqueue(encoder.encode(' '));
			const tell = (line: string): void => {
				if (isRead) controller.enqueue(encoder.encode(line));
			};
			const hear: Hear = (news) => tell(`${JSON.stringify(newsToWire(news))}\n`);
			tell(JSON.stringify(await answer(tells ? hear : undefined)));
			if (isRead) controller.close();
		},
		cancel() {
			isRead = false;
		},
	});
}

function refusalOf(error: unknown): Refusal {
	if (!(error instanceof ServiceError)) return { error: 'failed', message: 'The prober failed' };
	return {
		error: error.code === 'upstream_nonsense' ? 'nonsense_way_out' : 'no_way_out',
		message: error.message,
	};
}

function refuse(error: keyof typeof STATUS, message: string): Response {
	return Response.json({ error, message } satisfies Refusal, {
		status: STATUS[error],
		headers: STATUS[error] === 503 ? { 'retry-after': '5' } : {},
	});
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
