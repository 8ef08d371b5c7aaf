import { readMigrations } from './migrations.ts';
import { Platform } from './platform.ts';
import type { Standing } from './platform.ts';
import { overrideFor, requireWell } from './smoke.ts';
import type { Target } from './target.ts';
import { Refusal } from './world.ts';
import type { World } from './world.ts';

// Each step first looks whether it is done, so the same command continues a deploy that broke off.

/** An object that works keeps its code for up to five minutes after a deploy; half a minute more for clocks. */
const OLD_CODE_MS = 330_000;
const LIFECYCLE = 'deploy/lifecycle.json';

export interface DeployRequest {
	/** Secrets of the first deploy, which makes whatever does not exist; null: the Worker exists. */
	readonly secretsFile: string | null;
	/** The set of object classes changes: deployed to everybody at once, since no trial is possible. */
	readonly objects: boolean;
	/** A secret to change first, in the code that answers; null: none. */
	readonly secret: string | null;
	/** The code that answers no longer uses what the new migrations take away. */
	readonly takesAway: boolean;
	/** The tests of this commit have passed elsewhere. */
	readonly isTested: boolean;
	readonly testKey: string | null;
	readonly migrations: string;
}

interface Deploy {
	readonly world: World;
	readonly target: Target;
	readonly platform: Platform;
	readonly request: DeployRequest;
	/** Commit and settings. */
	readonly tag: string;
	readonly message: string;
}

/** Brings the current commit to an environment. Throws a Refusal where it stops. */
export async function deploy(world: World, target: Target, request: DeployRequest): Promise<void> {
	const platform = new Platform(world, target);
	world.say(`Deploying to ${target.environment}: ${target.worker} at ${target.url}`);
	const message = await commitOf(world);
	const hash = message.slice(0, 12);
	const one: Deploy = { world, target, platform, request, tag: `${hash}.${target.settingsHash}`, message };
	const standing = await platform.standing();
	await requireUsable(one, standing);
	world.say(`✓ check      commit ${message}`);
	if (request.secret === null) await requireTested(world, request);
	else if (standing !== null) await putSecret(one, standing.version, request.secret);
	const version = standing === null ? await deployFirst(one) : await deployNext(one, standing);
	world.say(`Done: ${target.url} is answered by version ${version}, commit ${hash}`);
}

/** Returns hash and subject of the current commit. Refuses a working copy that differs from it. */
async function commitOf(world: World): Promise<string> {
	const changed = await world.run('git', ['status', '--porcelain'], 'keep');
	if (changed.status !== 0 || changed.stdout.trim() !== '')
		throw new Refusal(
			`There are uncommitted changes:\n${changed.output.trimEnd()}`,
			'Commit them: a deploy is known by its commit.',
		);
	const { stdout } = await world.run('git', ['log', '-1', '--format=%h %s', '--abbrev=12'], 'keep');
	if (!/^[0-9a-f]{12} /.test(stdout))
		throw new Refusal('There is no commit', 'Give the command in a clone of the repository, with git.');
	return stdout.trim().slice(0, 100);
}

async function requireUsable(
	{ target, platform, request }: Deploy,
	standing: Standing | null,
): Promise<void> {
	const { environment: name, worker, url, jurisdiction } = target;
	const isFirst = request.secretsFile !== null;
	if (standing === null) {
		if (isFirst) return;
		throw new Refusal(
			`There is no Worker ${worker} yet`,
			`npm run deploy -- ${name} --first --secrets-file FILE (docs/deploy.md)`,
		);
	}
	const [row] = await platform.select<{ accounts: number }>('count(*) AS accounts', 'accounts');
	const hasAccounts = (row?.accounts ?? 0) > 0;
	// An account has an owner, and the first deploy tries nothing before customers meet it.
	if (isFirst && hasAccounts)
		throw new Refusal(`${worker} is in use already`, `Leave --first out: npm run deploy -- ${name}`);
	// A change of object classes reaches all customers at once, so no answer could hold it back.
	if (!isFirst && request.testKey === null && !request.objects)
		throw new Refusal(
			'Without a test key nobody can tell whether the new version verifies',
			`Put one of ${name} into SMOKE_KEY: npm run -s ops -- key test ACCOUNT --url ${url}`,
		);
	const { jurisdiction: kept } = await platform.view(standing.version);
	if (hasAccounts && kept !== jurisdiction)
		throw new Refusal(
			`Accounts are kept in ${kept ?? 'no jurisdiction'}, and would not be found in ${jurisdiction ?? 'none'}`,
			'Restore JURISDICTION in the settings: accounts cannot move (docs/deploy.md, section 8).',
		);
}

