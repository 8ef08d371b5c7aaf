import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { decode, encode } from 'dns-packet';
import type { Answer, DecodedPacket, Question } from 'dns-packet';
import { openListener } from '../sandbox/listener.ts';
import type { Listener } from '../sandbox/listener.ts';

/** One request as a resolver saw it. */
export interface SeenQuestion {
	readonly behaviour: string;
	readonly method: string;
	readonly accept: string;
	readonly search: string;
	readonly name: string;
	readonly type: string;
	readonly id: number;
	readonly recursionDesired: boolean;
}

interface Asked {
	readonly question: Question;
	readonly id: string;
	readonly response: ServerResponse;
}

const MEDIA_TYPE = 'application/dns-message';

type Play = (asked: Asked) => void;

/** Answers with records that live for so many seconds. */
const living =
	(ttl: number, mediaType?: string): Play =>
	({ question, response }) =>
		send(response, answer(question, recordsFor(question, ttl)), mediaType);
const refusing =
	(rcode: number): Play =>
	({ question, response }) =>
		send(response, answer(question, [], rcode));
const status =
	(code: number): Play =>
	({ response }) =>
		void response.writeHead(code).end('oops');

const BEHAVIOURS: Readonly<Record<string, Play>> = {
	answers: living(300),
	'ttl-0': living(0),
	'ttl-20': living(20),
	'ttl-month': living(2_592_000),
	'http-500': status(500),
	'http-429': status(429),
	'http-404': status(404),
	html: ({ response }) => {
		response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Please log in to the Wi-Fi</h1>');
	},
	'right-bytes-as-text': living(300, 'text/plain'),
	garbage: ({ response }) => send(response, Buffer.from('this is not a DNS message at all')),
	servfail: refusing(2),
	refused: refusing(5),
	// A correct answer, padded with zeroes beyond the size limit.
	oversize: ({ question, response }) =>
		send(response, Buffer.concat([answer(question, recordsFor(question, 300)), Buffer.alloc(70_000)])),
	endless: ({ response }) => {
		response.writeHead(200, { 'content-type': MEDIA_TYPE });
		const more = (): void => {
			if (!response.destroyed) response.write(Buffer.alloc(16_384), () => setImmediate(more));
		};
		more();
	},
	redirect: ({ id, response }) => response.writeHead(302, { location: `/answers/${id}` }).end(),
	silent: () => {},
	'closes-half-way': ({ response }) => {
		response.writeHead(200, { 'content-type': MEDIA_TYPE, 'content-length': '100' });
		response.write(Buffer.alloc(50), () => response.destroy());
	},
};

/**
 * A resolver for every behaviour, at `/<behaviour>/<id of the test>`; with `-for-others`, it answers about gmail.com.
 * `/seen/<id>` tells what a test asked, as JSON.
 */
export async function startDohServer(): Promise<Listener> {
	const questions = new Map<string, SeenQuestion[]>();
	const server = createServer((request, response) => {
		response.on('error', () => {});
		serve(request, response, questions);
	});
	return openListener(server);
}

function serve(
	request: IncomingMessage,
	response: ServerResponse,
	questions: Map<string, SeenQuestion[]>,
): void {
	const url = new URL(request.url ?? '/', 'http://doh.test');
	const [, behaviour = '', id = ''] = url.pathname.split('/');
	if (behaviour === 'seen') return void response.end(JSON.stringify(questions.get(id) ?? []));
	const packet = parse(url.searchParams.get('dns') ?? '');
	const question = packet?.questions?.[0];
	const [plays = '', forOthers] = behaviour.split('-for-');
	const play = BEHAVIOURS[forOthers !== undefined && question?.name === 'gmail.com' ? 'answers' : plays];
	if (play === undefined || packet === null || question === undefined)
		return void response.writeHead(400).end();
	const seen = questions.get(id) ?? [];
	seen.push({
		behaviour,
		method: request.method ?? '',
		accept: request.headers.accept ?? '',
		search: url.search,
		name: question.name,
		type: question.type,
		id: packet.id ?? -1,
		recursionDesired: packet.flag_rd,
	});
	questions.set(id, seen);
	play({ question, id, response });
}

function parse(message: string): DecodedPacket | null {
	try {
		return decode(Buffer.from(message, 'base64url'));
	} catch {
		return null;
	}
}

function recordsFor({ name, type }: Question, ttl: number): Answer[] {
	const base = { name, ttl };
	if (type === 'MX') {
		return [
			{ ...base, type, data: { preference: 20, exchange: 'MX2.Example' } },
			{ ...base, type, ttl: ttl * 2, data: { preference: 10, exchange: 'mx1.example' } },
		];
	}
	if (type === 'A') return [{ ...base, type, data: '192.0.2.1' }];
	return type === 'TXT' ? [{ ...base, type, data: ['v=spf1 ', '-all'] }] : [];
}

function answer(question: Question, answers: Answer[], rcode = 0): Buffer {
	const flags = 0x0180 | rcode; // RD, RA
	return encode({ type: 'response', id: 0, flags, questions: [question], answers });
}

function send(response: ServerResponse, message: Uint8Array, mediaType = MEDIA_TYPE): void {
	response.writeHead(200, { 'content-type': mediaType }).end(message);
}
