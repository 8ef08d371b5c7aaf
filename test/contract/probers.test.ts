import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openListener } from '../sandbox/listener.ts';
import type { Listener } from '../sandbox/listener.ts';
import { call, startTestService } from '../support/service.ts';
import type { TestService } from '../support/service.ts';
import { expectFailure, newClient } from './api.ts';

// How the service looks after its probers: GET /healthz for everybody, GET /ops/egress for operators.

const TOKENS = ['first', 'second', 'third'].map((name) => `${name}-prober-token-of-thirty-two-characters`);
const STATE = {
	draining: false,
	running: 0,
	connections: 2,
	waiting: 0,
	rules: 'r1',
	stateFails: false,
	stateSetAsideAt: null,
	egresses: ['direct://192.0.2.1'],
	paused: [{ egress: 'direct://192.0.2.1', operator: 'google', only: null, why: 'rate_limited', until: 0 }],
	operators: [],
	guessers: [],
};
// Guessers have a route of their own.
const { guessers: _, ...SHOWN } = STATE;

/** How often each path was asked for, of both probers that answer. */
const asked = new Map<string, number>();
const probers: Listener[] = [];
let service: TestService;

async function startProber(answer: (path: string, response: ServerResponse) => void): Promise<string> {
	const server = createServer((request, response) => {
		const path = request.url ?? '';
		asked.set(path, (asked.get(path) ?? 0) + 1);
		answer(path, response);
	});
	const listener = await openListener(server);
	probers.push(listener);
	return `127.0.0.1:${listener.port}`;
}

let works: string;
let mute: string;
const DEAD = '127.0.0.1:1';

beforeAll(async () => {
	works = await startProber((path, response) =>
		response.end(JSON.stringify(path === '/state' ? STATE : { status: 'ok', problems: [] })),
	);
	mute = await startProber((path, response) => {
		if (path !== '/state') response.end('{}');
	});
	const hosts = [works, mute, DEAD];
	const PROBERS = hosts.map((host, index) => `http://${TOKENS[index]}@${host}`).join(' ');
	service = await startTestService({ sandbox: null, vars: { PROBERS } });
});

afterAll(async () => {
	await service?.remove();
	await Promise.all(probers.map((prober) => prober.close()));
});

test('GET /healthz asks each prober once in ten seconds, however often and by however many it is asked', async () => {
	const askers = Array.from({ length: 50 }, () =>
		call(service.url, null, 'GET', '/healthz', undefined, newClient()),
	);
	expect(new Set((await Promise.all(askers)).map(({ status }) => status))).toEqual(new Set([200]));
	// Two of the three have a server that counts.
	expect(asked.get('/healthz')).toBe(2);
});

describe('GET /ops/egress', () => {
	test('tells of each prober how it is, and never its token', async () => {
		const { status, body, text } = await call(service.url, service.token, 'GET', '/ops/egress');
		expect([status, body]).toEqual([
			200,
			expect.objectContaining({
				data: {
					probers: [
						{
							prober: works,
							...SHOWN,
							paused: [{ ...STATE.paused[0], until: '1970-01-01T00:00:00.000Z' }],
						},
						{ prober: mute, silent: 'silent' },
						{ prober: DEAD, silent: 'unreachable' },
					],
				},
			}),
		]);
		for (const token of TOKENS) expect(text).not.toContain(token);
	});

	test('is for operators alone', async () => {
		expectFailure(await call(service.url, null, 'GET', '/ops/egress', undefined, newClient()), 401);
	});
});
