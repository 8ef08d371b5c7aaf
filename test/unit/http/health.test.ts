import { expect, test } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { healthOf } from '../../../src/health.ts';

const works = (): Promise<unknown> => Promise.resolve(null);
const fails = (): Promise<never> => Promise.reject(new Error('SELECT secret FROM users'));
const prober = { check: () => Promise.resolve([]) };
const WELL = { keys: [], database: [], accounts: [], files: [], queues: [], probers: [] };
const config = readConfig({ KEY_SIGNING_SECRET: `1:${'00'.repeat(32)}` });

const stores = {
	directory: { ping: () => Promise.resolve() },
	accounts: () => ({ findJob: works }),
	bucket: { head: works },
	queues: [{ metrics: works }, { metrics: works }],
};

test.each([
	['database', { directory: { ping: fails } }, /^The database/],
	['accounts', { accounts: () => ({ findJob: fails }) }, /^The accounts/],
	['files', { bucket: { head: fails } }, /^The bucket/],
	['queues', { queues: [{ metrics: works }, { metrics: fails }] }, /^The queues/],
] as const)('a service whose %s fail says so, and nothing of why', async (part, broken, said) => {
	expect(await healthOf(config, stores, prober)).toEqual(WELL);
	const health = await healthOf(config, { ...stores, ...broken }, prober);
	expect(health).toEqual({ ...WELL, [part]: [expect.stringMatching(said)] });
	expect(JSON.stringify(health)).not.toContain('secret');
});
