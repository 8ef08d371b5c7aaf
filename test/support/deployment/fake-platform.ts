import { readdirSync } from 'node:fs';
import type { Said, WranglerRecord } from '../../../tools/deployment/world.ts';

// A platform with one Worker, as `wrangler` shows it. A call changes the state.

export interface FakeState {
	/** Each call, as words of the command line without the environment. */
	calls: string[];
	/** `secrets`: how often secrets had changed when it was made. */
	versions: { id: string; tag: string | null; at: number; secrets: number }[];
	/** The newest last; shares in percent by version. */
	deployments: { at: number; shares: Record<string, number> }[];
	/** By their names. */
	databases: string[];
	migrations: { name: string; at: number }[] | null;
	/** Where the migrations are. */
	folder: string;
	accounts: number;
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
	/** Milliseconds of the clock of the platform. */
	now: number;
}

export function noWorker(): FakeState {
	return {
		calls: [],
		versions: [],
		deployments: [],
		databases: [],
		migrations: null,
		folder: 'migrations',
		accounts: 0,
		triggers: 0,
		lifecycle: false,
		secrets: null,
		inputs: [],
		jurisdiction: null,
		fails: null,
		now: Date.parse('2026-11-22T12:00:00Z'),
	};
}

/** A Worker that is in use, with the migrations named; the last deploy was ten minutes ago. */
export function inUse(migrations: readonly string[] = [], folder = 'migrations'): FakeState {
	const state = noWorker();
	return {
		...state,
		versions: [{ id: 'version-1', tag: 'aaaaaaaaaaaa.00000000', at: state.now - 600_000, secrets: 0 }],
		deployments: [{ at: state.now - 600_000, shares: { 'version-1': 100 } }],
		migrations: migrations.map((name) => ({ name, at: 0 })),
		folder,
		accounts: 3,
	};
}

/** The shares of the versions that answer now. */
export function sharesIn(state: FakeState): Readonly<Record<string, number>> {
	return state.deployments.at(-1)?.shares ?? {};
}

/** The version that answers a request; `asked` for one by the header. */
export function answering(state: FakeState, asked: string | null): string | undefined {
	const shares = sharesIn(state);
	if (asked !== null && asked in shares) return asked;
	return Object.keys(shares).find((id) => shares[id] === 100);
}

/** Does what the command line says. */
export function fakeWrangler(state: FakeState, args: readonly string[]): Said {
	const isTarget = (word = ''): boolean => word === '--env' || word === '--config';
	const words = args.filter((word, at) => !isTarget(word) && !isTarget(args[at - 1]));
	const call = words.join(' ');
	state.calls.push(call);
	if (state.fails !== null && call.startsWith(state.fails.call)) return said(1, state.fails.says);
	switch (words.slice(0, 2).join(' ')) {
		case 'deployments status': {
			const last = state.deployments.at(-1);
			return last === undefined
				? said(1, 'This Worker does not exist on your account. [code: 10007]')
				: said(0, JSON.stringify(deploymentOf(last)));
		}
		case 'deployments list':
			return said(0, JSON.stringify(state.deployments.map(deploymentOf)));
		case 'versions list':
			return said(0, JSON.stringify(state.versions.slice(-10).map(listed)));
		case 'versions view': {
			const text = state.jurisdiction;
			const bindings = text === null ? [] : [{ type: 'plain_text', name: 'JURISDICTION', text }];
			const viewed = state.versions.filter(({ id }) => id === words[2]).map(listed);
			return said(0, JSON.stringify({ ...viewed[0], resources: { bindings } }));
		}
		case 'versions upload':
			return said(0, 'Uploaded', [{ type: 'version-upload', version_id: newVersion(state, words) }]);
		case 'versions deploy': {
			const specs = words.filter((word) => word.includes('@')).map((word) => word.split('@'));
			const shares = Object.fromEntries(
				specs.map(([id = '', share = '']) => [id, Number.parseInt(share, 10)]),
			);
			const [now = 0, then = 0] = [sharesIn(state), shares].map((one) => secretsOf(state, one));
			if (then < now) return said(1, 'The following secrets have changed: OPERATOR_TOKENS [code: 10220]');
			give(state, shares);
			return said(0, 'Deployed');
		}
		case `rollback ${words[1]}`:
			// Without a terminal it answers its own question about changed secrets.
			give(state, { [words[1] ?? '']: 100 });
			return said(0, 'Rolled back');
		case 'versions secret':
			return said(0, newVersion(state, [], 1));
		case 'secret put': {
			const newest = state.versions.at(-1)?.id ?? '';
			if (sharesIn(state)[newest] !== 100) return said(1, 'the latest version isn’t deployed [code: 10215]');
			give(state, { [newVersion(state, [], 1)]: 100 });
			return said(0, 'Success');
		}
		case 'triggers deploy':
			state.triggers += 1;
			return said(0, 'Deployed');
		case 'd1 list':
			return said(0, JSON.stringify(state.databases.map((name) => ({ name }))));
		case 'd1 create':
			state.databases.push(words[2] ?? '');
			return said(0, 'Created');
		case 'd1 execute':
			return select(state, words.at(-1) ?? '');
		case 'd1 migrations':
			return apply(state);
		case 'r2 bucket':
			state.lifecycle = true;
			return said(0, 'Set');
		default: {
			if (words[0] !== 'deploy') return said(1, `Unknown command: ${call}`);
			const id = newVersion(state, words);
			if (words.includes('--secrets-file'))
				state.secrets = words[words.indexOf('--secrets-file') + 1] ?? null;
			give(state, { [id]: 100 });
			return said(0, 'Deployed', [{ type: 'deploy', version_id: id }]);
		}
	}
}

