import { describe, expect, test } from 'vitest';
import { budgetOf } from '../../../src/core/politeness/budgets.ts';
import { nameOfMachine, networkAt } from '../../../src/core/politeness/mail-host.ts';
import type { MailHost } from '../../../src/core/politeness/mail-host.ts';
import type { ConversationRequest } from '../../../src/prober/ports.ts';
import { codeOf, makeLines } from '../../support/unit/lines-world.ts';

// A mail host that is nobody's we know: what it bears is counted for the machine, whoever asks, for whatever domains and
// by whatever names.

const OTHER = budgetOf(null);
const MINUTE = 60_000;

function hostNamed(name: string): Pick<ConversationRequest, 'host' | 'operator' | 'domain'> {
	const host: MailHost = { host: name, party: name, egress: 'direct', speaksFor: 'itself' };
	return { host, operator: null, domain: name.slice(3) };
}

describe('a machine of nobody we know', () => {
	test('hears no more recipients a minute, of a hundred accounts, domains and names together, than the table allows', async () => {
		const recipients: number[] = [];
		const connections: number[] = [];
		const world = makeLines(
			{
				answers: (line) => {
					if (line.startsWith('EHLO')) connections.push(world.clock.now());
					if (line.startsWith('RCPT')) recipients.push(world.clock.now());
					return undefined;
				},
			},
			{},
			OTHER,
		);
		const { clock, ask, counts } = world;
		const end = clock.now() + 5 * MINUTE;
		const customer = async (n: number): Promise<void> => {
			for (let asked = 0; asked < 6 && clock.now() < end;) {
				const at = hostNamed(`mx.n${n}.test`);
				const asking = { ...at, asker: `acc_${n}`, class: 'list', deadline: clock.now() + 30_000 } as const;
				const conversed = await ask(`good${n}x${asked}`, asking);
				if (conversed.kind === 'held') asked += 1;
				else if (conversed.kind === 'busy') await clock.sleep(Math.max(1, conversed.until - clock.now()));
			}
		};
		await clock.run(Promise.all(Array.from({ length: 100 }, (_, n) => customer(n))));
		const most = (of: readonly number[]): number =>
			Math.max(...of.map((at) => of.filter((other) => other > at - MINUTE && other <= at).length));
		expect(counts.openMost).toBeLessThanOrEqual(OTHER.connections);
		expect(most(connections)).toBeLessThanOrEqual(OTHER.connectionsPerMinute);
		expect(most(recipients)).toBeLessThanOrEqual(OTHER.recipientsPerMinute);
		// And it is asked, all the same.
		expect(recipients.length).toBeGreaterThan(OTHER.recipientsPerMinute * 3);
	});

	test('is the address that is dialled, whatever other addresses its name has', async () => {
		const recipients: string[] = [];
		const { clock, ask } = makeLines(
			{ answers: (line) => (line.startsWith('RCPT') && recipients.push(line), undefined) },
			{},
			OTHER,
		);
		const until = clock.now() + MINUTE;
		const attacker = async (n: number): Promise<void> => {
			while (clock.now() < until) {
				const of = { ...hostNamed(`mx.n${n}.test`), address: '198.51.100.7', asker: `acc_${n}` };
				const held = await ask(`good${n}`, { ...of, class: 'list', deadline: clock.now() + 30_000 });
				if (held.kind === 'busy') await clock.sleep(Math.max(1, held.until - clock.now()));
			}
		};
		await clock.run(Promise.all(Array.from({ length: 46 }, (_, n) => attacker(n))));
		expect(recipients.length).toBeLessThanOrEqual(2 * OTHER.recipientsPerMinute);
	});

	test('is the operator’s that was met at its address, by whatever name it is asked', async () => {
		const { clock, lines, ask } = makeLines();
		const address = '192.0.2.40';
		await clock.run(ask('good1', { address }));
		await clock.run(ask('good2', { ...hostNamed('mx.attacker.test'), address }));
		await clock.run(ask('good3', { ...hostNamed('mx.other.test'), address: '192.0.2.41' }));
		expect(lines.overview().map(({ operator }) => operator)).toEqual(['zoho', null]);
	});

	test('has a network, which is asked no more than four machines are', async () => {
		const recipients: string[] = [];
		const { clock, ask } = makeLines(
			{ answers: (line) => (line.startsWith('RCPT') && recipients.push(line), undefined) },
			{},
			OTHER,
		);
		const asked = Array.from({ length: 200 }, (_, n) =>
			ask(`good${n}`, { ...hostNamed(`mx.n${n}.test`), address: `198.51.100.${n}`, class: 'list' }),
		);
		await clock.run(Promise.all(asked));
		expect(recipients.length).toBeLessThanOrEqual(4 * OTHER.connectionsPerMinute);
		expect(recipients.length).toBeGreaterThan(0);
	});

	test('that refused us by one of its names is tried with one question by that name', async () => {
		const { clock, ask, counts } = makeLines(
			{},
			{ pace: () => ({ share: 1, isTrying: true }) },
			{ ...OTHER, connections: 4 },
		);
		const names = ['good0', 'good1', 'good2', 'good3'];
		const asked = names.map((name) => ask(name, { ...hostNamed(`mx.n.test`), asker: name }));
		expect((await clock.run(Promise.all(asked))).map(codeOf)).toEqual(names.map(() => 250));
		expect(counts.openMost).toBe(1);
	});

	test.each([
		['anywhere in its network of 64 bits', '2001:db8::1', '2001:db8::ffff', true, true],
		['and not beyond', '2001:db8::1', '2001:db8:0:1::1', false, true],
		['and no other one', '192.0.2.7', '192.0.2.8', false, true],
		['nor of another network', '192.0.2.7', '192.0.3.7', false, false],
		['nor of another network of 48 bits', '2001:db8::1', '2001:db8:1::1', false, false],
	])('is the same %s', (_, one, other, isMachine, isNetwork) => {
		expect(nameOfMachine(one, 'direct') === nameOfMachine(other, 'direct')).toBe(isMachine);
		expect(networkAt(one) === networkAt(other)).toBe(isNetwork);
	});
});
