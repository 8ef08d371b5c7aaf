import { stageMigrations } from './migrations.ts';
import type { Migration } from './migrations.ts';
import type { Target } from './target.ts';
import { Refusal } from './world.ts';
import type { Said, World } from './world.ts';

const STAGE = 'node_modules/.cache/mailsonar/deployment';

/** Which versions answer. A trial answers those alone who ask for it by its id. */
export type Standing =
	| { readonly kind: 'none' }
	| { readonly kind: 'one'; readonly version: string; readonly since: number }
	| { readonly kind: 'trial'; readonly version: string; readonly trial: string; readonly since: number }
	| { readonly kind: 'split' };

export interface Version {
	readonly id: string;
	/** The commit that it was built from; null if this tool did not upload it. */
	readonly commit: string | null;
}

/** An upload or a deployment was refused because the set of object classes differs from the one that is deployed. */
export class ObjectsDiffer extends Error {
	override readonly name = 'ObjectsDiffer';
}

// Error 10211 of an upload, and what Wrangler says of versions side by side.
const OBJECTS_DIFFER =
	/code: 10211|identical `?exports`?|identical Durable Object `exports`|declared in `exports`/;
const NO_WORKER = /code: 10007|has no deployments|Worker does not exist/;

interface Deployment {
	readonly created_on: string;
	readonly versions: readonly { readonly version_id: string; readonly percentage: number }[];
}

/** Wrangler's commands, for one environment. What they print is read where it is meant for programs. */
export class Platform {
	readonly #world: World;
	readonly #target: Target;

	constructor(world: World, target: Target) {
		this.#world = world;
		this.#target = target;
	}

	async standing(): Promise<Standing> {
		const said = await this.#wrangler(['deployments', 'status', '--json']);
		if (said.status !== 0) {
			if (NO_WORKER.test(said.output)) return { kind: 'none' };
			throw failed('The deployments could not be read', said);
		}
		return standingOf(JSON.parse(said.stdout) as Deployment);
	}

	/** The version that answered all before the ones that do now; null if there was none. */
	async versionBefore(current: string): Promise<string | null> {
		const said = await this.#must(['deployments', 'list', '--json'], 'The deployments could not be listed');
		const past = (JSON.parse(said.stdout) as readonly Deployment[])
			.toSorted((a, b) => (a.created_on < b.created_on ? 1 : -1))
			.map(standingOf);
		const before = past.find((one) => one.kind === 'one' && one.version !== current);
		return before?.kind === 'one' ? before.version : null;
	}

	/** The newest versions, the oldest of them first. */
	async versions(): Promise<readonly Version[]> {
		const said = await this.#must(['versions', 'list', '--json'], 'The versions could not be listed');
		const listed = JSON.parse(said.stdout) as readonly {
			id: string;
			annotations?: Readonly<Record<string, string>>;
		}[];
		return listed.map(({ id, annotations }) => ({ id, commit: annotations?.['workers/tag'] ?? null }));
	}

