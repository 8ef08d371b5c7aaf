import { readdirSync } from 'node:fs';
import type { Said } from '../../../tools/deployment/platform.ts';

// A platform with one Worker, as `wrangler` shows it. A call changes the state.

export interface FakeState {
	/** Each call, as words of the command line without the environment. */
	calls: string[];
	/** `secrets`: how often secrets had changed when it was made. */
	versions: { id: string; tag: string | null; secrets: number }[];
	/** The newest last; shares in percent by version. */
	deployments: Record<string, number>[];
	/** Names of databases, and of the migrations that ours has. */
	databases: string[];
	migrations: string[];
	/** Null: there is no table of them. */
	accounts: number | null;
	triggers: number;
	lifecycle: boolean;
	/** The file of the first deploy's secrets. */
	secrets: string | null;
	/** The standard input of each command that put a secret. */
	inputs: string[];
	/** JURISDICTION of all versions. */
	jurisdiction: string | null;
	/** Calls that begin so fail, and change nothing. */
	fails: { call: string; says: string } | null;
}

/** The files of migrations, which Wrangler applies. */
export const MIGRATIONS = readdirSync('migrations').filter((name) => name.endsWith('.sql'));

export function noWorker(): FakeState {
	return {
		calls: [],
		versions: [],
		deployments: [],
		databases: [],
		migrations: [],
		accounts: null,
		triggers: 0,
		lifecycle: false,
		secrets: null,
		inputs: [],
		jurisdiction: null,
		fails: null,
	};
}

/** A Worker that is in use, and lacks a migration; versions of these commits answered one after the other. */
export function inUse(...commits: readonly string[]): FakeState {
	const versions = ['aaaaaaaaaaaa', ...commits].map((commit, at) => ({
		id: `version-${at + 1}`,
		tag: `${commit}.00000000`,
		secrets: 0,
	}));
	return { ...noWorker(), versions, deployments: versions.map(({ id }) => ({ [id]: 100 })), accounts: 3 };
}

/** The shares of the versions that answer now. */
export function sharesIn(state: FakeState): Readonly<Record<string, number>> {
	return state.deployments.at(-1) ?? {};
}

/** The Worker's answer to a request: of a healthy version, which a header may name. */
export function answerOf(state: FakeState, url: string, init?: RequestInit): Response {
	const override = new Headers(init?.headers).get('cloudflare-workers-version-overrides');
	const named = /^mailsonar(?:-staging)?="(.*)"$/.exec(override ?? '')?.[1] ?? '';
	const shares = sharesIn(state);
	const version = named in shares ? named : (Object.keys(shares).find((id) => shares[id] === 100) ?? '');
	const { host, pathname } = new URL(url);
	const headers = { 'mailsonar-version': version };
	if (host === 'api.github.com') return Response.json({}, { status: 404 });
	if (pathname === '/healthz') return Response.json({ status: 'ok', problems: [] }, { headers });
	if (pathname === '/v1/verify')
		return Response.json({ data: { status: 'deliverable', details: { sub_status: 'accepted' } }, meta: {} });
	if (pathname === '/ops/accounts')
		return Response.json({ data: { accountId: 'acc_1', apiKey: 'ms_live_1' } }, { status: 201 });
	if (pathname.startsWith('/ops/')) return Response.json({ data: { apiKey: 'ms_test_1' } }, { status: 201 });
	return new Response('<!doctype html><html></html>', { headers });
}

