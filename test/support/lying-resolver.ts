import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { decode, encode } from 'dns-packet';
import type { Answer, DecodedPacket } from 'dns-packet';
import { openListener } from '../sandbox/listener.ts';

/** The changes of an answer on its way from an honest resolver. */
export const LIES = {
	works: null,
	wrong_id: (packet) => ({ ...packet, id: 4_711 }),
	wrong_question: (packet) => ({
		...packet,
		questions: [{ name: 'somebody-else.test', type: 'MX', class: 'IN' }],
	}),
	truncated: (packet) => ({ ...packet, answers: [], flags: (packet.flags ?? 0) | 0x0200 }),
	alias_loop: (packet) => {
		const { name } = packet.questions?.[0] ?? { name: '' };
		const alias = (from: string, to: string): Answer => ({ type: 'CNAME', name: from, ttl: 0, data: to });
		return { ...packet, answers: [alias(name, `loop.${name}`), alias(`loop.${name}`, name)] };
	},
	ten_thousand_records: (packet) => {
		const { name } = packet.questions?.[0] ?? { name: '' };
		const answers = Array.from({ length: 10_000 }, (_, n): Answer => ({
			type: 'TXT',
			name,
			ttl: 0,
			data: [`record ${n}`],
		}));
		return { ...packet, answers };
	},
} as const satisfies Readonly<Record<string, ((packet: DecodedPacket) => object) | null>>;

export type Lie = keyof typeof LIES | 'slow' | 'silent' | 'http_500';

export interface LyingResolver {
	readonly url: string;
	/** Answers that were not as they should be. */
	readonly lies: () => number;
	/** `lie` is called with the number of each question, from 1, and the name it is about. */
	become(lie: (nth: number, name: string) => Lie): void;
	close(): Promise<void>;
}

const SLOW_MS = 2_500;
const MEDIA_TYPE = 'application/dns-message';

/** A resolver in front of an honest one, whose answers a test spoils. */
export async function startLyingResolver(honestUrl: string): Promise<LyingResolver> {
	let lie: (nth: number, name: string) => Lie = () => 'works';
	let questions = 0;
	let lies = 0;
	const unanswered = new Set<ServerResponse>();
	const server = createServer((request, response) => {
		response.on('error', () => {});
		const { searchParams } = new URL(request.url ?? '/', 'http://doh.test');
		const asked = decode(Buffer.from(searchParams.get('dns') ?? '', 'base64url'));
		questions += 1;
		const told = lie(questions, asked.questions?.[0]?.name ?? '');
		if (told !== 'works') lies += 1;
		if (told === 'silent') return void unanswered.add(response);
		void answer(response, `${honestUrl}?dns=${searchParams.get('dns') ?? ''}`, told);
	});
	const listener = await openListener(server);
	return {
		url: `http://127.0.0.1:${listener.port}${new URL(honestUrl).pathname}`,
		lies: () => lies,
		become: (next) => {
			lie = next;
			lies = 0;
			// A question that was asked in a silence stays without an answer.
			for (const response of unanswered) response.destroy();
			unanswered.clear();
		},
		close: () => listener.close(),
	};
}

async function answer(response: ServerResponse, url: string, told: Exclude<Lie, 'silent'>): Promise<void> {
	if (told === 'http_500') return void response.writeHead(500).end();
	const honest = await fetch(url, { headers: { accept: MEDIA_TYPE } });
	const octets = Buffer.from(await honest.arrayBuffer());
	if (told === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
	const spoil = told === 'slow' ? null : LIES[told];
	const head = { 'content-type': MEDIA_TYPE };
	response
		.writeHead(honest.status, head)
		.end(spoil === null ? octets : encode(spoil(decode(octets)) as Parameters<typeof encode>[0]));
}
