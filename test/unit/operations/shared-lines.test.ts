import { describe, expect, test } from 'vitest';
import { LINES_PER_HOST_MAX } from '../../../src/core/exchanger/lines.ts';
import { IDLE_MS } from '../../../src/core/exchanger/linger.ts';
import { CONNECTION_LIMITS } from '../../../src/core/smtp/limits.ts';
import type { RecipientReply } from '../../../src/core/smtp/session.ts';
import type {
	ConversationRequest,
	Conversed,
	RandomMemory,
} from '../../../src/operations/conversations-port.ts';
import type { Connection, Dialer, HostKey, StandingMemory } from '../../../src/operations/ports.ts';
import { SharedLines } from '../../../src/operations/shared-lines.ts';
import { NO_MEMORY } from '../../support/unit/fake-standing.ts';
import { virtualClock } from '../../support/unit/virtual-clock.ts';
import type { VirtualClock } from '../../support/unit/virtual-clock.ts';

const KEY: HostKey = { name: 'zoho', egress: 'direct', isShared: true };
const REPLY_MS = 100;

interface Server {
	/** Answers to a line of ours; null: it hangs up; undefined: as usual. */
	readonly answers?: (line: string, connection: number) => string | null | undefined;
}

const usual = (line: string): string => {
	if (line.startsWith('EHLO')) return '250-mx\r\n250 PIPELINING';
	return line.includes('<good') || !line.startsWith('RCPT') ? '250 2.1.5 ok' : '550 5.1.1 no such user';
};

/** A mail server that takes its time: a tenth of a second to each write. */
class SlowConnection implements Connection {
	readonly writes: string[] = [];
	closed = false;
	readonly #clock: VirtualClock;
	readonly #answer: (line: string) => string | null;
	#ready: string[] = [];
	#wake: (() => void) | null = null;
	#hungUp = false;

	constructor(clock: VirtualClock, answer: (line: string) => string | null) {
		this.#clock = clock;
		this.#answer = answer;
		void this.#sayLater('220 mx.test ESMTP\r\n');
	}

