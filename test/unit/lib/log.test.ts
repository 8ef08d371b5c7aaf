import { afterEach, expect, test, vi } from 'vitest';
import { SAMPLED_SHARE, log, logSampled } from '../../../src/lib/log.ts';

const written = vi.spyOn(console, 'error').mockImplementation(() => {});

afterEach(() => {
	written.mockClear();
});

test('what went wrong is always in the log', () => {
	for (let time = 0; time < 500; time += 1) log('part_failed', { time });
	expect(written).toHaveBeenCalledTimes(500);
	expect(written).toHaveBeenLastCalledWith('{"event":"part_failed","time":499}');
});

test.each([
	[0, 1],
	[SAMPLED_SHARE - 1e-9, 1],
	[SAMPLED_SHARE, 0],
	[0.999_999, 0],
])('what went well is in the log if chance says so: %d → %d lines', (random, lines) => {
	logSampled('request', { status: 200 }, () => random);
	expect(written).toHaveBeenCalledTimes(lines);
});

test('of 10,000 requests a hundred are in the log, and each line says for how many it stands', () => {
	for (let request = 0; request < 10_000; request += 1)
		logSampled('request', {}, () => ((request * 7919) % 10_000) / 10_000);
	expect(written).toHaveBeenCalledTimes(100);
	expect(written).toHaveBeenLastCalledWith('{"event":"request","share":0.01}');
});