	/** A variable that a version was uploaded with; null if it has none of that name. */
	async variableOf(version: string, name: string): Promise<string | null> {
		const said = await this.#must(
			['versions', 'view', version, '--json'],
			'The version could not be looked at',
		);
		const { resources } = JSON.parse(said.stdout) as {
			resources: { bindings: readonly { type: string; name: string; text?: string }[] };
		};
		const found = resources.bindings.find((one) => one.type === 'plain_text' && one.name === name);
		return found?.text ?? null;
	}

	/** Uploads the code beside what is deployed, and returns its id. */
	async upload(commit: string, message: string): Promise<string> {
		const said = await this.#wrangler(['versions', 'upload', '--tag', commit, '--message', message]);
		return idFrom(said, 'version-upload', 'The version could not be uploaded');
	}

	/** Deploys the code at once, to everybody; makes what does not exist yet. Returns its id. */
	async deployWhole(commit: string, message: string, secretsFile: string | null): Promise<string> {
		const secrets = secretsFile === null ? [] : ['--secrets-file', secretsFile];
		const said = await this.#wrangler(['deploy', '--tag', commit, '--message', message, ...secrets]);
		return idFrom(said, 'deploy', 'The code could not be deployed');
	}

	/** Has versions answer, each a share of the requests in percent. */
	async share(shares: Readonly<Record<string, number>>, message: string): Promise<void> {
		const specs = Object.entries(shares).map(([id, percent]) => `${id}@${percent}%`);
		const said = await this.#wrangler(['versions', 'deploy', ...specs, '--yes', '--message', message]);
		if (said.status === 0) return;
		if (OBJECTS_DIFFER.test(said.output)) throw new ObjectsDiffer();
		throw failed('The deployment could not be changed', said);
	}

	/** Routes, crons and the consumers of queues, which are no part of a version. */
	async deployTriggers(): Promise<void> {
		await this.#must(['triggers', 'deploy'], 'Routes, crons and queues could not be set');
	}

	async rollBack(version: string, message: string): Promise<void> {
		await this.#must(
			['rollback', version, '--yes', '--message', message],
			'The version could not be restored',
		);
	}

	/** The names of the migrations that the database has. */
	async appliedMigrations(): Promise<ReadonlySet<string>> {
		const rows = await this.#select<{ name: string }>('name', 'd1_migrations');
		return new Set(rows.map(({ name }) => name));
	}

	async hasAccounts(): Promise<boolean> {
		const [row] = await this.#select<{ accounts: number }>('count(*) AS accounts', 'accounts');
		return (row?.accounts ?? 0) > 0;
	}

	/** Applies these migrations, and asks the database whether it has them. */
	async applyMigrations(migrations: readonly Migration[]): Promise<void> {
		const config = stageMigrations(migrations, this.#target, `${STAGE}/${this.#target.environment}`);
		const said = await this.#world.wrangler([
			'd1',
			'migrations',
			'apply',
			'DB',
			'--remote',
			'--config',
			config,
		]);
		if (said.status !== 0) throw failed('A migration could not be applied', said);
		const applied = await this.appliedMigrations();
		const missing = migrations.filter(({ name }) => !applied.has(name));
		if (missing.length > 0)
			throw failed(`The database does not have ${missing.map(({ name }) => name).join(', ')}`, said);
	}

	/** Makes the database where it is to be; one that a deploy makes could be anywhere. False: it was there. */
	async makeDatabase(): Promise<boolean> {
		const { database } = this.#target;
		const said = await this.#must(['d1', 'list', '--json'], 'The databases could not be listed');
		const listed = JSON.parse(said.stdout) as readonly { name: string }[];
		if (listed.some(({ name }) => name === database)) return false;
		await this.#must(
			['d1', 'create', database, '--update-config=false', ...this.#within()],
			'The database could not be made',
		);
		return true;
	}

	/** The second net under what expires; replaces the rules that are there. */
	async setLifecycle(file: string): Promise<void> {
		await this.#must(
			['r2', 'bucket', 'lifecycle', 'set', this.#target.bucket, '--file', file, '--force', ...this.#within()],
			'The bucket’s rules could not be set',
		);
	}

	#within(): readonly string[] {
		const { jurisdiction } = this.#target;
		return jurisdiction === null ? [] : ['--jurisdiction', jurisdiction];
	}

	/** Rows of a table; none if it does not exist yet. */
	async #select<Row>(columns: string, table: string): Promise<readonly Row[]> {
		const sql = `SELECT ${columns} FROM ${table}`;
		const said = await this.#wrangler(['d1', 'execute', 'DB', '--remote', '--json', '--command', sql]);
		if (said.status !== 0) {
			if (said.output.includes(`no such table: ${table}`)) return [];
			throw failed('The database could not be asked', said);
		}
		const [answer] = JSON.parse(said.stdout) as readonly { results: readonly Row[] }[];
		return answer?.results ?? [];
	}

	#wrangler(args: readonly string[]): Promise<Said> {
		return this.#world.wrangler([...args, '--env', this.#target.environment]);
	}

	async #must(args: readonly string[], problem: string): Promise<Said> {
		const said = await this.#wrangler(args);
		if (said.status !== 0) throw failed(problem, said);
		return said;
	}
}

function standingOf({ versions, created_on: since }: Deployment): Standing {
	const whole = versions.find(({ percentage }) => percentage === 100);
	const [trial, ...more] = versions.filter((one) => one !== whole);
	if (whole === undefined || more.length > 0) return { kind: 'split' };
	const at = { version: whole.version_id, since: Date.parse(since) };
	return trial === undefined ? { kind: 'one', ...at } : { kind: 'trial', ...at, trial: trial.version_id };
}

function idFrom(said: Said, type: string, problem: string): string {
	if (said.status !== 0) {
		if (OBJECTS_DIFFER.test(said.output)) throw new ObjectsDiffer();
		throw failed(problem, said);
	}
	const id = said.records.find((record) => record.type === type)?.version_id;
	if (typeof id !== 'string') throw failed('Wrangler did not say which version it made', said);
	return id;
}

function failed(problem: string, { output }: Said): Refusal {
	const tail = output.trim().split('\n').slice(-12).join('\n');
	return new Refusal(`${problem}. Wrangler said:\n${tail}`, 'Mend that, and give the same command again.');
}