	async read(limitMs: number): ReturnType<Connection['read']> {
		if (this.#ready.length === 0 && !this.#hungUp) {
			const patience = new AbortController();
			await Promise.race([
				new Promise<void>((resolve) => (this.#wake = resolve)),
				limitMs === 0 ? Promise.resolve() : this.#clock.sleep(limitMs, patience.signal),
			]);
			patience.abort();
		}
		if (this.#ready.length > 0)
			return { kind: 'bytes', bytes: new TextEncoder().encode(this.#ready.splice(0).join('')) };
		return { kind: this.#hungUp ? 'closed' : 'timeout' };
	}

	async write(bytes: Uint8Array): Promise<void> {
		const text = new TextDecoder().decode(bytes).trimEnd();
		this.writes.push(text.replaceAll('\r\n', ' | '));
		if (text === 'QUIT') return;
		let said = '';
		for (const line of text.split('\r\n')) {
			const answer = this.#answer(line);
			if (answer === null) {
				this.hangUp();
				break;
			}
			said += `${answer}\r\n`;
		}
		void this.#sayLater(said);
	}

	hangUp(): void {
		this.#hungUp = true;
		this.#wake?.();
	}

	close(): void {
		this.closed = true;
	}

	async #sayLater(text: string): Promise<void> {
		await this.#clock.sleep(REPLY_MS);
		if (text !== '') this.#ready.push(text);
		this.#wake?.();
	}
}

function makeLines(server: Server = {}, standing: Partial<StandingMemory> = {}) {
	const clock = virtualClock();
	const connections: SlowConnection[] = [];
	const dialer: Dialer = {
		egressFor: () => 'direct',
		dial: async () => {
			const number = connections.length;
			const connection = new SlowConnection(clock, (line) => {
				const own = server.answers?.(line, number);
				return own === undefined ? usual(line) : own;
			});
			connections.push(connection);
			const identity = { heloName: 'probe.us.test', mailFrom: 'v@us.test' };
			return { kind: 'connected', connection, identity, egress: 'direct' };
		},
	};
	const kept = new Map<string, { replies: readonly RecipientReply[]; until: number }>();
	const randoms: RandomMemory = {
		find: (domain, now) => {
			const known = kept.get(domain);
			return known === undefined || known.until <= now ? null : known.replies;
		},
		keep: (domain, replies, _, until) => void kept.set(domain, { replies, until }),
	};
	const shared = new SharedLines({ clock, dialer, standing: { ...NO_MEMORY, ...standing }, randoms });
	const request = (name: string, changes: Partial<ConversationRequest> = {}): ConversationRequest => ({
		domain: 'x.test',
		address: '192.0.2.1',
		key: KEY,
		operator: 'zoho',
		isBest: true,
		deadline: clock.now() + 15_000,
		...changes,
		plan: {
			targets: [`${name}@x.test`],
			randoms: [],
			confirmingRandoms: [],
			confirmsRefusals: false,
			needsSmtputf8: false,
			pipelining: 'when_offered',
			commandTimeoutMs: null,
			limits: CONNECTION_LIMITS,
			tally: { asked: 0, rejected: 0 },
			...changes.plan,
		},
	});
	const ask = (name: string, changes: Partial<ConversationRequest> = {}): Promise<Conversed> =>
		shared.hold(request(name, changes));
	return { clock, shared, connections, ask, request, kept };
}

function codeOf(conversed: Conversed): number | string | null {
	return conversed.kind === 'held' ? (conversed.report.targets[0]?.reply?.code ?? null) : conversed.kind;
}

describe('a connection that was used before', () => {
	test('answers the next question in one round trip', async () => {
		const { clock, connections, ask } = makeLines();
		const first = await clock.run(ask('good1'));
		const begun = clock.now();
		const second = await clock.run(ask('bad'));
		expect([codeOf(first), codeOf(second), connections.length]).toEqual([250, 550, 1]);
		expect(second).toMatchObject({ warm: true, report: { roundTrips: 1, pipelined: true } });
		expect(clock.now() - begun).toBe(REPLY_MS);
		expect(connections[0]?.writes.at(-1)).toBe('RSET | MAIL FROM:<v@us.test> | RCPT TO:<bad@x.test>');
	});

	test('tells the greeting that it was opened with', async () => {
		const { clock, ask } = makeLines();
		await clock.run(ask('good1'));
		const second = await clock.run(ask('good2'));
		expect(second.kind === 'held' && second.report.transcript[0]).toBe('S: 220 mx.test ESMTP');
	});

	test.each([
		['half a second, after one question', 1, 500],
		['ten seconds, after many', 25, IDLE_MS],
	])('is closed with QUIT when nobody came for %s', async (_, questions, keptMs) => {
		const { clock, shared, connections, ask } = makeLines();
		for (let at = 0; at < questions; at += 1) await clock.run(ask(`good${at}`));
		await clock.run(clock.sleep(keptMs - 1));
		expect(shared.openLines).toBe(1);
		await clock.run(clock.sleep(2));
		expect(shared.openLines).toBe(0);
		expect([connections.at(-1)?.writes.at(-1), connections.at(-1)?.closed]).toEqual(['QUIT', true]);
	});

	test('that nobody needs any more leaves nothing behind that waits', async () => {
		const { clock, shared, ask } = makeLines();
		await clock.run(Promise.all(Array.from({ length: 12 }, (_, at) => ask(`good${at}`))));
		while (shared.openLines > 0) await clock.run(clock.sleep(100));
		expect(clock.waiting).toBe(0);
	});

	test.each<[string, (line: string, connection: number) => string | null | undefined]>([
		['hangs up at RSET', (line) => (line === 'RSET' ? null : undefined)],
		['has had enough of RSET', (line) => (line === 'RSET' ? '554 Too many nonmail commands' : undefined)],
		['says 421', (line) => (line === 'RSET' ? '421 4.4.2 idle too long' : undefined)],
		[
			'finds that they are too many',
			(line, at) => (line.includes('good2') && at === 0 ? '452 4.5.3 Too many recipients' : undefined),
		],
	])('and %s is no answer about anybody: a new one is', async (_, answers) => {
		const { clock, connections, ask } = makeLines({ answers });
		expect(codeOf(await clock.run(ask('good1')))).toBe(250);
		const second = await clock.run(ask('good2'));
		expect([codeOf(second), connections.length]).toEqual([250, 2]);
		expect(second).toMatchObject({ warm: false });
	});

	test('and hung up meanwhile is not asked at all', async () => {
		const { clock, connections, ask } = makeLines();
		await clock.run(ask('good1'));
		connections[0]?.hangUp();
		expect(codeOf(await clock.run(ask('good2')))).toBe(250);
		expect(connections[0]?.writes.filter((write) => write.startsWith('RSET'))).toEqual([]);
	});

	test('and takes no second sender is no answer about anybody either', async () => {
		let senders = 0;
		const { clock, connections, ask } = makeLines({
			answers: (line, at) => {
				if (!line.startsWith('MAIL') || at > 0) return undefined;
				senders += 1;
				return senders === 2 ? '451 4.7.1 one at a time' : undefined;
			},
		});
		await clock.run(ask('good1'));
		expect([codeOf(await clock.run(ask('good2'))), connections.length]).toEqual([250, 2]);
	});

	test('is not kept where it put somebody off: who comes again is to be met as new', async () => {
		const { clock, connections, ask } = makeLines({
			answers: (line, at) => (line.startsWith('RCPT') && at === 0 ? '450 4.3.2 not now' : undefined),
		});
		expect(codeOf(await clock.run(ask('good1')))).toBe(450);
		expect(codeOf(await clock.run(ask('good1')))).toBe(250);
		expect(connections).toHaveLength(2);
	});
});

describe('no connection', () => {
	test('hears more refusals or RSET than servers bear, however many ask', async () => {
		const { clock, connections, ask } = makeLines();
		for (let at = 0; at < 60; at += 1)
			expect(codeOf(await clock.run(ask(at % 3 === 0 ? `bad${at}` : `good${at}`)))).toBe(
				at % 3 === 0 ? 550 : 250,
			);
		for (const { writes } of connections) {
			const commands = writes.flatMap((write) => write.split(' | '));
			expect(commands.filter((line) => line === 'RSET').length).toBeLessThanOrEqual(CONNECTION_LIMITS.resets);
			const refused = commands.filter((line) => line.includes('<bad')).length;
			expect(refused).toBeLessThanOrEqual(CONNECTION_LIMITS.rejections);
		}
		expect(connections).toHaveLength(6);
	});

	test('is one list’s alone: after three transactions it is somebody else’s turn', async () => {
		const { clock, ask, request } = makeLines();
		const targets = Array.from({ length: 200 }, (_, at) => `good${at}@x.test`);
		const list = await clock.run(ask('', { plan: { ...request('').plan, targets } }));
		expect(list.kind === 'held' && list.report.end.kind).toBe('limit');
		const answered = list.kind === 'held' ? list.report.targets.filter(({ reply }) => reply !== null) : [];
		expect(answered).toHaveLength(60);
		expect(await clock.run(ask('good1'))).toMatchObject({ warm: true });
	});
});

describe('many at once', () => {
	test('share two connections, in the order in which they came', async () => {
		const { clock, connections, ask } = makeLines();
		const ended: number[] = [];
		const all = Array.from({ length: 12 }, (_, at) =>
			ask(`good${at}`).then((conversed) => {
				ended.push(at);
				return codeOf(conversed);
			}),
		);
		expect(await clock.run(Promise.all(all))).toEqual(all.map(() => 250));
		expect(connections).toHaveLength(LINES_PER_HOST_MAX);
		expect(ended).toEqual(ended.toSorted((a, b) => a - b));
	});

	test('more than can be served in time are told so at once, or after three seconds', async () => {
		const { clock, ask } = makeLines();
		const begun = clock.now();
		const all = Array.from({ length: 200 }, (_, at) => ask(`good${at}`));
		const codes = (await clock.run(Promise.all(all))).map(codeOf);
		expect(codes.filter((code) => code === 'busy').length).toBeGreaterThan(100);
		expect(codes.slice(0, 20)).toEqual(all.slice(0, 20).map(() => 250));
		expect(clock.now() - begun).toBeLessThan(5_000);
	});
});

describe('what the exchanger remembers', () => {
	const withRandom = { randoms: ['random@x.test'] };

	test('an invented recipient is asked once for a domain that refuses it', async () => {
		const { clock, connections, ask, request } = makeLines();
		const plan = (name: string) => ({ plan: { ...request(name).plan, ...withRandom } });
		await clock.run(ask('good1', plan('good1')));
		const second = await clock.run(ask('good2', plan('good2')));
		expect(second).toMatchObject({ remembered: [{ recipient: 'random@x.test', reply: { code: 550 } }] });
		const asked = connections.flatMap(({ writes }) => writes.join(' ').match(/random@x\.test/g) ?? []);
		expect(asked).toHaveLength(1);
	});

	test('not what a backup says, nor for longer than it is believed', async () => {
		const { clock, ask, request, kept } = makeLines();
		const plan = { ...request('good1').plan, ...withRandom };
		await clock.run(ask('good1', { plan, isBest: false }));
		expect(kept.size).toBe(0);
		await clock.run(ask('good1', { plan }));
		expect((kept.get('x.test')?.until ?? 0) - clock.now()).toBeLessThanOrEqual(86_400_000);
	});

	test('a block: then nobody is dialled until the pause ends', async () => {
		const observed: string[] = [];
		const { clock, connections, ask } = makeLines(
			{
				answers: (line) => (line.startsWith('RCPT') ? '550 5.7.1 blocked using zen.spamhaus.org' : undefined),
			},
			{
				observed: (_, { kind }) => void observed.push(kind),
				paused: () => (observed.includes('refused') ? 'probe_blocked' : null),
			},
		);
		await clock.run(ask('good1'));
		expect(await clock.run(ask('good2'))).toEqual({ kind: 'paused', why: 'probe_blocked' });
		expect(connections).toHaveLength(1);
	});
});
