import { describe, expect, test } from 'vitest';
import { REJECTIONS_MAX, RESETS_MAX } from '../../../src/core/smtp/limits.ts';
import { IDLE_MS } from '../../../src/prober/turns/passage.ts';
import { REPLY_MS } from '../../support/unit/fake-connection.ts';
import { codeOf, makeTurns } from '../../support/unit/turns-world.ts';

test('a catch-all is known as soon as it takes an invented recipient, and from the greeting on the next time', async () => {
	const { clock, turns, request } = makeTurns();
	const [found, begun]: [number[], number] = [[], clock.now()];
	const foundCatchAll = (): void => void found.push(clock.now() - begun);
	for (const name of ['good1', 'good2']) {
		const asked = request(name, { foundCatchAll });
		await clock.run(turns.hold({ ...asked, plan: { ...asked.plan, invented: ['good-invented@x.test'] } }));
	}
	expect(found.slice(0, 2)).toEqual([3 * REPLY_MS, 3 * REPLY_MS]);
	expect(clock.now() - begun).toBe(4 * REPLY_MS);
});

test('a host that takes the target alone is no catch-all', async () => {
	const { clock, turns, request } = makeTurns();
	const foundCatchAll = (): void => expect.unreachable('it refused the invented recipient');
	const asked = request('good1', { foundCatchAll });
	const plan = { ...asked.plan, invented: ['bad@x.test'] };
	expect(codeOf(await clock.run(turns.hold({ ...asked, plan })))).toBe(250);
});

