import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RECIPIENTS_PER_TRANSACTION, REJECTIONS_MAX, RESETS_MAX } from '../../../src/core/smtp/limits.ts';
import type { Question } from '../../../src/wire/prober.ts';
import type { Finding } from '../../../src/core/verification/finding.ts';
import { ask as askHosts } from '../../../src/prober/ask.ts';
import { askAbout, portsOf } from '../../support/unit/examine-alone.ts';
import type { AskedAbout } from '../../support/unit/examine-alone.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { PUBLIC_ONLY } from '../../support/unit/fake-resolver.ts';
import { fakeProber } from '../../support/unit/fake-prober.ts';
import { addressOf, NO_SUCH_USER, OK } from '../../support/unit/mail-servers.ts';
import { modelDialer } from '../../support/unit/model-server.ts';
import type { ModelServer } from '../../support/unit/model-server.ts';
import { REPLY_MS } from '../../support/unit/fake-connection.ts';
import { makeTurns } from '../../support/unit/turns-world.ts';

const RANDOM = 'aaaaaaaaaaaaaaaa@x.test';

const people = (count: number, word = 'good'): string[] =>
	Array.from({ length: count }, (_, index) => `${word}${index}@x.test`);
/** Every nth of them is nobody's. */
const mixed = (count: number, everyNth: number): string[] =>
	Array.from({ length: count }, (_, index) => `${index % everyNth === 0 ? 'bad' : 'good'}${index}@x.test`);
const knowsItsPeople = (recipient: string): string => (recipient.startsWith('good') ? OK : NO_SUCH_USER);

async function ask(
	mailboxes: readonly string[],
	server: Partial<ModelServer> = {},
	question: Partial<AskedAbout> = {},
) {
	const clock = fakeClock();
	const startedAt = clock.now();
	const dialer = modelDialer(clock, { says: knowsItsPeople, ...server });
	const zones = { mx1: { a: ['8.8.8.1'] }, mx2: { a: ['8.8.8.2'] } };
	const ports = portsOf(zones, fakeProber({ clock, dialer }), { clock });
	const results = await askAbout(ports, {
		addresses: mailboxes.map(addressOf),
		class: 'list',
		deadline: startedAt + 600_000,
		...question,
	});
	return { results, seen: dialer.seen, elapsedMs: clock.now() - startedAt, words: results.map(wordOf) };
}

/** `accepted`, `rejected rejected_email`, `unknown timeout`, `null`. */
function wordOf(result: Finding | null): string {
	if (result === null) return 'null';
	if (result.kind !== 'heard') return result.kind;
	const { target } = result.interpretation;
	return 'why' in target ? `${target.kind} ${target.why}` : target.kind;
}

const findingOf = (result: Finding | null): unknown =>
	result?.kind === 'heard' && result.interpretation.invented;
const truth = (mailbox: string): string =>
	mailbox.startsWith('good') ? 'accepted' : 'rejected rejected_email';

