import { commitAtHand, requireSamePlace, requireTested, requireUsable } from './checks.ts';
import type { Commit, DeployRequest } from './checks.ts';
import type { Migration } from './migrations.ts';
import { readMigrations } from './migrations.ts';
import { ObjectsDiffer, Platform } from './platform.ts';
import type { Standing } from './platform.ts';
import { overrideFor, smoke } from './smoke.ts';
import type { Target } from './target.ts';
import { Refusal } from './world.ts';
import type { World } from './world.ts';

// Each step looks first whether it has been done, so a deploy that broke off is given again as it was.

/** An object that works keeps its code for up to five minutes after a deploy; half a minute more for clocks. */
const OLD_CODE_MS = 330_000;
const MESSAGE_MAX = 100;
const LIFECYCLE = 'deploy/lifecycle.json';

interface Deploy {
	readonly world: World;
	readonly target: Target;
	readonly platform: Platform;
	readonly request: DeployRequest;
	readonly commit: Commit;
	readonly migrations: readonly Migration[];
}

/** Brings the commit at hand to an environment. Throws a Refusal where it goes no further. */
export async function deploy(world: World, target: Target, request: DeployRequest): Promise<void> {
	const platform = new Platform(world, target);
	world.say(`Deploying to ${target.environment}: ${target.worker} at ${target.url}`);
	const commit = await commitAtHand(world);
	const migrations = readMigrations(request.migrationsFolder);
	const standing = await platform.standing();
	requireUsable(standing, target, request);
	await requireSamePlace(platform, standing, target);
	world.say(`✓ check      commit ${commit.hash}, ${commit.subject}`);
	await requireTested(world, request);
	const one: Deploy = { world, target, platform, request, commit, migrations };
	const version =
		request.first === null
			? await deployNext(one, standing)
			: await deployFirst(one, standing, request.first);
	await takeAway(one, version);
	world.say(`Done: ${target.url} is answered by version ${version}, commit ${commit.hash}`);
}

/** Everything that does not exist yet. Nobody is a customer, so nothing has to be tried beside them. */
async function deployFirst(
	{ world, target, platform, commit, migrations }: Deploy,
	standing: Standing,
	{ secretsFile }: { readonly secretsFile: string },
): Promise<string> {
	// Somebody who has an account is a customer, whom nothing untried may meet.
	if (standing.kind !== 'none' && (await platform.hasAccounts()))
		throw new Refusal(
			`${target.worker} is in use already`,
			`Leave --first out: npm run deploy -- ${target.environment}`,
		);
	if (target.jurisdiction !== null && (await platform.makeDatabase()))
		world.say(`✓ database   ${target.database}, in ${target.jurisdiction}`);
	const version = await platform.deployWhole(commit.hash, messageOf(commit), secretsFile);
	world.say(`✓ deploy     version ${version}, with database, bucket, queues and secrets`);
	// No code has used what some of them take away.
	await apply(world, platform, migrations, 'migrate');
	await platform.setLifecycle(LIFECYCLE);
	world.say(`✓ lifecycle  rules of the bucket ${target.bucket}, from ${LIFECYCLE}`);
	const problems = await smoke(world, target, { version, isTrial: false, testKey: null });
	if (problems.length > 0)
		throw new Refusal(
			`The service does not answer as it should:\n${listed(problems)}`,
			'A new name takes some minutes until it can be reached. Mend the rest, and give the same command again.',
		);
	world.say('✓ smoke      health and pages; a verification needs a test key, which needs an account');
	return version;
}

/** What every later deploy does. */
async function deployNext(one: Deploy, standing: Standing): Promise<string> {
	const { world, target, platform, request, migrations } = one;
	await apply(
		world,
		platform,
		migrations.filter(({ kind }) => kind === 'adds'),
		'add',
	);
	const version = request.objects ? await replace(one, standing) : await tryAndPromote(one, standing);
	await platform.deployTriggers();
	world.say('✓ triggers   routes, crons and queue consumers');
	const problems = await smoke(world, target, { version, isTrial: false, testKey: request.testKey });
	if (problems.length > 0)
		throw new Refusal(
			`All customers meet version ${version}, and it does not answer as it should:\n${listed(problems)}`,
			request.objects
				? 'There is no way back over a change of object classes. Mend it, and deploy again.'
				: `Back to the version before: npm run deploy -- ${target.environment} rollback`,
		);
	const unasked = request.testKey === null ? ', without a verification: SMOKE_KEY is not set' : '';
	world.say(`✓ smoke      as customers meet it${unasked}`);
	return version;
}

