import { describe, expect, test } from 'vitest';
import { budgetOf } from '../../../src/core/turns/budget.ts';
import { UNBLEMISHED } from '../../../src/core/turns/pause.ts';
import type { ConversationRequest, Conversed } from '../../../src/prober/conversation.ts';
import { REPLY_MS } from '../../support/unit/fake-connection.ts';
import { codeOf, makeTurns } from '../../support/unit/turns-world.ts';

// How the connections of a prober are shared by many who ask at once.

const TO_GOOGLE = { hostName: 'mx.google.com', operator: 'google' } as const;
const TO_OWN = { hostName: 'mx.x.test', operator: null } as const;
const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `good${at}`);

describe('at once there are', () => {
	test.each<[string, Partial<ConversationRequest>, number]>([
		['three connections to a mailbox host', {}, 3],
		['two to a mail host of somebody’s own', TO_OWN, 2],
	])('%s, and no more, however many ask', async (_, to, most) => {
		const { clock, counts, connections, ask } = makeTurns();
		const asked = await clock.run(Promise.all(many(20).map((name) => ask(name, to))));
		expect(asked.map(codeOf)).toEqual(many(20).map(() => 250));
		expect([counts.openMost, connections.length]).toEqual([most, most]);
	});

	test('as many to all hosts of an operator together', async () => {
		const { clock, counts, dialled, ask } = makeTurns();
		const hosts = many(8).map((_, at): [string, Partial<ConversationRequest>] => [
			`good${at}`,
			{ address: `192.0.2.${at}`, hostName: `mx${at}.zoho.com` },
		]);
		const asked = await clock.run(Promise.all(hosts.map(([name, to]) => ask(name, to))));
		expect(asked.map(codeOf)).toEqual(hosts.map(() => 250));
		// Whoever comes next elsewhere takes the place of a connection that nobody uses.
		expect([counts.openMost, new Set(dialled).size]).toEqual([3, 8]);
	});

	test('as many more by another way out, which the operator knows by another address', async () => {
		const { clock, counts, ask } = makeTurns({ egressesFor: (domain) => [`by ${domain}`] });
		const asked = ['one.test', 'two.test'].flatMap((domain) => many(8).map((name) => ask(name, { domain })));
		await clock.run(Promise.all(asked));
		expect(counts.openMost).toBe(6);
	});

	test('none that keep another host waiting', async () => {
		const { clock, ask } = makeTurns();
		const busy = many(40).map((name) => ask(name));
		const begun = clock.now();
		expect(codeOf(await clock.run(ask('good', { ...TO_OWN, address: '192.0.2.99' })))).toBe(250);
		expect(clock.now() - begun).toBe(3 * REPLY_MS);
		await clock.run(Promise.all(busy));
	});
});

/** A host of somebody's own, both of whose places are taken for a minute. */
function busyHost() {
	const world = makeTurns({ answers: (line) => (line.includes('<good') ? '' : undefined) });
	const { clock, ask, request } = world;
	const deadline = clock.now() + 60_000;
	const busy = ['good1', 'good2'].map((name) =>
		ask(name, { ...TO_OWN, deadline, plan: { ...request(name).plan, replyTimeoutMs: 60_000 } }),
	);
	return { ...world, busy };
}

