import { healthProblem, pageProblem, verifyProblem } from '../check-service.ts';
import { makeSecrets, openFirstAccount } from './first.ts';
import { Platform, Refusal } from './platform.ts';
import type { Standing, World } from './platform.ts';
import type { Target } from './target.ts';

const LIFECYCLE = 'deploy/lifecycle.json';
/** Leads a request to one version of a Worker: those with Durable Objects have no preview addresses. */
const OVERRIDE = 'Cloudflare-Workers-Version-Overrides';
// A deployment takes some seconds until the whole network knows it.
const PATIENCE_MS = 60_000;
const PAUSE_MS = 2_000;

export interface Options {
	/** The first deploy, which makes whatever does not exist. */
	readonly first: boolean;
	/** The secrets of the first deploy. */
	readonly 'secrets-file': string;
	/** The set of object classes changes: deployed to everybody at once, since no trial is possible. */
	readonly objects: boolean;
	/** The tests of this commit have passed elsewhere. */
	readonly tested: boolean;
	readonly testKey: string | null;
}

/** The operator's commands for one environment. Each step first looks whether it is done, so the same command continues. */
export class Deployment {
	readonly #world: World;
	readonly #say: World['say'];
	readonly #target: Target;
	readonly #options: Options;
	readonly #platform: Platform;
	/** The operator's command, for advice. */
	readonly #again: string;

	constructor(world: World, target: Target, options: Options) {
		[this.#world, this.#say, this.#target, this.#options] = [world, world.say, target, options];
		this.#platform = new Platform(world, target);
		this.#again = `npm run deploy -- ${target.environment}`;
	}

	/** Builds the Worker as a deploy would. Changes nothing, and needs no login. */
	async check(): Promise<void> {
		const { output } = await this.#platform.run(['deploy', '--dry-run']);
		this.#say(output);
	}

	/** Says which commit answers. */
	async status(): Promise<void> {
		const { worker, url, settingsHash } = this.#target;
		const standing = await this.#platform.standing();
		if (standing === null) return this.#say(`There is no Worker ${worker} yet`);
		const { tag, commit } = await this.#platform.version(standing.version);
		this.#say(`${url} is answered by version ${standing.version}, commit ${commit}`);
		if (tag !== null && !tag.endsWith(settingsHash)) this.#say('Its settings are not those of your file');
		if (standing.trial !== null) this.#say(`Version ${standing.trial} is on trial, and no customer meets it`);
	}

	/** Brings the current commit to the environment; `secret`: one to change first, in the code that answers. */
	async deploy(secret: string | null): Promise<void> {
		const { environment, worker, url, settingsHash } = this.#target;
		const { first, objects, testKey } = this.#options;
		this.#say(`Deploying to ${environment}: ${worker} at ${url}`);
		const message = await this.#commit();
		const hash = message.slice(0, 12);
		const tag = `${hash}.${settingsHash}`;
		const standing = await this.#platform.standing();
		await this.#requireUsable(standing);
		this.#say(`✓ check      commit ${message}`);
		if (secret === null) await this.#requireTested();
		else if (standing !== null) await this.#putSecret(standing.version, secret, tag);
		// The first deploy makes the database, so its tables come after it.
		const created = standing === null || first;
		const more = created ? await this.#prepareFirst(standing !== null) : [];
		if (!created) await this.#migrate();
		const uploaded = created ? null : await this.#newest(tag);
		let version = standing?.version ?? '';
		if (uploaded !== null && uploaded === version && standing?.trial === null) {
			this.#say(`– promote    version ${version} of this commit answers already`);
		} else if (standing === null || first || objects) {
			version = await this.#make(['deploy', ...more], tag, message);
			this.#say(`✓ deploy     version ${version}, to everybody at once`);
		} else version = await this.#promote(standing, uploaded, tag, message);
		if (created) await this.#migrate();
		await this.#setRoutesAndRules(created);
		await this.#smoke(version, this.#adviceAt(version));
		const unasked = testKey === null ? ', without a verification: SMOKE_KEY is not set' : '';
		this.#say(created ? '✓ smoke      health and pages' : `✓ smoke      as customers meet it${unasked}`);
		this.#say(`Done: ${url} is answered by version ${version}, commit ${hash}`);
		if (first) await openFirstAccount(this.#world, this.#target, this.#options['secrets-file']);
	}

	/** Gives all customers to an earlier version. Code returns; secrets, data, routes, crons and queues do not. */
	async rollBack(named: string | null): Promise<void> {
		const standing = await this.#platform.standing();
		if (standing === null) throw new Refusal(`There is no Worker ${this.#target.worker}`, 'Deploy it first.');
		// Beside a trial, the version before is the one that customers have.
		const version = named ?? (standing.trial === null ? standing.before[0] : standing.version);
		if (version === undefined)
			throw new Refusal('There is no version before this one', 'Name one: npx wrangler versions list');
		if (version !== standing.version) await this.#requireTodaysSecrets(version, standing);
		// Not `wrangler rollback`: without a terminal it restores older secrets and asks no question.
		if (version !== standing.version || standing.trial !== null)
			await this.#platform.share({ [version]: 100 }, `Back to ${version}`);
		this.#say(`✓ rollback   ${version} answers everybody`);
		await this.#smoke(version, {
			problem: `Version ${version} does not answer as it should`,
			advice: 'Read the log (npx wrangler tail), and look at what else has changed: probers, the database.',
		});
		this.#say('✓ smoke      as customers meet it. Routes, crons and queues are those of the last deploy.');
	}

