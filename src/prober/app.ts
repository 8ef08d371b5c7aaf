import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ServiceError } from '../errors.ts';
import { equalInConstantTime } from '../lib/digest.ts';
import { describeError, log } from '../lib/log.ts';
import { parseJson } from '../lib/text.ts';
import { MESSAGE_OCTETS_MAX, PROBER_PATH, sentQuestion, VERSION } from '../wire/prober.ts';
import type { Health, Refusal } from '../wire/prober.ts';
import { ASKED_PATH, HEALTH_PATH, STATE_PATH } from '../wire/prober-state.ts';
import type { Prober } from './prober.ts';

const NEWS = `${JSON.stringify({ catchAll: true })}\n`;
const STATUS = {
	invalid: 400,
	unauthorized: 401,
	other_version: 503,
	draining: 503,
} as const satisfies Partial<Record<Refusal['error'], number>>;
const JSON_TYPE = { 'content-type': 'application/json' };

type Served = Pick<
	Prober,
	'answer' | 'askersOf' | 'drain' | 'isDraining' | 'metrics' | 'problems' | 'state' | 'tokens'
>;

/**
 * The prober's HTTP: one question a request, and the figures that its operator wants to see. Node's own, since a question costs less
 * by it than a Request and a Response of the Web, and their streams, cost alone.
 */
export function createProberApp(prober: Served): RequestListener {
	const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const { url = '' } = request;
		const [path = ''] = url.split('?', 1);
		const method = request.method === 'HEAD' ? 'GET' : request.method;
		// For a load balancer, a container and the Worker: no token, and no more than this. A way out that fails is not
		// mended by starting us again, so the answer says so, and is no failure.
		if (method === 'GET' && path === HEALTH_PATH) {
			const { isDraining } = prober;
			const problems = isDraining ? [] : [...(await prober.problems())];
			const health: Health = { status: isDraining ? 'draining' : 'ok', problems };
			return send(response, isDraining ? 503 : 200, health);
		}
		// Before the body is read: a request without a token costs next to nothing.
		const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
		if (!prober.tokens.map((good) => equalInConstantTime(good, token)).includes(true)) {
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
				const { contentType, text } = await prober.metrics.about(prober.state());
				return void response.writeHead(200, { 'content-type': contentType }).end(text);
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
async function answer(prober: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
	if (prober.isDraining) return refuse(response, 'draining', 'This prober ends its work');
	const text = await textOf(request);
	if (text === null)
		return refuse(response, 'invalid', `A question has at most ${MESSAGE_OCTETS_MAX} octets`);
	const sent = parseJson(text);
	const { data, error } = sentQuestion.safeParse(sent);
	if (data === undefined) {
		// The first version had no number, and its fields were the question's.
		const { version, domain } = (sent ?? {}) as { readonly version?: unknown; readonly domain?: unknown };
		if ((version ?? domain) !== undefined && version !== VERSION)
			return refuse(response, 'other_version', `This prober takes questions of version ${VERSION}`);
		// Where and what, never the value: it may be an address.
		const words = error.issues.slice(0, 3).map(({ path, message }) => `${path.join('.')}: ${message}`);
		return refuse(response, 'invalid', words.join('; '));
	}
	response.writeHead(200, JSON_TYPE);
	response.write(' ');
	// At most once, and only where the asker listens.
	let isTold = !data.tells;
	const tell = (): void => {
		if (!isTold) response.write(NEWS);
		isTold = true;
	};
	response.end(JSON.stringify(await prober.answer(data, tell).catch(refusalOf)));
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

function send(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, JSON_TYPE).end(JSON.stringify(body));
}
