import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LINES_MAX } from '../../../src/core/exchanger/lines.ts';
import { IDLE_MS } from '../../../src/core/exchanger/linger.ts';
import { codeOf, makeLines, PROXY_MS, REPLY_MS } from '../../support/unit/lines-world.ts';

// What is begun at the proxy for the next connection of an exchanger.

// Greeting, EHLO, and the group of MAIL and RCPT.
const CONVERSATION_MS = 3 * REPLY_MS;
const ONE_PROXY = { egressFor: () => 'proxy' };

type World = ReturnType<typeof makeLines>;

/** Until a question found no connection: how long it took. */
async function nextDial({ clock, ask }: World): Promise<number> {
	for (let at = 0; at < 30; at += 1) {
		const begun = clock.now();
		const conversed = await clock.run(ask(`good${at}`));
		expect(codeOf(conversed)).toBe(250);
		if (conversed.kind === 'held' && !conversed.warm) return clock.now() - begun;
	}
	throw new Error('a server bears no thirty conversations');
}

/** Questions in short succession, and a connection that was dialled among them. */
async function dense(world: World): Promise<void> {
	expect(await nextDial(world)).toBe(PROXY_MS + CONVERSATION_MS);
	expect(world.begun).toEqual([]);
	// Its end is where the first spare is begun; the question behind it comes too early for that.
	expect(await nextDial(world)).toBeGreaterThan(CONVERSATION_MS);
	expect(world.shared.hasSpare).toBe(true);
}

const end = async ({ clock, shared }: World): Promise<void> => {
	while (shared.openLines > 0 || shared.hasSpare) await clock.run(clock.sleep(100));
	await clock.run(clock.sleep(PROXY_MS + 1));
};

describe('where questions come densely, the next connection', () => {
	test('needs no greeting of the proxy, each time', async () => {
		const world = makeLines(ONE_PROXY);
		await dense(world);
		for (let at = 0; at < 5; at += 1) expect(await nextDial(world)).toBe(CONVERSATION_MS);
		expect(world.begun.filter(({ state }) => state === 'used')).toHaveLength(5);
		await end(world);
		expect([world.held(), world.clock.waiting]).toEqual([0, 0]);
	});

	test('is dialled as ever where the proxy hung up meanwhile, and begun anew', async () => {
		const world = makeLines(ONE_PROXY);
		await dense(world);
		for (const one of world.begun) if (one.state !== 'used') one.state = 'hung up';
		expect(await nextDial(world)).toBe(PROXY_MS + CONVERSATION_MS);
		expect(await nextDial(world)).toBe(CONVERSATION_MS);
	});

	test('does not take what was begun at another proxy, and one is kept at most', async () => {
		const world = makeLines({ egressFor: (domain) => domain });
		const { clock, ask, begun, counts } = world;
		for (let at = 0; at < 120; at += 1)
			await clock.run(ask(`good${at}`, { domain: Math.floor(at / 25) % 2 === 0 ? 'a.test' : 'b.test' }));
		expect(begun.some(({ state }) => state === 'used')).toBe(true);
		expect(counts.misused).toBe(0);
		expect(begun.filter(({ state }) => state === 'opening' || state === 'waiting').length).toBeLessThan(2);
		await end(world);
		expect(world.held()).toBe(0);
	});
});

test('what nobody could use, since no way out works any more, is given back', async () => {
	let isOut = false;
	const world = makeLines({ ...ONE_PROXY, isOut: () => isOut });
	await dense(world);
	isOut = true;
	await expect(nextDial(world)).rejects.toThrow('all are out');
	await end(world);
	expect(world.held()).toBe(0);
});

describe('nothing is begun', () => {
	test.each([
		['where questions come one by one', 2 * IDLE_MS],
		['where they come every two seconds', 2_000],
	])('%s', async (_, pauseMs) => {
		const { clock, ask, begun } = makeLines(ONE_PROXY);
		for (let at = 0; at < 30; at += 1) {
			await clock.run(ask(`good${at}`));
			await clock.run(clock.sleep(pauseMs));
		}
		expect(begun).toEqual([]);
	});

	test('where there is no proxy', async () => {
		const world = makeLines();
		for (let at = 0; at < 3; at += 1) await nextDial(world);
		expect(world.shared.hasSpare).toBe(false);
	});
});

test('it is closed with the last connection, ten seconds after the last question at most', async () => {
	const world = makeLines(ONE_PROXY);
	await dense(world);
	const { clock, shared, held } = world;
	await clock.run(clock.sleep(IDLE_MS - 1));
	expect(shared.openLines).toBe(1);
	await clock.run(clock.sleep(2));
	expect([shared.openLines, shared.hasSpare, held(), clock.waiting]).toEqual([0, false, 0, 0]);
});

test('however they ask: no more connections at once than lines, and none is left open', async () => {
	const question = fc.record({
		afterMs: fc.oneof(fc.constant(0), fc.nat(300), fc.nat(4_000)),
		address: fc.integer({ min: 1, max: 4 }),
		domain: fc.constantFrom('a.test', 'a.test', 'b.test'),
		hangsUp: fc.boolean(),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(question, { minLength: 1, maxLength: 60 }), async (questions) => {
			const world = makeLines({ egressFor: (domain) => domain });
			const { clock, ask, begun, counts, held } = world;
			const all: Promise<unknown>[] = [];
			for (const [at, { afterMs, address, domain, hangsUp }] of questions.entries()) {
				if (afterMs > 0) await clock.run(clock.sleep(afterMs));
				for (const one of begun) if (hangsUp && one.state === 'waiting') one.state = 'hung up';
				all.push(ask(`good${at}`, { address: `192.0.2.${address}`, domain }));
			}
			await clock.run(Promise.all(all));
			await end(world);
			expect(counts.openMost).toBeLessThanOrEqual(LINES_MAX);
			expect([held(), clock.waiting]).toEqual([0, 0]);
		}),
		{ numRuns: 60 },
	);
});
