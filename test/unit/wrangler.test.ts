import { readFileSync } from 'node:fs';
import path from 'node:path';
import { unstable_readConfig as readConfig } from 'wrangler';
import type { Unstable_Config as Config } from 'wrangler';
import { describe, expect, test } from 'vitest';

// What is deployed beside the code, as Wrangler reads it: each environment for itself.

const ROOT = path.join(import.meta.dirname, '../..');
const ENVIRONMENTS = ['local', 'staging', 'production'] as const;
type Environment = (typeof ENVIRONMENTS)[number];
const DEPLOYED = ['staging', 'production'] as const;

function configOf(environment: Environment): Config {
	const env = environment === 'local' ? {} : { env: environment };
	return readConfig({ config: path.join(ROOT, 'wrangler.toml'), ...env }, { hideWarnings: true });
}

/** What a binding leads to: `kind binding` → the name of the thing. */
function boundIn(config: Config): Readonly<Record<string, string>> {
	const bound = [
		...config.d1_databases.map((one) => [`database ${one.binding}`, one.database_name]),
		...config.r2_buckets.map((one) => [`bucket ${one.binding}`, one.bucket_name]),
		...(config.queues.producers ?? []).map((one) => [`queue ${one.binding}`, one.queue]),
		// The name of a table in SQL, which has no hyphens.
		...config.analytics_engine_datasets.map((one) => [
			`dataset ${one.binding}`,
			one.dataset?.replaceAll('_', '-'),
		]),
	];
	return Object.fromEntries(bound) as Record<string, string>;
}

/** The bindings that lead to nothing with a name of its own. */
function namelessIn(config: Config): readonly string[] {
	return [
		...config.durable_objects.bindings.map((one) => `object ${one.name} ${one.class_name}`),
		...config.send_email.map((one) => `mail ${one.name}`),
		`version ${config.version_metadata?.binding}`,
	];
}

test.each(ENVIRONMENTS)(
	'what the Worker fetches in %s, it fetches as anybody would: strangers’ addresses lead into no zone of ours',
	(environment) => {
		expect(configOf(environment).compatibility_flags).toContain('global_fetch_strictly_public');
	},
);

describe('environments', () => {
	test('are the ones that can be deployed, and this machine’s', () => {
		expect(configOf('local').definedEnvironments?.toSorted()).toEqual([...DEPLOYED].toSorted());
	});

	test('share no database, bucket, queue or Worker', () => {
		const names = ENVIRONMENTS.flatMap((environment) => {
			const config = configOf(environment);
			const bound = Object.entries(boundIn(config)).map(([key, name]) => `${key.split(' ')[0]} ${name}`);
			return [`worker ${config.name}`, ...bound];
		});
		expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
	});

	test.each(DEPLOYED)('%s has all that this machine has, under names of its own', (environment) => {
		const [here, there] = [configOf('local'), configOf(environment)];
		expect(Object.keys(boundIn(there))).toEqual(Object.keys(boundIn(here)));
		expect(namelessIn(there)).toEqual(namelessIn(here));
		// A queue’s name is the Worker’s and its role.
		const role = (config: Config, name: string): string => name.slice(String(config.name).length);
		expect(Object.entries(boundIn(there)).map(([key, name]) => [key, role(there, name)])).toEqual(
			Object.entries(boundIn(here)).map(([key, name]) => [key, role(here, name)]),
		);
		const consumers = (config: Config) =>
			config.queues.consumers?.map((one) => ({ ...one, queue: role(config, one.queue) }));
		expect(consumers(there)).toEqual(consumers(here));
	});

	test.each(ENVIRONMENTS)('every queue of %s is made by the deploy: somebody sends to it', (environment) => {
		const { queues } = configOf(environment);
		const made = queues.producers?.map((one) => one.queue) ?? [];
		const used = queues.consumers?.map((one) => one.queue) ?? [];
		expect(used.length).toBeGreaterThan(0);
		expect(used.filter((name) => !made.includes(name))).toEqual([]);
	});

	test('no list of bindings is forgotten: what one environment has beside the rest, all have', () => {
		const filled = (config: Config): readonly string[] =>
			Object.entries(config)
				.filter(([, value]) => Array.isArray(value) && value.length > 0)
				.map(([key]) => key)
				.filter((key) => key !== 'routes');
		for (const environment of DEPLOYED)
			expect(filled(configOf(environment))).toEqual(filled(configOf('local')));
	});

	test.each(DEPLOYED)('%s has one door, which its routes name', (environment) => {
		const { workers_dev: workersDev, preview_urls: previews } = configOf(environment);
		expect([workersDev, previews]).toEqual([false, false]);
	});
});

test('a cron that the Worker does not know by name is the nightly one, and there is one of it', () => {
	const source = readFileSync(path.join(ROOT, 'src/index.ts'), 'utf8');
	const crons = configOf('production').triggers.crons ?? [];
	const named = crons.filter((cron) => source.includes(`= '${cron}';`));
	expect(named.length).toBe(crons.length - 1);
});

test.each(ENVIRONMENTS)(
	'the log of %s holds our own lines alone: no URL with an address or a token, and no header with a key',
	(environment) => {
		const { observability } = configOf(environment);
		expect(observability).toMatchObject({ enabled: true, logs: { enabled: true, invocation_logs: false } });
		expect(observability?.traces?.enabled ?? false).toBe(false);
		// The platform would drop errors with the rest, so it leaves out nothing.
		for (const { head_sampling_rate: rate = 1 } of [observability ?? {}, observability?.logs ?? {}])
			expect(rate).toBe(1);
	},
);