describe('where all places are taken', () => {
	test('of one asker those come first whose visit began first', async () => {
		const { clock, ask } = makeTurns();
		const ended: string[] = [];
		const asking = (name: string, since?: number): Promise<unknown> =>
			ask('acc_1', { ...TO_OWN, class: 'list', ...(since === undefined ? {} : { since }) }).then(() =>
				ended.push(name),
			);
		void asking('busy');
		const begun = clock.now();
		const rest = [asking('second', begun - 1), asking('third'), asking('first', begun - 2)];
		await clock.run(Promise.all(rest));
		expect(ended).toEqual(['busy', 'first', 'second', 'third']);
	});

	test('a list of thousands gives its place away after each of its questions', async () => {
		const { clock, ask, request } = makeTurns();
		const targets = many(20).map((name) => `${name}@x.test`);
		const list = { ...TO_OWN, class: 'list', plan: { ...request('').plan, targets } } as const;
		const lists = ['acc_1', 'acc_2'].map((asker) => ask('', { ...list, asker }));
		const begun = clock.now();
		const alone = ask('good', TO_OWN);
		expect(codeOf(await clock.run(alone))).toBe(250);
		// Greeting, EHLO and a transaction of theirs, and one of ours.
		expect(clock.now() - begun).toBe(4 * REPLY_MS);
		await clock.run(Promise.all(lists));
	});

	test.each([
		['single', 5_000],
		['small', 15_000],
		['list', 30_000],
	] as const)('somebody of the class %s waits %i ms and is told so', async (urgency, waitMs) => {
		const { clock, busy, ask } = busyHost();
		const begun = clock.now();
		const waiting = ask('good3', { ...TO_OWN, class: urgency, deadline: begun + 60_000 });
		expect(await clock.run(waiting)).toMatchObject({ kind: 'busy' });
		expect(clock.now() - begun).toBe(waitMs);
		await clock.run(Promise.all(busy));
	});

	test('nobody waits into the time that a conversation needs', async () => {
		const { clock, busy, ask } = busyHost();
		const begun = clock.now();
		expect(await clock.run(ask('good3', { ...TO_OWN, deadline: begun + 4_000 }))).toMatchObject({
			kind: 'busy',
		});
		expect(clock.now() - begun).toBe(2_000);
		await clock.run(Promise.all(busy));
	});

	test('who is refused meanwhile is not asked: also those who waited are told', async () => {
		const { clock, connections, memory, ask } = makeTurns();
		const pause = { until: clock.now() + 60_000, why: 'probe_blocked' } as const;
		const busy = ['good1', 'good2'].map((name) => ask(name, TO_OWN));
		const waiting = ['good3', 'good4', 'good5'].map((name) => ask(name, TO_OWN));
		await clock.run(clock.sleep(REPLY_MS));
		memory.keepStanding('192.0.2.1 by direct', { ...UNBLEMISHED, pause });
		expect((await clock.run(Promise.all(busy))).map(codeOf)).toEqual([250, 250]);
		const paused: Conversed = { kind: 'paused', ...pause };
		expect(await clock.run(Promise.all(waiting))).toEqual([paused, paused, paused]);
		// The connections are kept for when the pause ends.
		expect(connections.map(({ closed }) => closed)).toEqual([false, false]);
		memory.keepStanding('192.0.2.1 by direct', UNBLEMISHED);
		expect(await clock.run(ask('good6', TO_OWN))).toMatchObject({ kind: 'held', warm: true });
	});
});

describe('whoever wants a new connection', () => {
	test('gets one, though another is free', async () => {
		const { clock, connections, ask } = makeTurns();
		await clock.run(ask('good1'));
		expect(await clock.run(ask('good2', { fresh: true }))).toMatchObject({ kind: 'held', warm: false });
		expect(connections).toHaveLength(2);
	});

	test('gets it in the place of one that is free, where there is no room', async () => {
		const { clock, connections, ask } = makeTurns();
		await clock.run(Promise.all(many(3).map((name) => ask(name))));
		expect(await clock.run(ask('good', { fresh: true }))).toMatchObject({ kind: 'held', warm: false });
		expect(connections.filter(({ closed }) => !closed)).toHaveLength(3);
		expect(connections.filter(({ writes }) => writes.at(-1) === 'QUIT')).toHaveLength(1);
	});
});

test('where no way out serves all are told so, and no place is lost', async () => {
	let isOut = true;
	const { clock, turns, ask } = makeTurns({ isOut: () => isOut });
	const asked = await clock.run(Promise.allSettled(many(10).map((name) => ask(name))));
	expect(asked.map(({ status }) => status)).toEqual(many(10).map(() => 'rejected'));
	expect(turns.overview()).toMatchObject({ connections: 0, waiting: 0 });
	isOut = false;
	const again = await clock.run(Promise.all(many(10).map((name) => ask(name))));
	expect(again.map(codeOf)).toEqual(many(10).map(() => 250));
});

test('a way out that is dead is left before the turn: the one that serves books the conversation', async () => {
	const { clock, turns, ask } = makeTurns({
		egressesFor: () => ['direct', 'proxy'],
		isOut: (egress) => egress === 'direct',
	});
	const booked = () =>
		Object.fromEntries(turns.overview().gates.map(({ egress, usedToday }) => [egress, usedToday.accounts]));
	expect(await clock.run(ask('good1'))).toMatchObject({ kind: 'held', egress: 'proxy' });
	expect(booked()).toEqual({ direct: 0, proxy: 1 });
	// The host was chosen while the first one still served.
	expect(await clock.run(ask('good2'))).toMatchObject({ kind: 'held', egress: 'proxy', warm: true });
	expect(booked()).toEqual({ direct: 0, proxy: 2 });
	expect(turns.overview()).toMatchObject({ connections: 1, waiting: 0 });
});

