import { describe, expect, test } from 'vitest';
import { questionsMax, unprovenMax } from '../../../src/core/politeness/shares.ts';
import type { Asker, MailHost } from '../../../src/core/politeness/mail-host.ts';
import type { ConversationRequest } from '../../../src/prober/ports.ts';
import { QuestionShares } from '../../../src/prober/question-shares.ts';
import { codeOf, makeLines, REPLY_MS } from '../../support/unit/lines-world.ts';

// What an account's silent hosts cost: that account's time, and nobody else's.

const MOST = unprovenMax('acc', false);

const hostAt = (n: number): Pick<ConversationRequest, 'address' | 'host' | 'operator' | 'domain'> => {
	const name = `mx.n${n}.test`;
	const host: MailHost = { host: name, party: name, egress: 'direct', speaksFor: 'itself' };
	return { address: `192.0.2.${n}`, host, operator: null, domain: `n${n}.test` };
};
const range = (count: number, from = 0): readonly number[] =>
	Array.from({ length: count }, (_, n) => from + n);

/** Hosts of which those below `silentBelow` never say a word after the greeting. */
function makeWorld(silent: (name: string) => boolean, isOut: () => boolean = () => false) {
	const world = makeLines({ answers: (line) => (line.includes('<good-silent') ? '' : undefined), isOut });
	const about = (n: number, asker: Asker, changes: Partial<ConversationRequest> = {}) => {
		const name = silent(String(n)) ? `good-silent${n}` : `good${n}`;
		return world.ask(name, { class: 'list', ...hostAt(n), asker, ...changes });
	};
	return { ...world, about };
}

describe('an account’s silent hosts', () => {
	test('are waited for a few at a time, and it is told when to come back about the others', async () => {
		const { clock, about, counts } = makeWorld(() => true);
		const begun = clock.now();
		const asked = await clock.run(Promise.all(range(200).map((n) => about(n, 'acc'))));
		expect(counts.openMost).toBe(MOST);
		const untils = asked.flatMap((one) => (one.kind === 'busy' ? [one.until] : []));
		expect(untils.length).toBeGreaterThan(100);
		for (const until of untils) expect(until).toBeGreaterThanOrEqual(begun + 5_000);
		expect(new Set(untils).size).toBeGreaterThan(1);
	});

	test('keep no host of another account waiting, nor that account’s callers, nor a visitor', async () => {
		const { clock, about } = makeWorld((n) => Number(n) < 200);
		const silent = range(200).map((n) => about(n, 'acc'));
		const begun = clock.now();
		const others = [
			about(200, 'other'),
			about(201, 'acc', { class: 'single' }),
			about(202, null, { class: 'single' }),
		];
		expect((await clock.run(Promise.all(others))).map(codeOf)).toEqual([250, 250, 250]);
		expect(clock.now() - begun).toBe(3 * REPLY_MS);
		await clock.run(Promise.all(silent));
	});

	test('keep none of its own waiting that answered lately', async () => {
		const { clock, about } = makeWorld((n) => Number(n) < 100);
		expect(codeOf(await clock.run(about(100, 'other')))).toBe(250);
		await clock.run(clock.sleep(20_000));
		const silent = range(100).map((n) => about(n, 'acc'));
		const begun = clock.now();
		expect(codeOf(await clock.run(about(100, 'acc')))).toBe(250);
		expect(clock.now() - begun).toBe(3 * REPLY_MS);
		await clock.run(Promise.all(silent));
	});
});

test('a host that answers stays known for it while our own ways out are down', async () => {
	const out = { isOut: false };
	const { clock, about } = makeWorld(
		(n) => Number(n) < 100,
		() => out.isOut,
	);
	await clock.run(about(100, 'other'));
	await clock.run(clock.sleep(20_000));
	out.isOut = true;
	await expect(clock.run(about(100, 'other'))).rejects.toThrow('all are out');
	out.isOut = false;
	const silent = range(100).map((n) => about(n, 'acc'));
	const begun = clock.now();
	expect(codeOf(await clock.run(about(100, 'acc')))).toBe(250);
	expect(clock.now() - begun).toBe(3 * REPLY_MS);
	await clock.run(Promise.all(silent));
});

test('a list of hosts that all answer is told to come back by none of them, and has all places', async () => {
	const { clock, about, counts } = makeWorld(() => false);
	const asked = await clock.run(Promise.all(range(120).map((n) => about(n, 'acc'))));
	expect(asked.map(codeOf)).toEqual(range(120).map(() => 250));
	expect(counts.openMost).toBeGreaterThanOrEqual(MOST);
});

test.each<[Asker, 'single' | 'small' | 'list']>([
	['acc', 'single'],
	['acc', 'list'],
	[null, 'single'],
])('questions of %s, %s, have a share of the prober, and no more', (asker, urgency) => {
	const shares = new QuestionShares();
	const most = questionsMax(asker, urgency === 'single');
	const left = range(most).map(() => shares.enter({ asker, class: urgency }));
	expect(left).not.toContain(null);
	expect(shares.enter({ asker, class: urgency })).toBeNull();
	expect(shares.enter({ asker: 'other', class: urgency })).not.toBeNull();
	left[0]?.();
	expect(shares.enter({ asker, class: urgency })).not.toBeNull();
});

test('an account’s lists leave its callers their share', () => {
	const shares = new QuestionShares();
	for (let n = 0; n < questionsMax('acc', false); n += 1) shares.enter({ asker: 'acc', class: 'list' });
	expect(shares.enter({ asker: 'acc', class: 'small' })).toBeNull();
	expect(shares.enter({ asker: 'acc', class: 'single' })).not.toBeNull();
});
