import type { Target } from './target.ts';
import { Refusal } from './world.ts';
import type { Said, World } from './world.ts';

/** The versions that answer: one has all customers, and a trial answers requests that name it. */
export interface Standing {
	readonly version: string;
	readonly trial: string | null;
	readonly since: number;
}

export interface Version {
	readonly id: string;
	/** Commit and settings, as `COMMIT.HASH`; null: another tool made it, such as `wrangler versions secret put`. */
	readonly tag: string | null;
	readonly createdAt: number;
}

interface ListedVersion {
	readonly id: string;
	readonly metadata: { readonly created_on: string };
	readonly annotations?: Readonly<Record<string, string>>;
}

interface Deployment {
	readonly created_on: string;
	readonly versions: readonly { readonly version_id: string; readonly percentage: number }[];
}

const NO_WORKER = /code: 10007|has no deployments|Worker does not exist/;
// Error 10211 of an upload, and Wrangler's text about versions side by side.
const OBJECTS_DIFFER =
	/code: 10211|identical `?exports`?|identical Durable Object `exports`|declared in `exports`/;
// Cloudflare deploys no version whose secrets have changed since, unless it is forced; `wrangler rollback` forces it.
const SECRETS_DIFFER = /code: 10220|secrets have changed/;
const TAG = /^[0-9a-f]{12}\.[0-9a-f]{8}$/;

/** Wrangler's commands for one environment. */
export class Platform {
	readonly #world: World;
	readonly #target: Target;

	constructor(world: World, target: Target) {
		this.#world = world;
		this.#target = target;
	}

	/** Runs a command of Wrangler, which may ask the operator something. Throws a Refusal if it fails. */
	async run(args: readonly string[], problem: string, asks = false): Promise<Said> {
		const result = await this.#try(args, asks);
		if (result.status === 0) return result;
		const again = `npm run deploy -- ${this.#target.environment}`;
		if (OBJECTS_DIFFER.test(result.output))
			throw new Refusal(
				'This version has other object classes than the one that answers, so it cannot stand beside it',
				`Deploy that change by itself: ${again} --objects. All customers get it at once, and no rollback undoes it.`,
			);
		if (SECRETS_DIFFER.test(result.output))
			throw new Refusal(
				`Cloudflare refuses a version with older secrets. ${tailOf(result)}`,
				`Deploy the commit again, which takes today's secrets: git switch --detach COMMIT && ${again}\nIf it refuses the trial of a changed secret: npx wrangler versions deploy VERSION@100% --env ${this.#target.environment}`,
			);
		throw failed(problem, result);
	}

	/** Runs a command that makes a version, and returns the version's id. */
	async make(args: readonly string[], problem: string): Promise<string> {
		const result = await this.run(args, problem);
		const id = result.records.find(({ version_id: made }) => typeof made === 'string')?.version_id;
		if (typeof id !== 'string') throw failed('Wrangler did not name the version that it made', result);
		return id;
	}

	/** Gives each version its share of the requests, in percent. */
	async share(shares: Readonly<Record<string, number>>, message: string): Promise<void> {
		const specs = Object.entries(shares).map(([id, percent]) => `${id}@${percent}%`);
		const args = ['versions', 'deploy', ...specs, '--yes', '--message', message.slice(0, 100)];
		await this.run(args, 'The deployment could not be changed');
	}

	/** Returns null where there is no Worker yet. */
	async standing(): Promise<Standing | null> {
		const result = await this.#try(['deployments', 'status', '--json']);
		if (result.status !== 0 && NO_WORKER.test(result.output)) return null;
		if (result.status !== 0) throw failed('The deployments could not be read', result);
		const { versions, created_on: since } = JSON.parse(result.stdout) as Deployment;
		const whole = versions.find(({ percentage }) => percentage === 100);
		const others = versions.filter((one) => one !== whole);
		if (whole === undefined || others.length > 1)
			throw new Refusal(
				'Two versions share the customers, and this command did not begin that',
				`Give all customers to one: npx wrangler versions deploy --env ${this.#target.environment}`,
			);
		return { version: whole.version_id, trial: others[0]?.version_id ?? null, since: Date.parse(since) };
	}

	/** Returns the versions that have had all customers, newest first, each once. */
	async answeredBefore(): Promise<readonly string[]> {
		const result = await this.run(['deployments', 'list', '--json'], 'The deployments could not be listed');
		const past = (JSON.parse(result.stdout) as readonly Deployment[])
			.toSorted((a, b) => Date.parse(b.created_on) - Date.parse(a.created_on))
			.flatMap(({ versions }) => versions.filter(({ percentage }) => percentage === 100));
		return [...new Set(past.map((one) => one.version_id))];
	}

	/** Returns the ten newest versions, oldest first. */
	async versions(): Promise<readonly Version[]> {
		const result = await this.run(['versions', 'list', '--json'], 'The versions could not be listed');
		const listed = JSON.parse(result.stdout) as readonly ListedVersion[];
		return listed.map((one) => {
			return { id: one.id, tag: tagOf(one), createdAt: Date.parse(one.metadata.created_on) };
		});
	}

	/** Returns what a version was made of; `commit`: hash and subject, or `unknown` where the tag is null. */
	async view(version: string) {
		const result = await this.run(['versions', 'view', version, '--json'], 'The version could not be read');
		const viewed = JSON.parse(result.stdout) as ListedVersion & {
			resources: { bindings: readonly { name: string; text?: string }[] };
		};
		const jurisdiction = viewed.resources.bindings.find(({ name }) => name === 'JURISDICTION')?.text;
		const tag = tagOf(viewed);
		const commit = (tag !== null && viewed.annotations?.['workers/message']) || 'unknown';
		return { tag, commit, jurisdiction: jurisdiction || null };
	}

	/** Returns rows of a table of the database, or none if the table does not exist yet. */
	async select<Row>(columns: string, table: string): Promise<readonly Row[]> {
		const sql = `SELECT ${columns} FROM ${table}`;
		const result = await this.#try(['d1', 'execute', 'DB', '--remote', '--json', '--command', sql]);
		if (result.status !== 0 && result.output.includes(`no such table: ${table}`)) return [];
		if (result.status !== 0) throw failed('The database could not be asked', result);
		const [answer] = JSON.parse(result.stdout) as readonly { results: readonly Row[] }[];
		return answer?.results ?? [];
	}

	#try(args: readonly string[], asks = false): Promise<Said> {
		const { config, environment } = this.#target;
		return this.#world.wrangler([...args, '--config', config, '--env', environment], asks);
	}
}

function tagOf({ annotations }: ListedVersion): string | null {
	const tag = annotations?.['workers/tag'] ?? '';
	return TAG.test(tag) ? tag : null;
}

function failed(problem: string, result: Said): Refusal {
	return new Refusal(`${problem}. ${tailOf(result)}`, 'Correct that, and give the same command again.');
}

function tailOf({ output }: Said): string {
	return `Wrangler printed:\n${output.trim().split('\n').slice(-12).join('\n')}`;
}