describe('fifty good addresses at one domain', () => {
	/** Over the prober's own connections, which are kept between questions. */
	async function askKept(answers: (line: string) => string | undefined, count = 50) {
		const { clock, turns, connections } = makeTurns({ answers: (line) => answers(line) });
		const asking = { clock, addressPolicy: PUBLIC_ONLY, conversations: turns };
		const prober = { ask: (question: Question) => askHosts(asking, question) };
		const ports = { ...portsOf({ mx1: { a: ['8.8.8.1'] } }, prober), clock };
		const begun = clock.now();
		const addresses = people(count).map(addressOf);
		const results = await clock.run(askAbout(ports, { addresses, class: 'list', deadline: begun + 600_000 }));
		return {
			words: results.map(wordOf),
			writes: connections.map((one) => one.writes),
			ms: clock.now() - begun,
		};
	}
	const rcpts = (writes: readonly string[]): number[] =>
		writes.flatMap((write) => (write.includes('RCPT') ? [write.match(/RCPT/gu)?.length ?? 0] : []));

	test('are asked about in three questions over one connection, in five round trips, and one invented one before them', async () => {
		const { words, writes, ms } = await askKept(() => undefined);
		expect(words).toEqual(people(50).map(truth));
		expect(writes).toHaveLength(1);
		expect(rcpts(writes[0] ?? [])).toEqual([20, 19, 12]);
		const [, first = '', second = ''] = writes[0] ?? [];
		expect(first).toMatch(/^MAIL FROM:<v@us.test> \| RCPT TO:<a{16}@x.test> \| RCPT TO:<good0@x.test>/u);
		expect(second).toMatch(/^RSET \| MAIL FROM:<v@us.test> \| RCPT TO:<good19@x.test>/u);
		// Greeting, EHLO, three groups: the server alone takes time.
		expect(ms).toBe(5 * REPLY_MS);
	});

	test('a server of which nobody tells how many recipients it takes is not asked that again', async () => {
		let taken = 0;
		const { words, writes } = await askKept((line) => {
			if (!line.startsWith('RCPT')) taken = 0;
			else if ((taken += 1) > 5) return '452 4.5.3 Too many recipients';
			return undefined;
		});
		expect(words).toEqual(people(50).map(truth));
		expect(writes.map(rcpts)).toEqual([[20], [5, 5, 5, 5, 5, 5, 4, 5, 5, 2]]);
	});
});

test('what the domain says to an invented one counts for all, whichever connection asked', async () => {
	const { results, seen } = await ask(people(300), { says: () => OK });
	expect(seen.length).toBeGreaterThan(1);
	expect(new Set(results.map(findingOf))).toEqual(new Set(['accepted']));
});

test('a catch-all that hangs up on a listed address is known for one all the same', async () => {
	const { results } = await ask(['good0@x.test', 'bad0@x.test'], {
		says: (recipient) => (recipient.startsWith('bad') ? NO_SUCH_USER : OK),
		closesAfterRefusal: true,
	});
	const [accepted] = results;
	expect(accepted?.kind === 'heard' && accepted.interpretation).toMatchObject({
		target: { kind: 'accepted' },
		invented: 'accepted',
	});
});

test.each([4_000, 9_000])(
	'of a server that takes %i ms for each recipient, nobody is believed before it answered about an invented one',
	async (replyMs) => {
		const deadline = fakeClock().now() + 15_000;
		const { words, results } = await ask(people(12), { says: () => OK, replyMs }, { deadline });
		const answered = results.filter((result) => result !== null);
		expect(answered.map(findingOf)).toEqual(answered.map(() => 'accepted'));
		expect(words.filter((word) => word === 'null').length).toBe(12 - (replyMs === 4_000 ? 2 : 0));
	},
);

describe('a server that stops answering', () => {
	test('about one mailbox takes its time from nobody else', async () => {
		const { words } = await ask(people(10), { silentAbout: new Set(['good4@x.test']) });
		expect(words).toEqual(people(10).map((who, at) => (at === 4 ? 'unknown timeout' : truth(who))));
	});

	test('about everybody is asked about two, and believed for all', async () => {
		const { words, seen } = await ask(people(10), { silentAbout: new Set([RANDOM, ...people(10)]) });
		expect(words).toEqual(people(10).map(() => 'unknown timeout'));
		expect(seen).toHaveLength(2);
	});

	test('about everybody, for longer than there is time: each question has one answer at least', async () => {
		const deadline = fakeClock().now() + 15_000;
		const server = { silentAbout: new Set([RANDOM, ...people(10)]) };
		const { words } = await ask(people(10), server, { deadline });
		expect(words).toEqual(['unknown timeout', ...people(9).map(() => 'null')]);
	});

	test('about the invented recipient alone keeps nobody from an answer', async () => {
		const { words, results } = await ask(mixed(10, 3), { silentAbout: new Set([RANDOM]) });
		expect(words).toEqual(mixed(10, 3).map(truth));
		expect(new Set(results.map(findingOf))).toEqual(new Set(['no_evidence']));
	});

	test('and takes no second connection leaves the others to a later attempt', async () => {
		const { words } = await ask(people(3), { recipientsPerConnection: 2, connectionsMax: 1 });
		expect(words).toEqual(['accepted', 'no_connect', 'no_connect']);
	});

	test('holds nobody beyond the deadline: who was not reached has no result', async () => {
		const { words, elapsedMs } = await ask(
			people(10),
			{ silentAbout: new Set(people(10).slice(2)), recipientsMax: 1 },
			{ deadline: fakeClock().now() + 15_000 },
		);
		expect(words[0]).toBe('accepted');
		expect(words.filter((word) => word === 'null').length).toBeGreaterThan(5);
		expect(elapsedMs).toBeLessThanOrEqual(15_000);
	});
});

