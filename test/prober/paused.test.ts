import { expect, test } from 'vitest';
import { domainName, gateName, readName } from '../../src/core/turns/names.ts';
import { UNBLEMISHED } from '../../src/core/turns/pause.ts';
import { pausedParties } from '../../src/prober/report.ts';
import { PAUSED_MAX } from '../../src/wire/prober-state.ts';

const NOW = 1_000_000;
const pausedUntil = (until: number) => ({
	...UNBLEMISHED,
	pause: { until, why: 'rate_limited' as const },
});
const GOOGLE = gateName('google', 'direct://192.0.2.1');

test('the names under which standings are kept can be read again', () => {
	const egress = 'direct://192.0.2.1';
	expect(readName(GOOGLE)).toEqual({ operator: 'google', only: null, egress });
	expect(readName(domainName('x.test', GOOGLE))).toEqual({
		operator: 'google',
		only: 'x.test',
		egress,
	});
	expect(readName('something else')).toBeNull();
});

test('what holds everybody up is told first, then the longest pauses, and only what is in force', () => {
	const standings = [
		{ name: domainName('x.test', GOOGLE), standing: pausedUntil(NOW + 90) },
		{ name: 'mx.a.test by direct', standing: pausedUntil(NOW + 10) },
		{ name: 'mx.b.test by direct', standing: pausedUntil(NOW + 20) },
		{ name: 'mx.over.test by direct', standing: pausedUntil(NOW) },
		{ name: 'mx.suspect.test by direct', standing: { ...pausedUntil(0), pause: null } },
	];
	expect(pausedParties(standings, NOW).map(({ operator }) => operator)).toEqual([
		'mx.b.test',
		'mx.a.test',
		'google',
	]);
});

test('there are never more than a message holds', () => {
	const many = Array.from({ length: PAUSED_MAX + 1 }, (_, n) => ({
		name: `mx${n}.test by direct`,
		standing: pausedUntil(NOW + 1),
	}));
	expect(pausedParties(many, NOW)).toHaveLength(PAUSED_MAX);
});
