import type { Target } from '../../../tools/deployment/target.ts';
import type { DeployRequest } from '../../../tools/deployment/deploy.ts';
import { Refusal } from '../../../tools/deployment/world.ts';
import type { Said, World } from '../../../tools/deployment/world.ts';
import { answering, fakeWrangler } from './fake-platform.ts';
import type { FakeState } from './fake-platform.ts';

export const TARGET: Target = {
	environment: 'staging',
	worker: 'mailsonar-staging',
	url: 'https://staging.test',
	database: 'mailsonar-staging',
	bucket: 'mailsonar-staging',
	config: 'wrangler.staging.json',
	settings: {},
	settingsHash: '00000000',
	jurisdiction: null,
};

/** The usual request of a deploy, but for the folder of its migrations. */
export const USUAL: Omit<DeployRequest, 'migrations'> = {
	secretsFile: null,
	secret: null,
	objects: false,
	takesAway: false,
	isTested: true,
	testKey: 'ms_test_x',
};

/** Why work was refused; null: it was done. */
export async function refusalOf(work: Promise<unknown>): Promise<Refusal | null> {
	try {
		await work;
		return null;
	} catch (error) {
		if (error instanceof Refusal) return error;
		throw error;
	}
}

/** The answers of a version; left out: those of a healthy one. */
export type Answers = (version: string, path: string) => Response | undefined;

export interface FakeWorld extends World {
	readonly said: string[];
	/** `path version`, with `*` where a test key was shown. */
	readonly asked: string[];
	readonly slept: number[];
	/** The other programs that ran: git, npm. */
	readonly ran: string[];
}

export interface WorldOptions {
	/** Null: there is none. */
	readonly commit?: string | null;
	readonly changed?: string;
	readonly testsFail?: boolean;
	readonly answers?: Answers;
}

/** A world in which time passes by sleeping alone, and requests are answered by the version that the platform says. */
export function fakeWorld(state: FakeState, options: WorldOptions = {}): FakeWorld {
	const [said, asked, slept, ran]: [string[], string[], number[], string[]] = [[], [], [], []];
	const run = (program: string, args: readonly string[]): Said => {
		const words = `${program} ${args.join(' ')}`;
		ran.push(words);
		if (words.startsWith('git status')) return out(options.changed ?? '');
		if (words.startsWith('git log') && options.commit === null) return out('', 128);
		if (words.startsWith('git log')) return out(`${options.commit ?? 'bbbbbbbbbbbb'} jobs: go faster\n`);
		if (words === 'npm test') return out('', options.testsFail === true ? 1 : 0);
		return out('', 1);
	};
	return {
		said,
		asked,
		slept,
		ran,
		wrangler: (args) => Promise.resolve(fakeWrangler(state, args)),
		run: (program, args) => Promise.resolve(run(program, args)),
		fetch: (url, init) => {
			const headers = new Headers(init.headers);
			const override = headers.get('cloudflare-workers-version-overrides');
			const version = answering(state, /^mailsonar-staging="(.*)"$/.exec(override ?? '')?.[1] ?? null) ?? '';
			const path = url.slice(TARGET.url.length);
			asked.push(`${path} ${version}${headers.has('authorization') ? ' *' : ''}`);
			return Promise.resolve(options.answers?.(version, path) ?? healthy(version, path));
		},
		now: () => state.now,
		sleep: (ms) => {
			slept.push(ms);
			state.now += ms;
			return Promise.resolve();
		},
		say: (line) => void said.push(line),
	};
}

/** The answers of a healthy version. */
export function healthy(version: string, path: string): Response {
	const headers = { 'mailsonar-version': version };
	if (path === '/healthz') return Response.json({ status: 'ok', problems: [] }, { headers });
	if (path === '/v1/verify') return Response.json({ success: true, data: { status: 'deliverable' } });
	return new Response('<!doctype html><html></html>', { headers: { 'content-type': 'text/html' } });
}

function out(stdout: string, status = 0): Said {
	return { status, output: stdout, stdout, records: [] };
}
