import { expect, vi } from 'vitest';
import { Deployment } from '../../../tools/deployment/deployment.ts';
import type { Options } from '../../../tools/deployment/deployment.ts';
import { Refusal } from '../../../tools/deployment/platform.ts';
import type { Target } from '../../../tools/deployment/target.ts';
import { answerOf, fakeWrangler } from './fake-platform.ts';
import type { FakeState } from './fake-platform.ts';

const TARGET: Target = {
	environment: 'staging',
	worker: 'mailsonar-staging',
	url: 'https://staging.test',
	database: 'mailsonar-staging',
	bucket: 'mailsonar-staging',
	config: 'wrangler.staging.json',
	settings: { PUBLIC_URL: 'https://staging.test', CONTACT_ADDRESS: 'ada@staging.test' },
	settingsHash: '00000000',
	jurisdiction: null,
};
export const TOKEN = 'a'.repeat(64);
const PROBERS = `https://${TOKEN}@prober1.example.com`;
export const SECRETS = `KEY_SIGNING_SECRET=1:${TOKEN}\nOPERATOR_TOKENS=ada:${TOKEN}\nPROBERS="${PROBERS}"\n`;
export const [OLD, NEW] = ['version-1', 'version-2'];

export interface Scene {
	readonly options?: Partial<Options>;
	readonly target?: Partial<Target>;
	/** Null: there is none. */
	readonly commit?: string | null;
	readonly changed?: string;
	readonly testsFail?: boolean;
	/** Answers of the version that are not those of a healthy one. */
	readonly answers?: (version: string, at: string) => Response | undefined;
	readonly github?: { readonly check_runs: readonly { readonly conclusion: string }[] };
}

/** Lets the operator do something, and returns what became of it. */
export async function done(state: FakeState, work: (one: Deployment) => Promise<void>, scene: Scene = {}) {
	const [said, asked, slept, ran]: [string[], string[], number[], string[]] = [[], [], [], []];
	vi.stubGlobal('fetch', async (input: string | URL, init?: RequestInit) => {
		const url = String(input);
		if (url.startsWith('https://api.github.com/') && scene.github !== undefined) {
			expect(url).toContain('/repos/ada/mailsonar/commits/');
			return Response.json(scene.github);
		}
		const answer = answerOf(state, url, init);
		const at = new URL(url).pathname;
		const health = answerOf(state, 'https://staging.test/healthz', init);
		const version = health.headers.get('mailsonar-version') ?? '';
		asked.push(`${at} ${version}${new Headers(init?.headers).has('authorization') ? ' *' : ''}`);
		return scene.answers?.(version, at) ?? answer;
	});
	const git: Readonly<Record<string, string>> = {
		status: scene.changed ?? '',
		log: scene.commit === null ? '' : `${scene.commit ?? 'bbbbbbbbbbbb'} jobs: go faster\n`,
		remote: 'git@github.com:ada/mailsonar.git\n',
		'rev-parse': `${'b'.repeat(40)}\n`,
	};
	const world = {
		wrangler: 'wrangler',
		run: (program: string, args: readonly string[]) => {
			if (args[0] === 'wrangler') return Promise.resolve(fakeWrangler(state, args.slice(1)));
			ran.push(`${program} ${args[0]}`);
			const stdout = program === 'git' ? (git[args[0] ?? ''] ?? '') : '';
			const status = program === 'npm' && scene.testsFail === true ? 1 : 0;
			return Promise.resolve({ status, output: stdout, stdout });
		},
		ask: () => Promise.resolve(PROBERS),
		sleep: (ms: number) => Promise.resolve(void slept.push(ms)),
		say: (line: string) => void said.push(line),
	};
	const usual = { first: false, 'secrets-file': 'secrets', objects: false, tested: true };
	const options = { ...usual, testKey: 'ms_test_x', ...scene.options };
	const refusal = await work(new Deployment(world, { ...TARGET, ...scene.target }, options))
		.then(
			() => null,
			(error: unknown) => {
				if (error instanceof Refusal) return error;
				throw error;
			},
		)
		.finally(() => vi.unstubAllGlobals());
	return { refusal, said, asked, slept, ran };
}

export const deployed = (state: FakeState, scene?: Scene) => done(state, (one) => one.deploy(null), scene);
export const rolledBack = (state: FakeState, named: string | null = null, scene?: Scene) =>
	done(state, (one) => one.rollBack(named), scene);
