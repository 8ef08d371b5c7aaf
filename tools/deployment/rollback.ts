import { readMigrations } from './migrations.ts';
import { Platform } from './platform.ts';
import { smoke } from './smoke.ts';
import type { Target } from './target.ts';
import { Refusal } from './world.ts';
import type { World } from './world.ts';

export interface RollbackRequest {
	/** The version to go back to; null: the one that answered before. */
	readonly version: string | null;
	/** Go back even where the database lacks what that version needs. */
	readonly anyway: boolean;
	readonly testKey: string | null;
	readonly migrationsFolder?: string;
}

/** Has an earlier version answer everybody. Code goes back; data, routes, crons and queues do not. */
export async function rollBack(world: World, target: Target, request: RollbackRequest): Promise<void> {
	const platform = new Platform(world, target);
	const standing = await platform.standing();
	if (standing.kind === 'none') throw new Refusal(`There is no Worker ${target.worker}`, 'Deploy it first.');
	const current = standing.kind === 'one' ? standing.version : '';
	// Beside a trial, the version before is the one that customers have.
	const before = standing.kind === 'trial' ? standing.version : await platform.versionBefore(current);
	const version = request.version ?? before;
	if (version === null)
		throw new Refusal('There is no version before this one', 'Name one: npx wrangler versions list');
	if (version === current) {
		world.say(`– rollback   version ${version} answers already`);
	} else {
		if (!request.anyway) await requireItsTables(world, platform, version, request.migrationsFolder);
		await platform.rollBack(version, `Back to ${version}`);
		world.say(`✓ rollback   ${version} answers everybody`);
	}
	const problems = await smoke(world, target, { version, isTrial: false, testKey: request.testKey });
	if (problems.length > 0)
		throw new Refusal(
			`Version ${version} does not answer as it should:\n${problems.map((one) => `  ${one}`).join('\n')}`,
			'Look at the log (npx wrangler tail), and at what else has changed: secrets, probers, the database.',
		);
	world.say(`✓ smoke      as customers meet it. Routes, crons and queues are as they were deployed last.`);
}

/** Refuses where a migration has taken away what the version's code may still use. */
async function requireItsTables(
	world: World,
	platform: Platform,
	version: string,
	folder = 'migrations',
): Promise<void> {
	const applied = await platform.appliedMigrations();
	const taken = readMigrations(folder).filter(({ kind, name }) => kind === 'takes_away' && applied.has(name));
	if (taken.length === 0) return;
	const commit = (await platform.versions()).find(({ id }) => id === version)?.commit ?? null;
	const known =
		commit === null
			? null
			: await world.run('git', ['ls-tree', '--name-only', commit, 'migrations/'], 'keep');
	const names = known?.status === 0 ? known.stdout.split('\n').map((line) => line.replace(/^.*\//, '')) : [];
	const missed = taken.filter(({ name }) => !names.includes(name));
	if (missed.length > 0)
		throw new Refusal(
			`Version ${version} may need what ${missed.map(({ name }) => name).join(', ')} took away`,
			'Give the database that back first, by hand; then the same command with --anyway.',
		);
}
