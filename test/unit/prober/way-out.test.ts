import { describe, expect, test } from 'vitest';
import type { Pace } from '../../../src/core/politeness/pause.ts';
import { failoverRule } from '../../../src/prober/config.ts';
import { sideBySide, wayOutTo } from '../../../src/prober/way-out.ts';
import { NO_MEMORY } from '../../support/unit/fake-standing.ts';

const WHO = { class: 'list', asker: 'acc_1' } as const;
const EGRESSES = ['one', 'two', 'three'] as const;
const REFUSED: Pace = { share: 0.25, isTrying: true };
const SLOWED: Pace = { share: 0.5, isTrying: false };

function egressOf(
	paces: Readonly<Record<string, Pace>>,
	failover: string,
	operator: 'google' | null = 'google',
): string {
	const pace = ({ egress }: { egress: string }): Pace => paces[egress] ?? { share: 1, isTrying: false };
	const dialer = { egressesFor: () => EGRESSES };
	const ports = { dialer, standing: { ...NO_MEMORY, pace }, failover: failoverRule.parse(failover) };
	return wayOutTo(ports, 'mx', operator, { ...WHO, domain: 'x.test', targets: ['ada@x.test'] }).egress;
}

describe('while an operator refuses a source address', () => {
	test('its questions wait', () => {
		expect(egressOf({ one: REFUSED }, 'wait')).toBe('one');
	});

	test('or move on to one with a good standing, where that is wanted', () => {
		expect(egressOf({ one: REFUSED }, 'move')).toBe('two');
		expect(egressOf({ one: REFUSED, two: SLOWED }, 'move')).toBe('three');
		expect(egressOf({ one: REFUSED, two: REFUSED, three: SLOWED }, 'move')).toBe('one');
	});

	test.each([
		['wait,google=move', 'two'],
		['move, google=wait', 'one'],
		['gmx=move', 'one'],
		['gmx=wait,move', 'two'],
	])('%s is asked for by operator: by %s', (rule, egress) => {
		expect(egressOf({ one: REFUSED }, rule)).toBe(egress);
	});

	test.each(['', 'moves', 'nobody=move', 'google=', 'google=move;gmx=move'])('"%s" is no rule', (rule) => {
		expect(failoverRule.safeParse(rule).error?.issues[0]?.message).toContain('has no rule');
	});

	test('not for being slowed, nor away from a host of somebody’s own', () => {
		expect(egressOf({ one: SLOWED }, 'move')).toBe('one');
		expect(egressOf({ one: REFUSED }, 'move', null)).toBe('one');
	});
});

test.each<[string, 'google' | null, string]>([
	['gmail.com', 'google', 'ada@gmail.com'],
	['x.test', 'google', 'x.test'],
	['gmail.com', null, 'gmail.com'],
])('mailboxes of %s at %s go by the way out of %s', (domain, operator, expected) => {
	const keys: string[] = [];
	const dialer = { egressesFor: (key: string) => (keys.push(key), EGRESSES) };
	wayOutTo({ dialer, standing: NO_MEMORY }, 'mx', operator, { ...WHO, domain, targets: [`ada@${domain}`] });
	expect(keys).toEqual([expected]);
});

describe('mailboxes of an operator’s own domain, by several source addresses', () => {
	const dialer = { egressesFor: () => EGRESSES };
	const gmail = { ...WHO, domain: 'gmail.com', targets: ['ada@gmail.com'] };
	const by = (turns: Readonly<Record<string, number>>, refused: readonly string[] = []): string => {
		const pace = ({ egress }: { egress: string }): Pace =>
			refused.includes(egress) ? REFUSED : { share: 1, isTrying: false };
		const turnAt = ({ egress }: { egress: string }): number => turns[egress] ?? 0;
		const ports = { dialer, standing: { ...NO_MEMORY, pace }, turnAt };
		return wayOutTo(ports, 'mx', 'google', gmail).egress;
	};

	test('go by the one whose turn comes first', () => {
		expect(by({ one: 5_000, two: 1_000, three: 2_000 })).toBe('two');
		expect(by({ one: 1_000, two: 1_000, three: 2_000 })).toBe('one');
	});

	test('not by one that is refused; and who would go by that one waits, rather than escape', () => {
		expect(by({ one: 5_000, two: 1_000, three: 2_000 }, ['two'])).toBe('three');
		expect(by({ one: 5_000, two: 1_000, three: 2_000 }, ['one'])).toBe('one');
	});

	test('are asked side by side, no fewer than twenty at a time, each once and in their order', () => {
		const targets = Array.from({ length: 50 }, (_, n) => `ada${n}@gmail.com`);
		const groups = sideBySide({ dialer }, 'google', { domain: 'gmail.com', targets });
		expect(groups.map((group) => group.length)).toEqual([25, 25]);
		expect(groups.flat()).toEqual(targets);
		const many = { domain: 'gmail.com', targets: [...targets, ...targets] };
		expect(sideBySide({ dialer }, 'google', many)).toHaveLength(3);
	});

	test('a customer’s domain, and a host of nobody we know, keep their one way', () => {
		const targets = Array.from({ length: 100 }, (_, n) => `ada${n}@x.test`);
		expect(sideBySide({ dialer }, 'google', { domain: 'x.test', targets })).toEqual([targets]);
		expect(sideBySide({ dialer }, null, { domain: 'gmail.com', targets })).toEqual([targets]);
	});
});
