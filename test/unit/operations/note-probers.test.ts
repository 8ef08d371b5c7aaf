import { expect, test } from 'vitest';
import { noteProbers } from '../../../src/operations/probers/probers.ts';
import type { SeenProber } from '../../../src/operations/probers/probers.ts';
import type { WireState } from '../../../src/wire/prober-state.ts';
import { AT_WORK } from '../../support/unit/prober-state.ts';

const paused = (operator: string, only: string | null = null): WireState['paused'][number] => ({
	egress: 'direct',
	operator,
	only,
	why: 'rate',
	until: 60_000,
});

async function noted(seen: readonly SeenProber[]): Promise<readonly (readonly [string, object])[]> {
	const points: (readonly [string, object])[] = [];
	const metrics = { note: (metric: string, point: object) => void points.push([metric, point]) };
	await noteProbers({
		probers: { states: () => Promise.resolve(seen), askers: () => Promise.resolve([]) },
		metrics,
	});
	return points;
}

test.each<[string, SeenProber]>([
	['draining', { prober: 'p1', state: { ...AT_WORK, draining: true } }],
	['disk_fails', { prober: 'p1', state: { ...AT_WORK, stateFails: true } }],
	['works', { prober: 'p1', state: AT_WORK }],
	['refuses_token', { prober: 'p1', silent: 'refuses_token' }],
])('a prober is noted with its figures and a word for how it is: %s', async (word, seen) => {
	const [connections, waiting] = 'state' in seen ? [3, 7] : [0, 0];
	expect(await noted([seen])).toEqual([
		['prober_state', { prober: 'p1', state: word, connections, waiting, pauses: 0 }],
	]);
});

test('an operator’s pause has its name, a customer’s own mail host has none, and what holds back one account is left out', async () => {
	const state = {
		...AT_WORK,
		paused: [paused('google'), paused('google'), paused('mx.customer.example'), paused('google', 'acc_1')],
	};
	const [own, ...pauses] = await noted([{ prober: 'p1', state }]);
	expect(own?.[1]).toMatchObject({ pauses: 3 });
	expect(pauses).toEqual([
		['operator_pause', { prober: 'p1', operator: 'google', why: 'rate', count: 2 }],
		['operator_pause', { prober: 'p1', operator: 'other', why: 'rate', count: 1 }],
	]);
});
