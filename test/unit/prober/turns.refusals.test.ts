import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/core/verification/finding.ts';
import { ask as askHosts } from '../../../src/prober/ask.ts';
import type { OperatorName } from '../../../src/core/mail-operators/operators.ts';
import type { ConversationRequest } from '../../../src/prober/conversation.ts';
import { PUBLIC_ONLY } from '../../support/unit/fake-resolver.ts';
import { makeQuestion } from '../../support/unit/question.ts';
import { codeOf, makeTurns } from '../../support/unit/turns-world.ts';

// Whom a refusal stops, and whom it does not, whoever asked.

const MINUTE = 60_000;
const at = (
	domain: string,
	operator: OperatorName | null,
	more: Partial<ConversationRequest> = {},
): Partial<ConversationRequest> => ({
	domain,
	operator,
	hostName: `mx.${domain}`,
	asker: 'acc_1',
	...more,
});

const UNAVAILABLE = '550 5.7.1 Service unavailable, client host blocked';

test.each<[string, OperatorName | null, string, string, string[]]>([
	// Domain that is refused; then whose questions are answered still.
	['a greeting', 'orange', 'EHLO', '554 5.7.1 your IP is listed at Spamhaus', []],
	['a greeting of a machine', null, 'EHLO', '554 5.7.1 your IP is blocked', []],
	['its own status', 'microsoft365', 'RCPT', '550 5.7.606 Access denied, banned sending IP', []],
	['a customer’s policy', 'microsoft365', 'RCPT', UNAVAILABLE, ['other.test']],
	['a customer’s host', 'proofpoint', 'MAIL', '550 5.7.1 client host blocked', ['other.test']],
	['a domain’s policy', null, 'RCPT', '550 5.7.1 client host blocked', ['other.test']],
])('%s at %s (%s, %s) stops those it speaks for', async (_, operator, command, reply, served) => {
	let isRefusing = true;
	const { clock, ask } = makeTurns({
		answers: (line) => (isRefusing && line.startsWith(command) ? reply : undefined),
	});
	for (const asker of [null, 'acc_1'])
		await clock.run(ask('good', at('refused.test', operator, { asker, fresh: true })));
	isRefusing = false;
	for (const domain of ['refused.test', 'other.test']) {
		const said = codeOf(await clock.run(ask('good', at(domain, operator, { asker: 'acc_2' }))));
		expect([domain, said]).toEqual([domain, served.includes(domain) ? 250 : 'paused']);
	}
	const elsewhere = at('third.test', null, { address: '192.0.2.77' });
	expect(codeOf(await clock.run(ask('good', elsewhere)))).toBe(250);
});

test('a host that does not have the domain is asked about it once an hour, and about others at once', async () => {
	const { clock, ask, dialled } = makeTurns({
		answers: (line) =>
			line.includes('@') && line.startsWith('RCPT') ? '550 5.7.1 Relaying denied' : undefined,
	});
	expect(codeOf(await clock.run(ask('good', at('lost.test', null))))).toBe(550);
	expect(await clock.run(ask('good', at('lost.test', null, { asker: 'acc_2' })))).toMatchObject({
		kind: 'paused',
		why: 'unavailable_smtp',
		ofDomain: true,
	});
	expect(codeOf(await clock.run(ask('good', at('other.test', null))))).toBe(550);
	await clock.run(clock.sleep(60 * MINUTE));
	expect(codeOf(await clock.run(ask('good', at('lost.test', null))))).toBe(550);
	expect(dialled).toHaveLength(2);
});

test('after a pause one turn at a time tries whether we are welcome again', async () => {
	let isRefusing = true;
	const { clock, counts, memory, ask } = makeTurns({
		answers: (line) => (isRefusing && line.startsWith('MAIL') ? '421 4.7.0 rate limited' : undefined),
	});
	for (const name of ['good1', 'good2']) await clock.run(ask(name, { fresh: true }));
	expect(codeOf(await clock.run(ask('good')))).toBe('paused');
	isRefusing = false;
	await clock.run(clock.sleep(2 * MINUTE));
	counts.openMost = 0;
	const asked = Array.from({ length: 3 }, (_, n) => ask(`good${n}`, { asker: `acc_${n}` }));
	expect((await clock.run(Promise.all(asked))).map(codeOf)).toEqual([250, 250, 250]);
	expect(memory.standing('zoho by direct').factor).toBeCloseTo(0.25 + 3 * 0.02);
});