describe('a connection that was used before', () => {
	test('answers the next question in one round trip, and tells the greeting that it was opened with', async () => {
		const { clock, connections, ask } = makeTurns();
		const first = await clock.run(ask('good1'));
		const begun = clock.now();
		const second = await clock.run(ask('bad'));
		expect([codeOf(first), codeOf(second), connections.length]).toEqual([250, 550, 1]);
		expect(second).toMatchObject({ warm: true, report: { pipelined: true } });
		const greeting = second.kind === 'held' && second.report.exchanges[0];
		expect(greeting).toMatchObject({ step: 'banner', code: 220, text: 'mx.test ESMTP' });
		expect(clock.now() - begun).toBe(REPLY_MS);
		expect(connections[0]?.writes.at(-1)).toBe('RSET | MAIL FROM:<v@us.test> | RCPT TO:<bad@x.test>');
	});

	test.each<[string, (world: ReturnType<typeof makeTurns>) => Promise<void>]>([
		['nobody came for ten seconds', ({ clock }) => clock.sleep(2)],
		['the prober ends', ({ turns }) => turns.end()],
	])('is closed with QUIT when %s', async (_, end) => {
		const world = makeTurns();
		const { clock, turns, connections, ask } = world;
		await clock.run(ask('good1'));
		await clock.run(clock.sleep(IDLE_MS - 1));
		expect(turns.overview().connections).toBe(1);
		await clock.run(end(world));
		expect([turns.overview().connections, clock.waiting]).toEqual([0, 0]);
		expect([connections[0]?.writes.at(-1), connections[0]?.closed]).toEqual(['QUIT', true]);
	});

	test('that nobody needs any more leaves nothing behind that waits', async () => {
		const { clock, turns, ask } = makeTurns();
		await clock.run(Promise.all(Array.from({ length: 12 }, (_, at) => ask(`good${at}`))));
		while (turns.overview().connections > 0) await clock.run(clock.sleep(100));
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
		const { clock, connections, ask } = makeTurns({ answers });
		expect(codeOf(await clock.run(ask('good1')))).toBe(250);
		const second = await clock.run(ask('good2'));
		expect([codeOf(second), connections.length]).toEqual([250, 2]);
		expect(second).toMatchObject({ warm: false });
	});

	test('and takes no second sender is no answer about anybody either', async () => {
		let senders = 0;
		const { clock, connections, ask } = makeTurns({
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
		const { clock, connections, ask } = makeTurns({
			answers: (line, at) => (line.startsWith('RCPT') && at === 0 ? '450 4.3.2 not now' : undefined),
		});
		expect(codeOf(await clock.run(ask('good1')))).toBe(450);
		expect(codeOf(await clock.run(ask('good1')))).toBe(250);
		expect(connections).toHaveLength(2);
	});
});

describe('no connection', () => {
	test('hears more refusals or RSET than servers bear, however many ask', async () => {
		const { clock, connections, ask } = makeTurns();
		for (let at = 0; at < 60; at += 1)
			expect(codeOf(await clock.run(ask(at % 3 === 0 ? `bad${at}` : `good${at}`)))).toBe(
				at % 3 === 0 ? 550 : 250,
			);
		for (const { writes } of connections) {
			const commands = writes.flatMap((write) => write.split(' | '));
			expect(commands.filter((line) => line === 'RSET').length).toBeLessThanOrEqual(RESETS_MAX);
			const refused = commands.filter((line) => line.includes('<bad')).length;
			expect(refused).toBeLessThanOrEqual(REJECTIONS_MAX);
		}
		expect(connections).toHaveLength(6);
	});

	test('is asked for more transactions than Exim bears: what is left of the question has another one', async () => {
		const { clock, ask, request } = makeTurns();
		const targets = Array.from({ length: 20 }, (_, at) => `good${at}@x.test`);
		const plan = { ...request('').plan, targets, perTransaction: 1 };
		const list = await clock.run(ask('', { plan }));
		const answered = list.kind === 'held' ? list.report.targets.filter(({ reply }) => reply !== null) : [];
		expect(answered).toHaveLength(RESETS_MAX + 1);
		expect(await clock.run(ask('good1'))).toMatchObject({ warm: false });
	});
});

describe('what the prober remembers', () => {
	const withRandom = { invented: ['random@x.test'] };

	test('an invented recipient is asked once for a domain that refuses it', async () => {
		const { clock, connections, ask, request } = makeTurns();
		const plan = (name: string) => ({ plan: { ...request(name).plan, ...withRandom } });
		await clock.run(ask('good1', plan('good1')));
		const second = await clock.run(ask('good2', plan('good2')));
		expect(second).toMatchObject({
			reading: { invented: [{ recipient: 'random@x.test', reply: { code: 550 } }] },
		});
		const asked = connections.flatMap(({ writes }) => writes.join(' ').match(/random@x\.test/g) ?? []);
		expect(asked).toHaveLength(1);
	});

	test('a domain that takes everybody: the next deep check needs one round trip instead of two', async () => {
		const { clock, connections, ask, request } = makeTurns({
			answers: (line) => (line.startsWith('RCPT') ? '250 2.1.5 ok' : undefined),
		});
		const plan = (name: string) => ({
			plan: {
				...request(name).plan,
				invented: [`random-${name}@x.test`, 'c1@x.test', 'c2@x.test'],
				deep: 'catch_all' as const,
			},
		});
		const roundTrips: number[] = [];
		for (const name of ['good1', 'good2']) {
			const conversed = await clock.run(ask(name, plan(name)));
			const invented = conversed.kind === 'held' ? conversed.report.invented : [];
			expect(invented.map(({ recipient, reply }) => [recipient, reply?.code])).toEqual([
				['random-good1@x.test', 250],
				['c1@x.test', 250],
				['c2@x.test', 250],
			]);
			roundTrips.push(connections[0]?.writes.length ?? 0);
		}
		const [first = 0, both = 0] = roundTrips;
		// EHLO, a group, and the two that confirm; then everything in one group.
		expect([first, both - first]).toEqual([3, 1]);
	});

	test('an invented recipient that was put off, and not another one, is asked about again', async () => {
		const seen = new Set<string>();
		const greylists = (line: string) =>
			line.startsWith('RCPT') && seen.size < seen.add(line).size ? '450 4.2.0 Greylisted' : undefined;
		const { clock, ask, request } = makeTurns({ answers: greylists });
		const plan = (random: string) => ({ plan: { ...request('good1').plan, invented: [random] } });
		await clock.run(ask('good1', plan('first@x.test')));
		const known = { recipient: 'first@x.test', reply: { code: 550 } };
		const second = await clock.run(ask('good1', plan('other@x.test')));
		expect(second).toMatchObject({ report: { targets: [{ reply: { code: 250 } }], invented: [known] } });
	});

	test('not what a backup says, nor for longer than it is believed', async () => {
		const { clock, ask, request, memory } = makeTurns();
		const plan = { ...request('good1').plan, ...withRandom };
		await clock.run(ask('good1', { plan, isBest: false }));
		expect(memory.find('x.test', clock.now())).toBeNull();
		await clock.run(ask('good1', { plan }));
		expect(memory.find('x.test', clock.now())).toHaveLength(1);
		expect(memory.find('x.test', clock.now() + 86_400_000)).toBeNull();
	});
});