	/** Refuses a version from before a change of a secret: an old one, such as a leaked one, would be valid again. */
	async #requireTodaysSecrets(version: string, { version: now, before }: Standing): Promise<void> {
		const versions = await this.#platform.versions();
		const at = versions.findIndex(({ id }) => id === version);
		const changed = versions.slice(at + 1).find(({ tag }) => tag === null);
		if (at >= 0 && changed === undefined) return;
		const commitOf = (id: string) => versions.find((one) => one.id === id)?.tag?.slice(0, 12) ?? [];
		const [, commit = 'COMMIT'] = new Set([now, ...before].flatMap(commitOf));
		throw new Refusal(
			at < 0
				? `Version ${version} is not among the ten newest, so its secrets cannot be compared with today's`
				: `Version ${version} has older secrets: ${changed?.id} changed one after it, and a rollback would restore the old one`,
			`Deploy older code with today's secrets: git switch --detach ${commit} && ${this.#again} --tested`,
		);
	}

	/** Returns hash and subject of the current commit. Refuses a working copy that differs from it. */
	async #commit(): Promise<string> {
		const changed = await this.#world.run('git', ['status', '--porcelain'], 'keep');
		if (changed.status !== 0 || changed.stdout.trim() !== '')
			throw new Refusal(
				`There are uncommitted changes:\n${changed.output.trimEnd()}`,
				'Commit them: a deploy is known by its commit.',
			);
		const { stdout } = await this.#world.run('git', ['log', '-1', '--format=%h %s', '--abbrev=12'], 'keep');
		if (!/^[0-9a-f]{12} /.test(stdout))
			throw new Refusal('There is no commit', 'Give the command in a clone of the repository, with git.');
		return stdout.trim().slice(0, 100);
	}

	async #requireUsable(standing: Standing | null): Promise<void> {
		const { environment, worker, url, jurisdiction } = this.#target;
		const { first, objects, testKey } = this.#options;
		if (standing === null) {
			if (first) return;
			throw new Refusal(`There is no Worker ${worker} yet`, `${this.#again} --first (docs/deploy.md)`);
		}
		const hasAccounts = await this.#platform.hasAccounts();
		// An account has an owner, and the first deploy tries nothing before customers meet it.
		if (first && hasAccounts)
			throw new Refusal(`${worker} is in use already`, `Leave --first out: ${this.#again}`);
		// A change of object classes reaches all customers at once, so no answer could hold it back.
		if (!first && testKey === null && !objects)
			throw new Refusal(
				'Without a test key nobody can tell whether the new version verifies',
				`Put one of ${environment} into SMOKE_KEY: npm run -s ops -- key test ACCOUNT --url ${url}`,
			);
		const { jurisdiction: kept } = await this.#platform.version(standing.version);
		if (hasAccounts && kept !== jurisdiction)
			throw new Refusal(
				`Accounts are kept in ${kept ?? 'no jurisdiction'}, and would not be found in ${jurisdiction ?? 'none'}`,
				'Restore JURISDICTION in the settings: accounts cannot move (docs/deploy.md, "European Union").',
			);
	}

	/** Runs the tests, unless they have passed for this commit elsewhere. */
	async #requireTested(): Promise<void> {
		if (this.#options.tested) return this.#say('– test       passed elsewhere, as --tested says');
		if (await this.#passedOnGitHub()) return this.#say('– test       passed on GitHub');
		const { status } = await this.#world.run('npm', ['test'], 'show');
		if (status !== 0) throw new Refusal('The tests fail');
		this.#say('✓ test');
	}

	/** Whether the job `test` of .github/workflows/deploy.yml has passed for this commit, as a public repository tells. */
	async #passedOnGitHub(): Promise<boolean> {
		const { stdout: origin } = await this.#world.run('git', ['remote', 'get-url', 'origin'], 'keep');
		const { stdout: commit } = await this.#world.run('git', ['rev-parse', 'HEAD'], 'keep');
		const [, repository] = /github\.com[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\s*$/.exec(origin) ?? [];
		if (repository === undefined) return false;
		const runs = `https://api.github.com/repos/${repository}/commits/${commit.trim()}/check-runs?check_name=test`;
		const answer = await fetch(runs, { signal: AbortSignal.timeout(10_000) }).catch(() => null);
		if (answer?.ok !== true) return false;
		const { check_runs: all } = await answer.json<{ check_runs: readonly { conclusion: string }[] }>();
		return all.length > 0 && all.every(({ conclusion }) => conclusion === 'success');
	}

	/** Newer code, and code that a rollback ended, would come along with the secret: each waits for a deploy of its own. */
	async #putSecret(version: string, name: string, tag: string): Promise<void> {
		const current = await this.#platform.version(version);
		if (current.tag !== tag)
			throw new Refusal(
				`${this.#target.url} is answered by commit ${current.commit}, not by this commit with these settings`,
				`git switch --detach ${current.tag?.slice(0, 12) ?? 'COMMIT'}; other settings need a deploy of their own first; then the same command.`,
			);
		await this.#platform.run(['versions', 'secret', 'put', name]);
		this.#say(`✓ secret     ${name}`);
	}

	/** Makes the secrets, and a database that has to be in a certain place. Returns the switches of the deploy. */
	async #prepareFirst(isStanding: boolean): Promise<readonly string[]> {
		const { database, jurisdiction } = this.#target;
		const file = await makeSecrets(this.#world, this.#target, this.#options['secrets-file'], isStanding);
		if (jurisdiction !== null) {
			// One that the deploy makes could be anywhere.
			const all = await this.#platform.json<{ name: string }[]>(['d1', 'list']);
			const create = ['d1', 'create', database, '--update-config=false', '--jurisdiction', jurisdiction];
			if (all?.some(({ name }) => name === database) !== true) await this.#platform.run(create);
			this.#say(`✓ database   ${database}, in ${jurisdiction}`);
		}
		return ['--secrets-file', file];
	}

	/** Uploads the version beside the one that answers, asks it by its id, and then gives it all customers. */
	async #promote({ version: old, trial }: Standing, uploaded: string | null, tag: string, message: string) {
		const { worker, url } = this.#target;
		const version = uploaded ?? (await this.#make(['versions', 'upload'], tag, message));
		const exists = `– upload     version ${version} exists`;
		this.#say(uploaded === null ? `✓ upload     version ${version}` : exists);
		if (trial !== version) await this.#platform.share({ [old]: 100, [version]: 0 }, `Trial of ${message}`);
		this.#say(`✓ trial      ${version} answers requests that name it; customers have ${old}`);
		const override = `${worker}="${version}"`;
		await this.#smoke(version, {
			headers: { [OVERRIDE]: override },
			problem: `Version ${version} is not promoted, and no customer meets it`,
			advice: `Ask it yourself: curl -si ${url}/healthz -H '${OVERRIDE}: ${override}'\nCorrect it, commit, and deploy again; new tables do no harm.`,
		});
		this.#say('✓ smoke      health, pages and a verification with the test key');
		await this.#platform.share({ [version]: 100 }, message);
		this.#say(`✓ promote    ${version} answers everybody`);
		return version;
	}

	/** Runs a command that makes a version, and returns the version's id. */
	async #make(words: readonly string[], tag: string, message: string): Promise<string> {
		await this.#platform.run([...words, '--tag', tag, '--message', message]);
		const version = await this.#newest(tag);
		if (version === null) throw new Refusal('Cloudflare does not list the version that Wrangler made');
		return version;
	}

	/** Returns the newest version if it has this tag. A changed secret makes a newer one, which an older upload would undo. */
	async #newest(tag: string): Promise<string | null> {
		const newest = (await this.#platform.versions()).at(-1);
		return newest?.tag === tag ? newest.id : null;
	}

	/** Asks the version for health, a page and a verification. Throws a Refusal where an answer is wrong. */
	async #smoke(
		version: string,
		{ headers = {}, problem, advice }: { headers?: object; problem: string; advice: string },
	): Promise<void> {
		const asked = { url: this.#target.url, headers: headers as Readonly<Record<string, string>> };
		// Before the first deploy there is no test key: one in the environment belongs to another service.
		const testKey = this.#options.first ? null : this.#options.testKey;
		let wrong = await healthProblem(asked, version);
		for (let waited = 0; wrong !== null && waited < PATIENCE_MS; waited += PAUSE_MS) {
			await this.#world.sleep(PAUSE_MS);
			wrong = await healthProblem(asked, version);
		}
		const problems = [wrong];
		if (wrong === null) {
			problems.push(await pageProblem(asked));
			if (testKey !== null) problems.push(await verifyProblem(asked, testKey));
			// Asked again, so that this version gave the answers in between.
			problems.push(await healthProblem(asked, version));
		}
		const lines = problems.flatMap((line) => (line === null ? [] : [`  ${line}`]));
		if (lines.length > 0) throw new Refusal([`${problem}:`, ...lines].join('\n'), advice);
	}

	#adviceAt(version: string): { problem: string; advice: string } {
		const { first, objects } = this.#options;
		const problem = first
			? 'The service does not answer as it should'
			: `All customers meet version ${version}, and it does not answer as it should`;
		const advice = first
			? 'A new name takes minutes until it can be reached. Correct the rest, and give the same command again.'
			: `Back to the version before: ${this.#again} rollback`;
		const final = 'No rollback undoes a change of object classes. Correct it, and deploy again.';
		return { problem, advice: objects ? final : advice };
	}

	/** Sets routes, unless the deploy was whole, and how long the bucket keeps what the alarms of accounts did not delete. */
	async #setRoutesAndRules(isWhole: boolean): Promise<void> {
		const { bucket, jurisdiction } = this.#target;
		if (!isWhole) {
			await this.#platform.run(['triggers', 'deploy']);
			this.#say('✓ triggers   routes, crons and queue consumers');
		}
		const where = jurisdiction === null ? [] : ['--jurisdiction', jurisdiction];
		const set = ['r2', 'bucket', 'lifecycle', 'set', bucket];
		await this.#platform.run([...set, '--file', LIFECYCLE, '--force', ...where]);
		this.#say(`✓ lifecycle  rules of the bucket ${bucket}, from ${LIFECYCLE}`);
	}

	/** Applies new migrations before the code that needs them. They only add, so that older code runs on them as well. */
	async #migrate(): Promise<void> {
		const { output } = await this.#platform.run(['d1', 'migrations', 'apply', 'DB', '--remote']);
		const names = [...new Set(output.match(/\b\d{4}_\w+\.sql\b/g))];
		this.#say(names.length > 0 ? `✓ migrate    ${names.join(', ')}` : '– migrate    nothing to do');
	}
}
