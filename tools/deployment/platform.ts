import type { Target } from './target.ts';

/** The result of a program. */
export interface Said {
	readonly status: number;
	/** stdout and stderr. */
	readonly output: string;
	/** stdout alone: where a program prints JSON, nothing else. */
	readonly stdout: string;
}

/** Everything that a deploy needs from outside, but for `fetch`. */
export interface World {
	/** Runs a program. `show`: it prints for itself; `ask`: it reads the terminal or standard input as well. */
	readonly run: (program: string, args: readonly string[], output: 'keep' | 'show' | 'ask') => Promise<Said>;
	/** Wrangler's script, run by this Node. */
	readonly wrangler: string;
	/** Reads a line from the operator. */
	readonly ask: (question: string) => Promise<string>;
	readonly sleep: (ms: number) => Promise<void>;
	readonly say: (line: string) => void;
}

/** The deploy stops here. Finished steps stay done; the same command continues after them. */
export class Refusal extends Error {
	override readonly name = 'Refusal';
	/** The operator's next step. */
	readonly advice: string;

	constructor(problem: string, advice = 'Correct that, and give the same command again.') {
		super(problem);
		this.advice = advice;
	}
}

export interface Version {
	readonly id: string;
	/** Commit and settings, as `COMMIT.HASH`; null: another tool made it, such as `wrangler versions secret put`. */
	readonly tag: string | null;
	/** Hash and subject; `unknown` where the tag is null. */
	readonly commit: string;
	readonly jurisdiction: string | null;
}

interface ListedVersion {
	readonly id: string;
	readonly annotations?: Readonly<Record<string, string>>;
	readonly resources?: { readonly bindings: readonly { readonly name: string; readonly text?: string }[] };
}

interface Deployment {
	readonly created_on: string;
	readonly versions: readonly { readonly version_id: string; readonly percentage: number }[];
}

const NO_WORKER = /code: 10007|has no deployments|Worker does not exist/;

/** The version that all customers have. */
export interface Standing {
	readonly version: string;
	/** Answers requests that name it; null: none. */
	readonly trial: string | null;
	/** Other versions that have had all customers, the newest first. */
	readonly before: readonly string[];
}

/** Refusals of Cloudflare that have a way out. `again`: the command. */
const KNOWN: readonly (readonly [RegExp, string, (again: string) => string])[] = [
	[
		// Error 10211 of an upload, and Wrangler's text about versions side by side.
		/code: 10211|identical `?exports`?|identical Durable Object `exports`|declared in `exports`/,
		'This version has other object classes than the one that answers, so it cannot stand beside it',
		(again) =>
			`Deploy that change by itself: ${again} --objects. All customers get it at once, and no rollback undoes it.`,
	],
	[
		// Cloudflare deploys no version whose secrets have changed since, unless it is forced; `wrangler rollback` forces it.
		/code: 10220|secrets have changed/,
		'Cloudflare refuses a version with older secrets',
		(again) =>
			`Deploy the commit again, which takes today's secrets: git switch --detach COMMIT && ${again}\nIf it refuses the trial of a changed secret: npx wrangler versions deploy VERSION@100% --env ${again.split(' ').at(-1)}`,
	],
];

/** Wrangler's commands for one environment. */
export class Platform {
	readonly #world: World;
	readonly #target: Target;

	constructor(world: World, target: Target) {
		[this.#world, this.#target] = [world, target];
	}

	/** Runs a command of Wrangler. Throws a Refusal if it fails, but for the failure that the caller expects. */
	async run(args: readonly string[], expected?: RegExp): Promise<Said> {
		const output = args.includes('secret') ? 'ask' : 'keep';
		const { config, environment } = this.#target;
		const all = [this.#world.wrangler, ...args, '--config', config, '--env', environment];
		const result = await this.#world.run(process.execPath, all, output);
		if (result.status === 0 || expected?.test(result.output) === true) return result;
		const tail = `Wrangler printed:\n${result.output.trim().split('\n').slice(-12).join('\n')}`;
		const [, known, advice] = KNOWN.find(([pattern]) => pattern.test(result.output)) ?? [];
		const failed = `\`wrangler ${args.slice(0, 3).join(' ')}\` failed`;
		throw new Refusal(`${known ?? failed}. ${tail}`, advice?.(`npm run deploy -- ${environment}`));
	}

	/** The JSON that a command prints; null: it failed as the caller expects. */
	async json<T>(args: readonly string[], expected?: RegExp): Promise<T | null> {
		const { status, stdout } = await this.run([...args, '--json'], expected);
		return status === 0 ? (JSON.parse(stdout) as T) : null;
	}

	/** Gives each version its share of the requests, in percent. */
	async share(shares: Readonly<Record<string, number>>, message: string): Promise<void> {
		const specs = Object.entries(shares).map(([id, percent]) => `${id}@${percent}%`);
		await this.run(['versions', 'deploy', ...specs, '--yes', '--message', message.slice(0, 100)]);
	}

	/** Returns the version that answers; null: there is no Worker yet. */
	async standing(): Promise<Standing | null> {
		const all = await this.json<Deployment[]>(['deployments', 'list'], NO_WORKER);
		const newestFirst = all?.toSorted((a, b) => Date.parse(b.created_on) - Date.parse(a.created_on));
		const [last, ...past] = newestFirst ?? [];
		if (last === undefined) return null;
		const isWhole = ({ percentage }: Deployment['versions'][number]): boolean => percentage === 100;
		const version = last.versions.find(isWhole)?.version_id;
		const others = last.versions.filter((one) => !isWhole(one));
		if (version === undefined || others.length > 1)
			throw new Refusal(
				'Two versions share the customers, and this command did not begin that',
				`Give all customers to one: npx wrangler versions deploy --env ${this.#target.environment}`,
			);
		const before = past.flatMap(({ versions }) => versions.filter(isWhole).map((one) => one.version_id));
		return {
			version,
			trial: others[0]?.version_id ?? null,
			before: [...new Set(before)].filter((id) => id !== version),
		};
	}

	/** Returns the ten newest versions, oldest first. */
	async versions(): Promise<readonly Version[]> {
		const all = await this.json<ListedVersion[]>(['versions', 'list']);
		return (all ?? []).map(versionOf);
	}

	async version(id: string): Promise<Version> {
		return versionOf((await this.json<ListedVersion>(['versions', 'view', id])) ?? { id });
	}

	/** Whether the database has accounts; before the first deploy it has no table of them. */
	async hasAccounts(): Promise<boolean> {
		const sql = 'SELECT count(*) AS accounts FROM accounts';
		const args = ['d1', 'execute', 'DB', '--remote', '--command', sql];
		type Answers = readonly { readonly results: readonly { readonly accounts: number }[] }[];
		const answers = await this.json<Answers>(args, /no such table: accounts/);
		return (answers?.[0]?.results[0]?.accounts ?? 0) > 0;
	}
}

function versionOf({ id, annotations = {}, resources }: ListedVersion): Version {
	const tag = annotations['workers/tag'] ?? '';
	const isOurs = /^[0-9a-f]{12}\.[0-9a-f]{8}$/.test(tag);
	return {
		id,
		tag: isOurs ? tag : null,
		commit: (isOurs && annotations['workers/message']) || 'unknown',
		jurisdiction: resources?.bindings.find(({ name }) => name === 'JURISDICTION')?.text || null,
	};
}
