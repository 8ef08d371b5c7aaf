import { expect, test } from 'vitest';
import { readStartArguments } from '../../../tools/arguments.ts';

const USUAL = {
	sandbox: {},
	port: 8787,
	persistTo: '.wrangler/state',
	budgets: 'lifted',
	parts: 10,
	wrangler: [],
};
const DOH = ['--var', 'DOH_URL:http://127.0.0.1:1/dns-query'];
const OTHERS = ['--var', 'TRIAL_CREDITS:7', '--log-level', 'info'];

test.each([
	[[], {}],
	[['--parts', '40'], { parts: 40 }],
	[['--parts=1'], { parts: 1 }],
	[['--budgets', 'production'], { budgets: 'production' }],
	[['--live'], { sandbox: null }],
	[['--port', '9000'], { port: 9000 }],
	[['--port=9000', '--persist-to=x'], { port: 9000, persistTo: 'x' }],
	[OTHERS, { wrangler: OTHERS }],
	[DOH, { sandbox: null, wrangler: DOH }],
	[
		['--var=DOH_URL:http://127.0.0.1:1/q'],
		{ sandbox: null, wrangler: ['--var=DOH_URL:http://127.0.0.1:1/q'] },
	],
])('npm start -- %j', (argv, expected) => {
	expect(readStartArguments(argv)).toEqual({ ...USUAL, ...expected });
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
