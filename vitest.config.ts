import { join } from 'node:path';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';
import { TEST_MS, WAIT_MS } from './test/support/patience.ts';
import { fill, FOLDER } from './tools/build.ts';
import { buildSite } from './tools/site.ts';

// Scenarios whose outages last minutes. Tests of parts of the Worker hold each of their promises in less time.
const LONG = ['memory', 'outages', 'real-servers', 'slow', 'soak'].map(
	(name) => `test/scenario/${name}.test.ts`,
);
const VIRTUAL_DAY = 'test/unit/jobs/virtual-day.test.ts';
const GO_CLIENT = 'test/contract/go-client.test.ts';

// The same limits everywhere: they only end what hangs. An account may be asked 300 times in a window.
const patience = {
	testTimeout: TEST_MS,
	hookTimeout: TEST_MS,
	expect: { poll: { timeout: WAIT_MS, interval: 500 } },
};

/** As in tools/build.ts: the names of the files that are uploaded beside the Worker. */
export const site = {
	name: 'site',
	enforce: 'pre',
	resolveId: (id: string) => (id === 'built:site' ? '\0built:site' : null),
	load: (id: string) => (id === '\0built:site' ? buildSite().module : null),
} as const;

// What a quick run leaves out: large files, thousands of cases, the tools of others. They take most of the time.
const SLOW_UNITS = [
	'catchall/{judge.properties,list/list-facts}',
	'client/cli-lists',
	'{fuzz,openapi/linters,supply/supply}',
	'deployment/command',
	'{jobs/part-rows,operations/jobs/download-results}',
	'security/readers',
	'upload/{inspect,workbook}',
].map((name) => `test/unit/${name}.test.ts`);

// The projects: pure code in Node; parts of the Worker in workerd; the prober's sockets in Node; the HTTP contract, the
// client with its command line and the pages in a browser against one `wrangler dev`; whole scenarios, which start
// their own. Servers for DNS, SOCKS5 and SMTP are real, on loopback. `long` is what takes too long for every commit.
export default defineConfig({
	test: {
		reporters: ['default', './test/support/summary-reporter.ts'],
		teardownTimeout: WAIT_MS,
		projects: [
			// Pure code keeps no state between files, so they may share a worker.
			{
				plugins: [site],
				test: {
					...patience,
					name: 'unit',
					include: ['test/{unit,golden}/**/*.test.{ts,tsx}'],
					exclude: [VIRTUAL_DAY, ...(process.env['QUICK'] === 'yes' ? SLOW_UNITS : [])],
					environment: 'node',
					isolate: false,
					maxWorkers: 2,
					sequence: { groupOrder: 1 },
				},
			},
			{
				plugins: [
					site,
					cloudflareTest(async ({ inject }) => {
						fill(join(FOLDER, 'site'), buildSite().files);
						return {
							main: './src/index.ts',
							wrangler: { configPath: './wrangler.toml' },
							miniflare: {
								bindings: {
									TEST_MIGRATIONS: await readD1Migrations(join(import.meta.dirname, 'migrations')),
									...inject('workerBindings'),
								},
							},
						};
					}),
				],
				// As in tools/build.ts.
				resolve: { alias: { '../locales/index.js': 'zod/v4/locales/en.js' } },
				test: {
					...patience,
					name: 'worker',
					isolate: false,
					// Each of the two has a workerd, which runs its files one after the other.
					maxWorkers: 2,
					sequence: { groupOrder: 2 },
					include: ['test/worker/**/*.test.ts'],
					globalSetup: ['./test/support/worker-setup.ts'],
					setupFiles: ['./test/support/apply-migrations.ts'],
				},
			},
			{
				test: {
					...patience,
					name: 'prober',
					include: ['test/prober/**/*.test.ts'],
					environment: 'node',
					// The files wait for sockets more than they work.
					maxWorkers: 4,
					sequence: { groupOrder: 5 },
				},
			},
			{
				plugins: [site],
				test: {
					...patience,
					name: 'contract',
					include: ['test/{contract,client,browser}/**/*.test.ts'],
					exclude: [GO_CLIENT],
					globalSetup: ['./test/support/service-setup.ts', './test/support/client-setup.ts'],
					environment: 'node',
					// The files share a worker, since each would take seconds to read what all need.
					isolate: false,
					// They wait for the one service more than they work.
					maxWorkers: 4,
					sequence: { groupOrder: 6 },
				},
			},
			{
				test: {
					...patience,
					name: 'scenario',
					include: ['test/scenario/**/*.test.ts'],
					exclude: LONG,
					environment: 'node',
					// Each file starts a service of its own.
					maxWorkers: 2,
					sequence: { groupOrder: 3 },
				},
			},
			{
				plugins: [site],
				test: {
					...patience,
					name: 'long',
					// The last do more of the same here: every language of the examples and every width of the
					// pages.
					include: [
						...LONG,
						GO_CLIENT,
						VIRTUAL_DAY,
						'test/contract/samples.test.ts',
						'test/browser/looks.test.ts',
					],
					globalSetup: ['./test/support/service-setup.ts'],
					environment: 'node',
					fileParallelism: false,
					sequence: { groupOrder: 4 },
				},
			},
		],
	},
});