describe('a machine of nobody we know', () => {
	test('is the operator’s that was met at its address, by whatever name it is asked', async () => {
		const { clock, turns, ask } = makeTurns();
		const address = '192.0.2.40';
		await clock.run(ask('good1', { address }));
		await clock.run(ask('good2', at('attacker.test', null, { address })));
		await clock.run(ask('good3', at('other.test', null, { address: '192.0.2.41' })));
		expect(turns.overview().gates.map(({ operator }) => operator)).toEqual(['zoho', null]);
	});

	test.each([
		['anywhere in its network of 64 bits', '2001:db8::1', '2001:db8::ffff', 1],
		['and not beyond', '2001:db8::1', '2001:db8:0:1::1', 2],
		['and no other one', '192.0.2.7', '192.0.2.8', 2],
	])('is the same %s', async (_, one, other, gates) => {
		const { clock, turns, ask } = makeTurns();
		for (const address of [one, other]) await clock.run(ask('good', at('x.test', null, { address })));
		expect(turns.overview().gates).toHaveLength(gates);
	});

	test('is remembered up to a limit: the one unused for longest gives way', async () => {
		const { clock, turns, ask } = makeTurns({}, undefined, 2);
		for (const n of [1, 2, 1, 3])
			await clock.run(ask('good', at('x.test', null, { address: `192.0.2.${n}` })));
		expect(turns.overview().gates.map(({ name }) => name)).toEqual([
			'192.0.2.1 by direct',
			'192.0.2.3 by direct',
		]);
		// An operator's machines are as many as it likes, and one gate.
		for (const n of [4, 5, 6]) await clock.run(ask('good', { address: `192.0.2.${n}` }));
		expect(turns.overview().gates.map(({ name }) => name)).toEqual(['192.0.2.3 by direct', 'zoho by direct']);
	});
});

test('who guesses mailboxes is let in by a gate of its own, and keeps nobody else waiting', async () => {
	const { clock, turns, ask, request } = makeTurns();
	const guess = (names: readonly string[], asker: string) =>
		ask('', {
			...at('company.test', null, { asker, class: 'list', owner: asker }),
			deadline: clock.now() + 20_000,
			plan: { ...request('').plan, targets: names.map((name) => `${name}@company.test`) },
		});
	const names = (round: number): string[] => Array.from({ length: 40 }, (_, n) => `bad${round}x${n}`);
	for (let round = 0; round < 20; round += 1) await clock.run(guess(names(round), 'acc_1'));
	expect(turns.guessers.slowed(clock.now())).toMatchObject([
		{ asker: 'acc_1', domain: 'company.test', perMinute: 6 },
	]);
	const slowed = await clock.run(guess(names(9), 'acc_1'));
	const answered = slowed.kind === 'held' ? slowed.report.targets.filter(({ reply }) => reply !== null) : [];
	expect(answered.length).toBeLessThan(5);
	const other = await clock.run(guess(['good1', 'good2', 'good3', 'good4', 'good5', 'good6'], 'acc_2'));
	expect(other.kind === 'held' && other.report.targets.every(({ reply }) => reply?.code === 250)).toBe(true);
});

// An operator that has enough of us: what it still sees, and what whoever asked is told.
const HOUR = 3_600_000;
const RATE = '421 4.7.28 Our system has detected an unusual rate of unsolicited mail';

function angry() {
	const answers = (line: string) => (line.startsWith('RCPT') ? RATE : undefined);
	const world = makeTurns({ answers }, {});
	const { clock, turns } = world;
	const ports = { clock, conversations: turns, addressPolicy: PUBLIC_ONLY };
	const ask = async (domain: string, names: readonly string[]) => {
		const question = makeQuestion({
			domain,
			hosts: [{ name: 'gmail-smtp-in.l.google.com', addresses: ['8.8.8.8'], failed: false }],
			targets: names.map((name) => `${name}@${domain}`),
			invented: null,
			class: 'list',
			deadline: clock.now() + 30_000,
		});
		return (await askHosts(ports, question)).answers;
	};
	return { ...world, ask };
}

const isHeard = (answer: Finding | null): boolean => answer?.kind === 'heard';

test.each<[string, (n: number) => string]>([
	['of its own domain', () => 'gmail.com'],
	['of as many customers', (n) => `tenant${n}.test`],
])(
	'a thousand addresses %s that refuses everything cost five connections in four minutes, twenty in a day',
	async (_title, domainOf) => {
		const { clock, dialled, ask } = angry();
		const until = clock.now() + 24 * HOUR;
		const early = clock.sleep(4 * 60_000).then(() => dialled.length);
		const told = { heard: 0, postponed: 0, other: 0 };
		const part = async (domain: string, names: readonly string[]): Promise<void> => {
			while (clock.now() < until) {
				const said = await ask(domain, names);
				for (const answer of said)
					if (isHeard(answer)) told.heard += 1;
					else if (answer?.kind === 'postponed') told.postponed += 1;
					else told.other += 1;
				const later = said.flatMap((answer) => (answer?.kind === 'postponed' ? [answer.until] : []));
				await clock.sleep(Math.max(60_000, Math.min(...later, until) - clock.now()));
			}
		};
		const parts = Array.from({ length: 20 }, (_, d) =>
			part(
				domainOf(d),
				Array.from({ length: 50 }, (__, n) => `ada${d}.${n}`),
			),
		);
		await clock.run(Promise.all(parts));
		expect(await early).toBeLessThanOrEqual(5);
		expect(dialled.length).toBeLessThanOrEqual(20);
		expect(told.heard).toBeLessThanOrEqual(20 * 50);
		expect(told.postponed).toBeGreaterThan(told.heard);
		expect(told.other).toBe(0);
	},
);
