import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ServiceError } from '../../src/errors.ts';
import { jobWorld } from '../support/job-world.ts';
import type { JobWorld, MailWorld } from '../support/job-world.ts';

// Our own means fail here and there: what was answered stays answered, and only who was not asked is asked again.

const MINUTE_MS = 60_000;

// What fails on purpose is logged.
beforeEach(() => {
	vi.spyOn(console, 'error').mockImplementation(() => {});
});

/** One address at each of so many domains. */
const listOf = (domains: number): string[] =>
	Array.from({ length: domains }, (_, n) => `ada@d${String(n).padStart(4, '0')}.test`);

/** The same for the same text: a fault that a test can be run again with. */
function chance(text: string): number {
	let hash = 0x811c9dc5;
	for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
	hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

const noConnection = (): never => {
	throw new ServiceError('upstream_unavailable', 'No outgoing connection for mail is available');
};

const asks = (world: JobWorld): number[] => [...world.asked.values()];
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

describe('one connection in fifty that our way out fails at', () => {
	const MAIL: MailWorld = (email, nth) =>
		chance(`${email} ${nth}`) < 0.02 ? noConnection() : 'accepted_email';

	test('costs one in fifty questions more, and minutes at most', async () => {
		const emails = listOf(1_000);
		const world = await jobWorld(1_000, MAIL);
		const { jobId } = await world.submit(emails);
		const begun = world.clock.now;
		const job = await world.finish(jobId);
		expect(new Set(await world.expectExact(jobId, emails))).toEqual(new Set(['accepted_email']));
		expect(Math.max(...asks(world))).toBeLessThanOrEqual(4);
		expect(sum(asks(world))).toBeLessThan(1_000 * 1.05);
		expect((job.completedAt ?? Infinity) - begun).toBeLessThanOrEqual(3 * MINUTE_MS);
	}, 60_000);
});