/** Uploads the version beside the one that answers, asks it by its id, and then gives it to everybody. */
async function tryAndPromote(one: Deploy, standing: Standing): Promise<string> {
	const { world, target, platform, request, commit } = one;
	if (standing.kind !== 'one' && standing.kind !== 'trial') throw new Error('a Worker is deployed');
	if (standing.kind === 'one' && (await commitOf(platform, standing.version)) === commit.hash) {
		world.say(`– promote    version ${standing.version} of this commit answers already`);
		return standing.version;
	}
	const version = await withoutObjects(target, () => uploaded(one));
	const isBeside = standing.kind === 'trial' && standing.trial === version;
	if (!isBeside)
		await withoutObjects(target, () =>
			platform.share(
				{ [standing.version]: 100, [version]: 0 },
				`Trial of ${messageOf(commit)}`.slice(0, MESSAGE_MAX),
			),
		);
	world.say(`✓ trial      ${version} answers those who ask for it; customers have ${standing.version}`);
	const problems = await smoke(world, target, { version, isTrial: true, testKey: request.testKey });
	if (problems.length > 0) throw refuseTrial(target, version, problems);
	world.say('✓ smoke      health, pages and a verification with the test key');
	await platform.share({ [version]: 100 }, messageOf(commit));
	world.say(`✓ promote    ${version} answers everybody`);
	return version;
}

/** The version of this commit, uploaded unless it is the newest there is. */
async function uploaded({ world, platform, commit }: Deploy): Promise<string> {
	// Secrets that were changed since have made a newer version, whose secrets an older one would undo.
	const newest = (await platform.versions()).at(-1);
	if (newest?.commit === commit.hash) {
		world.say(`– upload     version ${newest.id} of this commit is there`);
		return newest.id;
	}
	const version = await platform.upload(commit.hash, messageOf(commit));
	world.say(`✓ upload     version ${version}`);
	return version;
}

/** All at once: object classes are made and deleted by a deploy alone. */
async function replace({ world, platform, commit }: Deploy, standing: Standing): Promise<string> {
	if (standing.kind === 'one' && (await commitOf(platform, standing.version)) === commit.hash) {
		world.say(`– deploy     version ${standing.version} of this commit answers already`);
		return standing.version;
	}
	const version = await platform.deployWhole(commit.hash, messageOf(commit), null);
	world.say(`✓ deploy     version ${version}, to everybody at once`);
	return version;
}

/** What old code needs goes when none of it runs any more. */
async function takeAway({ world, target, platform, migrations }: Deploy, version: string): Promise<void> {
	const applied = await platform.appliedMigrations();
	if (migrations.some(({ name }) => !applied.has(name))) {
		const since = await sinceAlone(platform, target, version);
		const rest = since + OLD_CODE_MS - world.now();
		if (rest > 0) {
			world.say(`… take away  ${Math.ceil(rest / 1000)} s: until then objects may run the code before`);
			await world.sleep(rest);
			// Meanwhile somebody may have gone back to the code that needs it.
			await sinceAlone(platform, target, version);
		}
	}
	// What adds is there by now.
	await apply(world, platform, migrations, 'take away');
}

/** Since when the version answers everybody. */
async function sinceAlone(platform: Platform, target: Target, version: string): Promise<number> {
	const standing = await platform.standing();
	if (standing.kind === 'one' && standing.version === version) return standing.since;
	throw new Refusal(
		`Version ${version} is not the one that answers everybody any more, so nothing is taken away`,
		`See who answers: npx wrangler deployments status --env ${target.environment}`,
	);
}

async function apply(
	world: World,
	platform: Platform,
	migrations: readonly Migration[],
	step: string,
): Promise<void> {
	const applied = await platform.appliedMigrations();
	const pending = migrations.filter(({ name }) => !applied.has(name));
	if (pending.length > 0) await platform.applyMigrations(pending);
	const what = pending.length === 0 ? 'nothing to do' : pending.map(({ name }) => name).join(', ');
	world.say(`${pending.length === 0 ? '–' : '✓'} ${step.padEnd(10)} ${what}`);
}

async function commitOf(platform: Platform, version: string): Promise<string | null> {
	return (await platform.versions()).find(({ id }) => id === version)?.commit ?? null;
}

async function withoutObjects<T>(target: Target, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof ObjectsDiffer)) throw error;
		throw new Refusal(
			'This version has other object classes than the one that answers, so it cannot stand beside it',
			`Deploy that change by itself: npm run deploy -- ${target.environment} --objects. All customers get it at once, and there is no way back over it.`,
		);
	}
}

function refuseTrial(target: Target, version: string, problems: readonly string[]): Refusal {
	const [[header, value] = []] = Object.entries(overrideFor(target.worker, version));
	return new Refusal(
		`Version ${version} is not promoted, and no customer meets it:\n${listed(problems)}`,
		`Ask it yourself: curl -si ${target.url}/healthz -H '${header}: ${value}'\nMend it, commit, and deploy again; what was added to the database does no harm.`,
	);
}

function messageOf({ hash, subject }: Commit): string {
	return `${hash} ${subject}`.slice(0, MESSAGE_MAX);
}

function listed(problems: readonly string[]): string {
	return problems.map((problem) => `  ${problem}`).join('\n');
}