test('a free provider’s mailbox goes by the source address that has room, and waits while its own one is refused', async () => {
	const world = makeTurns({ egressesFor: () => ['one', 'two'] }, { recipientsPerMinute: 12 });
	const { clock, memory, ask } = world;
	const to = { domain: 'gmail.com', operator: 'google' } as const;
	const by: string[] = [];
	for (const name of many(8)) {
		const conversed = await clock.run(ask(name, to));
		if (conversed.kind === 'held') by.push(conversed.egress);
	}
	expect([by.slice(0, 5), by.slice(-1)]).toEqual([many(5).map(() => 'one'), ['two']]);
	const pause = { until: clock.now() + 60_000, why: 'rate_limited' } as const;
	memory.keepStanding('google by one', { ...UNBLEMISHED, pause });
	expect(await clock.run(ask('good', to))).toMatchObject({ kind: 'paused' });
});

test('a dial that reaches no way out is no new connection in the eyes of an operator', async () => {
	let isOut = true;
	const { clock, ask } = makeTurns({ isOut: () => isOut }, { connectionsPerMinute: 4 });
	for (let n = 0; n < 20; n += 1) await expect(clock.run(ask(`good${n}`))).rejects.toThrow('No outgoing');
	isOut = false;
	expect(codeOf(await clock.run(ask('good')))).toBe(250);
});

test.each<[string, { hangsUp?: true; breaks?: true }]>([
	['was hung up on while it was idle', { hangsUp: true }],
	['broke off by a fault of ours', { breaks: true }],
])('a connection that %s counts until it is closed', async (_, { hangsUp = false, breaks = false }) => {
	let isBroken = breaks;
	const answers = (line: string): undefined => {
		if (isBroken && line.startsWith('RCPT')) throw new Error('broken');
	};
	const { clock, connections, counts, ask } = makeTurns({ answers, closesAfterMs: 500 }, { connections: 1 });
	await clock.run(ask('good1')).catch(() => {});
	if (hangsUp) connections[0]?.hangUp();
	isBroken = false;
	expect(codeOf(await clock.run(ask('good2')))).toBe(250);
	expect([counts.openMost, connections.length]).toEqual([1, 2]);
});

test('a connection that was hung up meanwhile is asked nothing; each conversation is told to whoever counts them', async () => {
	const { clock, ends, connections, ask } = makeTurns();
	await clock.run(ask('good1'));
	connections[0]?.hangUp();
	expect(codeOf(await clock.run(ask('good2')))).toBe(250);
	expect(connections[0]?.writes.filter((write) => write.startsWith('RSET'))).toEqual([]);
	expect(ends).toEqual(['complete by direct', 'complete by direct']);
});

test('who can’t be served within the operator’s minute is told so at once, each another moment', async () => {
	const { clock, ask, request } = makeTurns({}, budgetOf('google'));
	const plan = { ...request('').plan, targets: many(108).map((name) => `${name}@x.test`) };
	const of = { ...TO_GOOGLE, asker: '', class: 'small', deadline: clock.now() + 30_000, plan } as const;
	const all = await clock.run(Promise.all(many(100).map(() => ask('', of))));
	const moments = all.flatMap((one) => (one.kind === 'busy' ? [one.until] : []));
	expect(moments.length).toBeGreaterThan(50);
	expect(new Set(moments).size).toBe(moments.length);
	// More is promised than there is: some come late, or with less.
	expect(Math.max(...moments) - Math.min(...moments)).toBeGreaterThan(5 * 60_000);
});

test('a connection sees no more recipients than the operator bears', async () => {
	const { clock, connections, ask, request } = makeTurns({}, { recipientsPerConnection: 20 });
	const targets = many(200).map((name) => `${name}@x.test`);
	let asked = 0;
	while (asked < targets.length) {
		const plan = { ...request('').plan, targets: targets.slice(asked) };
		const held = await clock.run(
			ask('', { ...TO_GOOGLE, class: 'list', deadline: clock.now() + 30_000, plan }),
		);
		if (held.kind === 'busy') await clock.run(clock.sleep(held.until - clock.now()));
		if (held.kind === 'held') asked += held.report.targets.filter(({ reply }) => reply !== null).length;
	}
	const recipients = connections.map(({ writes }) => writes.join(' ').match(/RCPT TO/g)?.length ?? 0);
	expect(connections.length).toBeGreaterThan(1);
	expect(Math.max(...recipients)).toBeLessThanOrEqual(20);
});