/** Does what the command line says. */
export function fakeWrangler(state: FakeState, args: readonly string[]): Said {
	const isTarget = (word = ''): boolean => word === '--env' || word === '--config';
	const words = args.filter((word, at) => !isTarget(word) && !isTarget(args[at - 1]));
	const call = words.join(' ');
	state.calls.push(call);
	if (state.fails !== null && call.startsWith(state.fails.call)) return said(state.fails.says, 1);
	switch (words.slice(0, 2).join(' ')) {
		case 'deployments list':
			return state.versions.length === 0
				? said('This Worker does not exist on your account. [code: 10007]', 1)
				: said(state.deployments.map(deploymentOf));
		case 'versions list':
			return said(state.versions.slice(-10).map(listed));
		case 'versions view': {
			const bindings = [{ name: 'JURISDICTION', text: state.jurisdiction ?? '' }];
			const [viewed] = state.versions.filter(({ id }) => id === words[2]).map(listed);
			return said({ ...viewed, resources: { bindings } });
		}
		case 'versions upload':
			return said(newVersion(state, words));
		case 'versions deploy': {
			const specs = words.filter((word) => word.includes('@')).map((word) => word.split('@'));
			const shares = Object.fromEntries(
				specs.map(([id = '', share = '']) => [id, Number.parseInt(share, 10)]),
			);
			const secretsOf = (given: Readonly<Record<string, number>>): number =>
				state.versions.findLast(({ id }) => given[id] === 100)?.secrets ?? 0;
			if (secretsOf(shares) < secretsOf(sharesIn(state)))
				return said('The following secrets have changed: OPERATOR_TOKENS [code: 10220]', 1);
			state.deployments.push(shares);
			return said('Deployed');
		}
		case 'versions secret':
			return said(newVersion(state, [], 1));
		case 'secret put': {
			const newest = state.versions.at(-1)?.id ?? '';
			if (sharesIn(state)[newest] !== 100) return said('the latest version isn’t deployed [code: 10215]', 1);
			state.deployments.push({ [newVersion(state, [], 1)]: 100 });
			return said('Success');
		}
		case 'triggers deploy':
			state.triggers += 1;
			return said('Deployed');
		case 'd1 list':
			return said(state.databases.map((name) => ({ name })));
		case 'd1 create':
			state.databases.push(words[2] ?? '');
			return said('Created');
		case 'd1 execute':
			return state.accounts === null
				? said('{"error":{"text":"no such table: accounts"}}', 1)
				: said([{ results: [{ accounts: state.accounts }], success: true }]);
		case 'd1 migrations': {
			const pending = MIGRATIONS.filter((name) => !state.migrations.includes(name));
			state.migrations.push(...pending);
			state.accounts ??= 0;
			return said(pending.length === 0 ? '✅ No migrations to apply!' : `│ ${pending.join(' │ ✅ │\n│ ')} │`);
		}
		case 'r2 bucket':
			state.lifecycle = true;
			return said('Set');
		default:
			if (words[0] !== 'deploy') return said(`Unknown command: ${call}`, 1);
			if (words.includes('--secrets-file'))
				state.secrets = words[words.indexOf('--secrets-file') + 1] ?? null;
			state.deployments.push({ [newVersion(state, words)]: 100 });
			return said('Deployed');
	}
}

function listed({ id, tag }: FakeState['versions'][number]): object {
	const message = tag === null ? 'Updated secret' : `${tag.slice(0, 12)} jobs: go faster`;
	return { id, annotations: { 'workers/message': message, ...(tag === null ? {} : { 'workers/tag': tag }) } };
}

function newVersion(state: FakeState, words: readonly string[], changed = 0): string {
	const id = `version-${state.versions.length + 1}`;
	const at = words.indexOf('--tag');
	const secrets = (state.versions.at(-1)?.secrets ?? 0) + changed;
	state.versions.push({ id, tag: at < 0 ? null : (words[at + 1] ?? null), secrets });
	return id;
}

function deploymentOf(shares: Readonly<Record<string, number>>, at: number): object {
	const versions = Object.entries(shares).map(([id, percentage]) => ({ version_id: id, percentage }));
	return { created_on: new Date(at * 1000).toISOString(), versions };
}

function said(words: string | object, status = 0): Said {
	const output = typeof words === 'string' ? words : JSON.stringify(words);
	return { status, output, stdout: status === 0 ? output : '' };
}
