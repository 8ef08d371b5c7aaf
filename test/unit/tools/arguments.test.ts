import { expect, test } from 'vitest';
import { readStartArguments } from '../../../tools/arguments.ts';

test.each([
	[[], { live: false, port: 8787, persistTo: '.wrangler/state', budgets: 'lifted', parts: 10, wrangler: [] }],
	[
		['--parts', '40'],
		{ live: false, port: 8787, persistTo: '.wrangler/state', budgets: 'lifted', parts: 40, wrangler: [] },
	],
	[
		['--parts=1'],
		{ live: false, port: 8787, persistTo: '.wrangler/state', budgets: 'lifted', parts: 1, wrangler: [] },
	],
	[
		['--budgets', 'production'],
		{ live: false, port: 8787, persistTo: '.wrangler/state', budgets: 'production', parts: 10, wrangler: [] },
	],
	[
		['--live'],
		{ live: true, port: 8787, persistTo: '.wrangler/state', budgets: 'lifted', parts: 10, wrangler: [] },
	],
	[
		['--port', '9000'],
		{ live: false, port: 9000, persistTo: '.wrangler/state', budgets: 'lifted', parts: 10, wrangler: [] },
	],
	[
		['--port=9000', '--persist-to=x'],
		{ live: false, port: 9000, persistTo: 'x', budgets: 'lifted', parts: 10, wrangler: [] },
	],
	[
		['--var', 'TRIAL_CREDITS:7', '--log-level', 'info'],
		{
			live: false,
			port: 8787,
			persistTo: '.wrangler/state',
			budgets: 'lifted',
			parts: 10,
			wrangler: ['--var', 'TRIAL_CREDITS:7', '--log-level', 'info'],
		},
	],
	[
		['--var', 'DOH_URL:http://127.0.0.1:1/dns-query'],
		{
			live: true,
			port: 8787,
			persistTo: '.wrangler/state',
			budgets: 'lifted',
			parts: 10,
			wrangler: ['--var', 'DOH_URL:http://127.0.0.1:1/dns-query'],
		},
	],
	[
		['--var=DOH_URL:http://127.0.0.1:1/q'],
		{
			live: true,
			port: 8787,
			persistTo: '.wrangler/state',
			budgets: 'lifted',
			parts: 10,
			wrangler: ['--var=DOH_URL:http://127.0.0.1:1/q'],
		},
	],
])('npm start -- %j', (argv, expected) => {
	expect(readStartArguments(argv)).toEqual(expected);
});

test.each([
	[['--port', 'x']],
	[['--port']],
	[['--port', '70000']],
	[['--persist-to', '']],
	[['--parts', '0']],
	[['--parts', '101']],
	[['--parts', 'x']],
	[['--parts']],
	[['--budgets', 'none']],
	[['--budgets']],
])('%j is refused with a reason', (argv) => {
	expect(() => readStartArguments(argv)).toThrow(/--(port|persist-to|parts|budgets)/);
});