test('an answer that names another of the addresses is believed of neither', async () => {
	const { words } = await ask(people(3), {
		says: (recipient) => (recipient === 'good1@x.test' ? '550 5.1.1 <good0@x.test> no such user' : OK),
	});
	expect(words).toEqual(['unknown unavailable_smtp', 'unknown unavailable_smtp', 'accepted']);
});

test('an address may be the end of another one', async () => {
	const list = ['good.ada@x.test', 'ada@x.test', 'bad-ada@x.test'];
	const { words } = await ask(list, {
		says: (recipient) =>
			recipient.startsWith('good') ? `250 <${recipient}> ok` : `550 5.1.1 <${recipient}> no such user`,
	});
	expect(words).toEqual(['accepted', 'rejected rejected_email', 'rejected rejected_email']);
});

const server = fc.record(
	{
		pipelining: fc.boolean(),
		recipientsMax: fc.integer({ min: 1, max: 25 }),
		recipientsPerConnection: fc.integer({ min: 1, max: 40 }),
		errorsMax: fc.integer({ min: 9, max: 12 }),
		resetsMax: fc.integer({ min: 0, max: 12 }),
		closesAfterRefusal: fc.boolean(),
		closesAtReplies: fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 4 }),
		repliesPerRead: fc.integer({ min: 1, max: 30 }),
	},
	{ requiredKeys: [] },
);
const mailbox = fc
	.tuple(fc.constantFrom('good', 'good', 'bad'), fc.integer({ min: 0, max: 500 }))
	.map(([word, number]) => `${word}${number}@x.test`);
const lists = fc.uniqueArray(mailbox, { minLength: 2, maxLength: 60 });

test('whatever limits a server has: nobody gets another answer than the true one, and no limit of ours is passed', async () => {
	await fc.assert(
		fc.asyncProperty(lists, server, async (list, behaviour) => {
			const { words, results, seen, elapsedMs } = await ask(list, behaviour);
			for (const [at, who] of list.entries())
				expect([truth(who), 'unknown unavailable_smtp', 'unknown rate_limited']).toContain(words[at]);
			// A close in the middle is the only thing that may leave somebody without an answer: twice in a row about one.
			if (behaviour.closesAtReplies === undefined) {
				expect(words).toEqual(list.map(truth));
				expect(new Set(results.map(findingOf)).size).toBe(1);
				expect(results.map(findingOf)).not.toContain('accepted');
			}
			// Two of Postfix's penalties a connection at most, and less than a second each.
			expect(elapsedMs).toBeLessThan(20_000);
			for (const { transactions, resets, writes } of seen) {
				expect(resets).toBeLessThanOrEqual(RESETS_MAX);
				for (const { length } of transactions) expect(length).toBeLessThanOrEqual(RECIPIENTS_PER_TRANSACTION);
				expect(writes.filter((write) => write.includes('EHLO'))).toHaveLength(1);
			}
			if (behaviour.pipelining === false)
				for (const { errors } of seen) expect(errors).toBeLessThanOrEqual(REJECTIONS_MAX);
		}),
		{ numRuns: 300 },
	);
});
