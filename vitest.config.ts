import path from 'node:path';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';

// Seven projects: pure code in Node; parts of the Worker in workerd; the prober's sockets in Node; the HTTP contract, the
// client with its command line, the pages in a browser and whole scenarios against a real `wrangler dev`, with real servers for DNS, SOCKS5 and SMTP on
// loopback.
export default defineConfig({
	test: {
		reporters: ['default', './test/support/summary-reporter.ts'],
		projects: [
			// Pure code keeps no state between files, so they may share a worker.
			{
				test: {
					name: 'unit',
					include: ['test/unit/**/*.test.{ts,tsx}'],
					environment: 'node',
					isolate: false,
					// Properties try hundreds of cases, also on a machine that is busy with something else.
					testTimeout: 30_000,
				},
			},
			{
				plugins: [
					cloudflareTest(async ({ inject }) => ({
						wrangler: { configPath: './wrangler.toml' },
						miniflare: {
							bindings: {
								TEST_MIGRATIONS: await readD1Migrations(path.join(import.meta.dirname, 'migrations')),
								...inject('workerBindings'),
							},
						},
					})),
				],
				// As in wrangler.toml.
				resolve: { alias: { '../locales/index.js': 'zod/v4/locales/en.js' } },
				test: {
					name: 'worker',
					isolate: false,
					// Whole jobs run in some of them.
					testTimeout: 30_000,
					include: ['test/worker/**/*.test.ts'],
					globalSetup: ['./test/support/worker-setup.ts'],
					setupFiles: ['./test/support/apply-migrations.ts'],
				},
			},
			{
				test: {
					name: 'prober',
					include: ['test/prober/**/*.test.ts'],
					environment: 'node',
					testTimeout: 30_000,
				},
			},
			{
				test: {
					name: 'contract',
					include: ['test/contract/**/*.test.ts'],
					globalSetup: ['./test/support/service-setup.ts'],
					environment: 'node',
					testTimeout: 30_000,
					hookTimeout: 60_000,
				},
			},
			{
				test: {
					name: 'client',
					include: ['test/client/**/*.test.ts'],
					globalSetup: ['./test/support/service-setup.ts', './test/support/client-setup.ts'],
					environment: 'node',
					testTimeout: 30_000,
					hookTimeout: 60_000,
				},
			},
			{
				test: {
					name: 'browser',
					include: ['test/browser/**/*.test.ts'],
					globalSetup: ['./test/support/service-setup.ts'],
					environment: 'node',
					testTimeout: 90_000,
					hookTimeout: 60_000,
					// One browser at a time, and after the other projects: pages are measured by what a person waits for.
					fileParallelism: false,
					sequence: { groupOrder: 1 },
				},
			},
			{
				test: {
					name: 'scenario',
					include: ['test/scenario/**/*.test.ts'],
					environment: 'node',
					testTimeout: 90_000,
					hookTimeout: 90_000,
					// Each file starts a service of its own.
					fileParallelism: false,
				},
			},
		],
	},
});
