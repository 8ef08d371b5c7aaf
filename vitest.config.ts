import path from 'node:path';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';
import { TEST_MS, WAIT_MS } from './test/support/patience.ts';

// The same limits everywhere: they only end what hangs.
const patience = { testTimeout: TEST_MS, hookTimeout: TEST_MS, expect: { poll: { timeout: WAIT_MS } } };

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
					...patience,
					name: 'unit',
					include: ['test/unit/**/*.test.{ts,tsx}'],
					environment: 'node',
					isolate: false,
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
					...patience,
					name: 'worker',
					isolate: false,
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
				},
			},
			{
				test: {
					...patience,
					name: 'contract',
					include: ['test/contract/**/*.test.ts'],
					globalSetup: ['./test/support/service-setup.ts'],
					environment: 'node',
				},
			},
			{
				test: {
					...patience,
					name: 'client',
					include: ['test/client/**/*.test.ts'],
					globalSetup: ['./test/support/service-setup.ts', './test/support/client-setup.ts'],
					environment: 'node',
				},
			},
			{
				test: {
					...patience,
					name: 'browser',
					include: ['test/browser/**/*.test.ts'],
					globalSetup: ['./test/support/service-setup.ts'],
					environment: 'node',
					// One browser at a time, and after the other projects: pages are measured by what a person waits for.
					fileParallelism: false,
					sequence: { groupOrder: 1 },
				},
			},
			{
				test: {
					...patience,
					name: 'scenario',
					include: ['test/scenario/**/*.test.ts'],
					environment: 'node',
					// Each file starts a service of its own.
					fileParallelism: false,
				},
			},
		],
	},
});
