import { globSync } from 'node:fs';

/** A process of a run: one of the checks, or some of the tests. */
export interface Part {
	readonly name: string;
	readonly kind: 'check' | 'tests';
	readonly program: string;
	readonly args: readonly string[];
	/** Its duration on two idle cores. Only the order of the parts depends on it. */
	readonly seconds: number;
}

export type RunName = 'all' | 'quick' | 'bare';

// The slowest files; others take a few seconds.
const SECONDS: Readonly<Record<string, number>> = {
	'test/contract/catchall-results.test.ts': 31,
	'test/contract/catchall.test.ts': 26,
	'test/contract/people-sign-in.test.ts': 32,
	'test/contract/verify-catchall.test.ts': 21,
	'test/contract/one-answer.test.ts': 25,
	'test/contract/public-pages.test.ts': 12,
	'test/contract/webhooks.test.ts': 25,
	'test/contract/rate-limits.test.ts': 17,
	'test/contract/verify.test.ts': 17,
	'test/contract/idempotency.test.ts': 15,
	'test/contract/catchall-idempotency.test.ts': 14,
	'test/contract/feedback.test.ts': 17,
	'test/contract/jobs.test.ts': 13,
	'test/contract/rescue.test.ts': 10,
	'test/contract/verify-idempotency.test.ts': 8,
	'test/contract/jobs-manage.test.ts': 20,
	'test/contract/list-report.test.ts': 15,
	'test/contract/people-settings.test.ts': 10,
	'test/contract/payments.test.ts': 13,
	'test/contract/people-two-factor.test.ts': 15,
	'test/contract/people-address.test.ts': 12,
	'test/contract/samples.test.ts': 50,
	'test/worker/restore-account.test.ts': 20,
	'test/scenario/bad-input.test.ts': 35,
	'test/scenario/bulk-crash.test.ts': 70,
	'test/scenario/bulk-slow.test.ts': 60,
	'test/scenario/crash.test.ts': 35,
	'test/scenario/forgotten.test.ts': 25,
	'test/scenario/gateway-tasks.test.ts': 45,
	'test/scenario/gateways.test.ts': 35,
	'test/scenario/lying-resolver.test.ts': 28,
	'test/scenario/memory.test.ts': 60,
	'test/scenario/nothing-leaks.test.ts': 20,
	'test/scenario/odd-probers.test.ts': 45,
	'test/scenario/start.test.ts': 60,
	'test/scenario/giants.test.ts': 110,
	'test/scenario/probers.test.ts': 30,
	'test/scenario/silent-hosts.test.ts': 95,
	'test/scenario/task-crash.test.ts': 50,
	'test/scenario/webhook-crash.test.ts': 75,
};
const USUAL_SECONDS = 4;
// Each group has a service of its own, which its files use one after the other.
const CONTRACT_GROUPS = 2;

/** What these files use can come from Debian, and must not have to. */
const BARE: Readonly<Record<'browser' | 'prober', readonly string[]>> = {
	browser: ['test/browser/keyboard.test.ts', 'test/browser/looks.test.ts'],
	prober: [
		'test/prober/hostile-mail-servers.test.ts',
		'test/prober/postfix.test.ts',
		'test/prober/real-proxies.test.ts',
	],
};

/** The parts of a run, the longest first, so that the run does not end with a long one alone. */
export function planOf(run: RunName): readonly Part[] {
	return partsOf(run).toSorted((a, b) => b.seconds - a.seconds);
}

function partsOf(run: RunName): readonly Part[] {
	if (run === 'bare') return [vitest('browser', BARE.browser, 30), vitest('prober', BARE.prober, 10)];
	const quick = [
		check('types', 12),
		check('lint', 8),
		vitest('unit', [], 40),
		vitest('prober', [], 16),
		vitest('worker', [], 80),
	];
	if (run === 'quick') return quick;
	const contract = dealt(filesOf('contract'), CONTRACT_GROUPS).map((files, at) => ({
		...vitest('contract', files, secondsOf(files)),
		name: `contract, ${at + 1} of ${CONTRACT_GROUPS}`,
	}));
	const scenarios = filesOf('scenario').map((file) => ({
		...vitest('scenario', [file], secondsOf([file])),
		name: file.slice('test/'.length, -'.test.ts'.length),
	}));
	const rest = [check('format', 2), check('unused', 4), vitest('browser', [], 180), vitest('client', [], 60)];
	return [...quick, ...rest, ...contract, ...scenarios];
}

function filesOf(project: string): readonly string[] {
	return globSync(`test/${project}/**/*.test.ts`).toSorted();
}

function secondsOf(files: readonly string[]): number {
	return files.reduce((sum, file) => sum + (SECONDS[file] ?? USUAL_SECONDS), 0);
}

/** Deals the files into groups of about equal duration. */
export function dealt(files: readonly string[], groups: number): readonly (readonly string[])[] {
	const piles = Array.from({ length: groups }, (): string[] => []);
	for (const file of files.toSorted((a, b) => secondsOf([b]) - secondsOf([a]) || (a < b ? -1 : 1)))
		piles.reduce((least, pile) => (secondsOf(pile) < secondsOf(least) ? pile : least)).push(file);
	return piles;
}

function vitest(project: string, files: readonly string[], seconds: number): Part {
	const args = ['node_modules/vitest/vitest.mjs', 'run', '--project', project, ...files];
	return { name: project, kind: 'tests', program: process.execPath, args, seconds };
}

/** One of the package's own scripts. */
function check(name: string, seconds: number): Part {
	return { name, kind: 'check', program: 'npm', args: ['run', '--silent', `check:${name}`], seconds };
}
