import type { Mock } from 'vitest';
import { afterEach, expect, test, vi } from 'vitest';
import { SAMPLED_SHARE, log, logSampled } from '../../../src/lib/log.ts';

const [errors, warnings, infos] = (['error', 'warn', 'info'] as const).map((level) =>
	vi.spyOn(console, level).mockImplementation(() => {}),
) as [Mock, Mock, Mock];

afterEach(() => {
	for (const written of [errors, warnings, infos]) written.mockClear();
});

test('what went wrong is always in the log', () => {
	for (let time = 0; time < 500; time += 1) log('part_failed', { time });
	expect(errors).toHaveBeenCalledTimes(500);
	expect(errors).toHaveBeenLastCalledWith('{"event":"part_failed","level":"error","time":499}');
});

test.each([
	['a failure', () => log('part_failed', {}), [1, 0, 0], 'error'],
	['a failure that mends itself', () => log('parts_not_sent', {}, 'warn'), [0, 1, 0], 'warn'],
	['a daily report', () => log('audited', {}, 'info'), [0, 0, 1], 'info'],
	['a request', () => logSampled('request', { status: 200 }, () => 0), [0, 0, 1], 'info'],
] as const)('%s is written at its level, which the line names', (_, write, times, level) => {
	write();
	const calls = [errors, warnings, infos].map(({ mock }) => mock.calls);
	expect(calls.map(({ length }) => length)).toEqual(times);
	expect(JSON.parse(String(calls.flat(2)[0]))).toMatchObject({ level });
});

test.each([
	[0, 1],
	[SAMPLED_SHARE - 1e-9, 1],
	[SAMPLED_SHARE, 0],
	[0.999_999, 0],
])('what went well is in the log if chance says so: %d → %d lines', (random, lines) => {
	logSampled('request', { status: 200 }, () => random);
	expect(infos).toHaveBeenCalledTimes(lines);
});