/** Newer code, and code that a rollback ended, would come along with the secret: each waits for a deploy of its own. */
async function putSecret(
	{ world, target, platform, tag }: Deploy,
	version: string,
	name: string,
): Promise<void> {
	const answers = await platform.view(version);
	if (answers.tag !== tag)
		throw new Refusal(
			`${target.url} is answered by commit ${answers.commit}, not by this commit with these settings`,
			`git switch --detach ${answers.tag?.slice(0, 12) ?? 'COMMIT'}; other settings need a deploy of their own first; then the same command.`,
		);
	await platform.run(['versions', 'secret', 'put', name], 'The secret could not be changed', true);
	world.say(`✓ secret     ${name}`);
}

async function requireTested(world: World, { isTested }: DeployRequest): Promise<void> {
	if (isTested) return world.say('– test       passed elsewhere, as --tested says');
	const { status } = await world.run('npm', ['test'], 'show');
	if (status !== 0) throw new Refusal('The tests fail', 'Correct that, and give the same command again.');
	world.say('✓ test');
}

/** Makes everything. There are no customers, so nothing is tried beside an older version. */
async function deployFirst(one: Deploy): Promise<string> {
	const { world, target, platform, request } = one;
	const { database, jurisdiction } = target;
	const where = jurisdiction === null ? [] : ['--jurisdiction', jurisdiction];
	if (jurisdiction !== null) {
		// One that the deploy makes could be anywhere.
		const result = await platform.run(['d1', 'list', '--json'], 'The databases could not be listed');
		const names = (JSON.parse(result.stdout) as readonly { name: string }[]).map(({ name }) => name);
		const create = ['d1', 'create', database, '--update-config=false', ...where];
		if (!names.includes(database)) await platform.run(create, 'The database could not be made');
		world.say(`✓ database   ${database}, in ${jurisdiction}`);
	}
	const version = await deployWhole(one);
	await migrate(one, null);
	await setLifecycle(one);
	await requireWell(world, target, {
		version,
		testKey: request.testKey,
		problem: 'The service does not answer as it should',
		advice:
			'A new name takes minutes until it can be reached. Correct the rest, and give the same command again.',
	});
	world.say('✓ smoke      health and pages');
	return version;
}

/** Sets how long the bucket keeps what the alarms of accounts did not delete. */
async function setLifecycle({ world, target: { bucket, jurisdiction }, platform }: Deploy): Promise<void> {
	const where = jurisdiction === null ? [] : ['--jurisdiction', jurisdiction];
	const rules = ['r2', 'bucket', 'lifecycle', 'set', bucket, '--file', LIFECYCLE, '--force', ...where];
	await platform.run(rules, 'The bucket’s rules could not be set');
	world.say(`✓ lifecycle  rules of the bucket ${bucket}, from ${LIFECYCLE}`);
}

/** Deploys to everybody at once: only that makes what does not exist, and changes object classes. */
async function deployWhole({ world, platform, request, tag, message }: Deploy): Promise<string> {
	const secrets = request.secretsFile === null ? [] : ['--secrets-file', request.secretsFile];
	const args = ['deploy', '--tag', tag, '--message', message, ...secrets];
	const version = await platform.make(args, 'The code could not be deployed');
	world.say(`✓ deploy     version ${version}, to everybody at once`);
	return version;
}

