import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Said, WranglerRecord } from '../../../tools/deployment/world.ts';

// A platform with one Worker, as `wrangler` shows it. What a call changes is changed in the state.

export interface FakeState {
	/** Each call, as words of the command line without the environment. */
	calls: string[];
	versions: { id: string; commit: string | null }[];
	/** The newest last; shares in percent by version. */
	deployments: { at: number; shares: Record<string, number> }[];
	/** By their names. */
	databases: string[];
	migrations: string[] | null;
	accounts: number;
	triggers: number;
	lifecycle: boolean;
	secrets: boolean;
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
		accounts: 0,
		triggers: 0,
		lifecycle: false,
		secrets: false,
		jurisdiction: null,
		fails: null,
		now: Date.parse('2026-11-22T12:00:00Z'),
	};
}

/** A Worker that is in use, with the migrations named. */
export function inUse(migrations: readonly string[]): FakeState {
	const state = noWorker();
	return {
		...state,
		versions: [{ id: 'version-1', commit: 'aaaaaaaaaaaa' }],
		deployments: [{ at: state.now, shares: { 'version-1': 100 } }],
		migrations: [...migrations],
		accounts: 3,
		secrets: true,
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
	const at = args.indexOf('--env');
	const words = at < 0 ? args : args.toSpliced(at, 2);
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
			return said(
				0,
				JSON.stringify(
					state.versions.map(({ id, commit }) => ({
						id,
						annotations: commit === null ? {} : { 'workers/tag': commit },
					})),
				),
			);
		case 'versions view': {
			const text = state.jurisdiction;
			const bindings = text === null ? [] : [{ type: 'plain_text', name: 'JURISDICTION', text }];
			return said(0, JSON.stringify({ id: words[2], resources: { bindings } }));
		}
		case 'versions upload':
			return said(0, 'Uploaded', [{ type: 'version-upload', version_id: newVersion(state, words) }]);
		case 'versions deploy': {
			const specs = words.filter((word) => word.includes('@')).map((word) => word.split('@'));
			give(state, Object.fromEntries(specs.map(([id = '', share = '']) => [id, Number.parseInt(share, 10)])));
			return said(0, 'Deployed');
		}
		case `rollback ${words[1]}`:
			give(state, { [words[1] ?? '']: 100 });
			return said(0, 'Rolled back');
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
			return applyFrom(state, words.at(-1) ?? '');
		case 'r2 bucket':
			state.lifecycle = true;
			return said(0, 'Set');
		default: {
			if (words[0] !== 'deploy') return said(1, `Unknown command: ${call}`);
			const id = newVersion(state, words);
			state.secrets ||= words.includes('--secrets-file');
			give(state, { [id]: 100 });
			return said(0, 'Deployed', [{ type: 'deploy', version_id: id }]);
		}
	}
}

function newVersion(state: FakeState, words: readonly string[]): string {
	const id = `version-${state.versions.length + 1}`;
	state.versions.push({ id, commit: words[words.indexOf('--tag') + 1] ?? null });
	return id;
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
		: state.migrations.map((name) => ({ name }));
	return said(0, JSON.stringify([{ results: rows, success: true }]));
}

/** As Wrangler does: whatever is in the folder and not in the table. */
function applyFrom(state: FakeState, config: string): Said {
	const [database] = (
		JSON.parse(readFileSync(config, 'utf8')) as { d1_databases: { migrations_dir: string }[] }
	).d1_databases;
	const folder = path.join(path.dirname(config), database?.migrations_dir ?? '');
	const applied = (state.migrations ??= []);
	applied.push(
		...readdirSync(folder)
			.toSorted()
			.filter((name) => !applied.includes(name)),
	);
	return said(0, 'Applied');
}

function said(status: number, output: string, records: readonly WranglerRecord[] = []): Said {
	return { status, output, stdout: status === 0 ? output : '', records };
}