function listed({ id, tag, at }: FakeState['versions'][number]): object {
	const message = tag === null ? 'Updated secret' : `${tag.slice(0, 12)} jobs: go faster`;
	const annotations = { 'workers/message': message, ...(tag === null ? {} : { 'workers/tag': tag }) };
	return { id, metadata: { created_on: new Date(at).toISOString() }, annotations };
}

function newVersion(state: FakeState, words: readonly string[], changed = 0): string {
	const id = `version-${state.versions.length + 1}`;
	const at = words.indexOf('--tag');
	const secrets = (state.versions.at(-1)?.secrets ?? 0) + changed;
	state.versions.push({ id, tag: at < 0 ? null : (words[at + 1] ?? null), at: state.now, secrets });
	return id;
}

/** How often secrets had changed when the version was made that has all customers. */
function secretsOf(state: FakeState, shares: Readonly<Record<string, number>>): number {
	return state.versions.find(({ id }) => shares[id] === 100)?.secrets ?? 0;
}

function give(state: FakeState, shares: Record<string, number>): void {
	state.now += 1_000;
	state.deployments.push({ at: state.now, shares });
}

function deploymentOf({ at, shares }: FakeState['deployments'][number]): object {
	return {
		created_on: new Date(at).toISOString(),
		versions: Object.entries(shares).map(([id, percentage]) => ({ version_id: id, percentage })),
	};
}

function select(state: FakeState, sql: string): Said {
	if (state.migrations === null)
		return said(1, `{"error":{"text":"no such table: ${sql.split(' ').at(-1)}"}}`);
	const rows = sql.includes('accounts')
		? [{ accounts: state.accounts }]
		: state.migrations.map(({ name, at }) => ({
				name,
				applied_at: new Date(at).toISOString().slice(0, 19).replace('T', ' '),
			}));
	return said(0, JSON.stringify([{ results: rows, success: true }]));
}

/** Applies the files of the folder that the table lacks, as Wrangler does. */
function apply(state: FakeState): Said {
	const applied = (state.migrations ??= []);
	const names = readdirSync(state.folder).filter((name) => name.endsWith('.sql'));
	for (const name of names.toSorted())
		if (!applied.some((one) => one.name === name)) applied.push({ name, at: state.now });
	return said(0, 'Applied');
}

function said(status: number, output: string, records: readonly WranglerRecord[] = []): Said {
	return { status, output, stdout: status === 0 ? output : '', records };
}