async function deployNext(one: Deploy, standing: Standing): Promise<string> {
	const { world, target, platform, request, tag } = one;
	if (request.secretsFile !== null) return deployFirst(one);
	await migrate(one, standing);
	const newest = (await platform.versions()).at(-1);
	// A changed secret makes a newer version, which an older upload would undo.
	const made = newest?.tag === tag ? newest.id : null;
	const isDone = made === standing.version && standing.trial === null;
	if (isDone) world.say(`– promote    version ${made} of this commit answers already`);
	const version = isDone
		? standing.version
		: await (request.objects ? deployWhole(one) : promote(one, standing, made));
	await platform.run(['triggers', 'deploy'], 'Routes, crons and queues could not be set');
	world.say('✓ triggers   routes, crons and queue consumers');
	await setLifecycle(one);
	await requireWell(world, target, {
		version,
		testKey: request.testKey,
		problem: `All customers meet version ${version}, and it does not answer as it should`,
		advice: request.objects
			? 'No rollback undoes a change of object classes. Correct it, and deploy again.'
			: `Back to the version before: npm run deploy -- ${target.environment} rollback`,
	});
	const unasked = request.testKey === null ? ', without a verification: SMOKE_KEY is not set' : '';
	world.say(`✓ smoke      as customers meet it${unasked}`);
	return version;
}

/** Applies new migrations before the code that needs them. Older code runs on them during the trial and after a rollback. */
async function migrate(
	{ world, target, platform, request }: Deploy,
	standing: Standing | null,
): Promise<void> {
	const all = await readMigrations(platform, request.migrations);
	const pending = all.filter(({ appliedAt }) => appliedAt === null);
	if (pending.length === 0) return world.say('– migrate    nothing to do');
	const names = pending.map(({ name }) => name).join(', ');
	if (standing !== null && pending.some(({ takesAway }) => takesAway)) {
		if (!request.takesAway)
			throw new Refusal(
				`${names}: a migration takes away what the code that answers may use`,
				`First deploy the code that no longer uses it; then this migration: npm run deploy -- ${target.environment} --takes-away`,
			);
		const restMs = standing.since + OLD_CODE_MS - world.now();
		if (restMs > 0)
			throw new Refusal(
				'Objects may still run the code before the last deploy',
				`Give the same command again in ${Math.ceil(restMs / 1000)} s.`,
			);
	}
	const apply = ['d1', 'migrations', 'apply', 'DB', '--remote'];
	await platform.run(apply, 'A migration could not be applied');
	world.say(`✓ migrate    ${names}`);
}

/** Uploads the version beside the one that answers, asks it by its id, and then gives it all customers. */
async function promote(one: Deploy, standing: Standing, made: string | null): Promise<string> {
	const { world, target, platform, request, tag, message } = one;
	const upload = ['versions', 'upload', '--tag', tag, '--message', message];
	const version = made ?? (await platform.make(upload, 'The version could not be uploaded'));
	world.say(made === null ? `✓ upload     version ${version}` : `– upload     version ${version} exists`);
	if (standing.trial !== version)
		await platform.share({ [standing.version]: 100, [version]: 0 }, `Trial of ${message}`);
	world.say(`✓ trial      ${version} answers requests that name it; customers have ${standing.version}`);
	const [[header, value] = []] = Object.entries(overrideFor(target.worker, version));
	await requireWell(world, target, {
		version,
		isTrial: true,
		testKey: request.testKey,
		problem: `Version ${version} is not promoted, and no customer meets it`,
		advice: `Ask it yourself: curl -si ${target.url}/healthz -H '${header}: ${value}'\nCorrect it, commit, and deploy again; new tables do no harm.`,
	});
	world.say('✓ smoke      health, pages and a verification with the test key');
	await platform.share({ [version]: 100 }, message);
	world.say(`✓ promote    ${version} answers everybody`);
	return version;
}

/** Says which commit answers. */
export async function showStatus(world: World, target: Target): Promise<void> {
	const platform = new Platform(world, target);
	const standing = await platform.standing();
	if (standing === null) return world.say(`There is no Worker ${target.worker} yet`);
	const { tag, commit } = await platform.view(standing.version);
	world.say(`${target.url} is answered by version ${standing.version}, commit ${commit}`);
	if (tag !== null && !tag.endsWith(target.settingsHash))
		world.say('Its settings are not those of your file');
	if (standing.trial !== null) world.say(`Version ${standing.trial} is on trial, and no customer meets it`);
}
