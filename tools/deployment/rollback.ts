import { readMigrations } from './migrations.ts';
import { Platform } from './platform.ts';
import type { Version } from './platform.ts';
import { requireWell } from './smoke.ts';
import type { Target } from './target.ts';
import { Refusal } from './world.ts';
import type { World } from './world.ts';

export interface RollbackRequest {
	/** The version to return to; null: the one that answered before. */
	readonly version: string | null;
	/** Return even where the database lacks what that version needs. */
	readonly anyway: boolean;
	readonly testKey: string | null;
	readonly migrations: string;
}

/** Gives all customers to an earlier version. Code returns; secrets, data, routes, crons and queues do not. */
export async function rollBack(world: World, target: Target, request: RollbackRequest): Promise<void> {
	const platform = new Platform(world, target);
	const standing = await platform.standing();
	if (standing === null) throw new Refusal(`There is no Worker ${target.worker}`, 'Deploy it first.');
	const answered = await platform.answeredBefore();
	// Beside a trial, the version before is the one that customers have.
	const before = standing.trial === null ? answered.find((id) => id !== standing.version) : standing.version;
	const version = request.version ?? before;
	if (version === undefined)
		throw new Refusal('There is no version before this one', 'Name one: npx wrangler versions list');
	if (version !== standing.version) {
		const versions = await platform.versions();
		requireTodaysSecrets(target, version, versions, answered);
		if (!request.anyway) await requireItsTables(platform, version, versions, request.migrations);
	}
	// Not `wrangler rollback`: without a terminal it restores older secrets and asks no question.
	if (version !== standing.version || standing.trial !== null)
		await platform.share({ [version]: 100 }, `Back to ${version}`);
	world.say(`✓ rollback   ${version} answers everybody`);
	await requireWell(world, target, {
		version,
		testKey: request.testKey,
		problem: `Version ${version} does not answer as it should`,
		advice: 'Read the log (npx wrangler tail), and look at what else has changed: probers, the database.',
	});
	world.say('✓ smoke      as customers meet it. Routes, crons and queues are those of the last deploy.');
}

/** Refuses a version from before a change of a secret: its old secrets, such as a leaked one, would be valid again. */
function requireTodaysSecrets(
	{ environment }: Target,
	version: string,
	versions: readonly Version[],
	answered: readonly string[],
): void {
	const at = versions.findIndex(({ id }) => id === version);
	const changed = versions.slice(at + 1).find(({ tag }) => tag === null);
	if (at >= 0 && changed === undefined) return;
	const tagOf = (id: string): string | null => versions.find((one) => one.id === id)?.tag ?? null;
	const commits = new Set(answered.flatMap((id) => tagOf(id)?.slice(0, 12) ?? []));
	const [, commit = 'COMMIT'] = commits;
	throw new Refusal(
		at < 0
			? `Version ${version} is not among the ten newest, so its secrets cannot be compared with today's`
			: `Version ${version} has older secrets: ${changed?.id} changed one after it, and a rollback would restore the old one`,
		`Deploy older code with today's secrets: git switch --detach ${commit} && npm run deploy -- ${environment} --tested`,
	);
}

/** Refuses where a migration has removed something that the version's code may use. */
async function requireItsTables(
	platform: Platform,
	version: string,
	versions: readonly Version[],
	folder: string,
): Promise<void> {
	const createdAt = versions.find(({ id }) => id === version)?.createdAt ?? 0;
	const removed = (await readMigrations(platform, folder))
		.filter(({ takesAway, appliedAt }) => takesAway && appliedAt !== null && appliedAt > createdAt)
		.map(({ name }) => name);
	if (removed.length > 0)
		throw new Refusal(
			`Version ${version} may need what ${removed.join(', ')} took away after it was made`,
			'Restore that in the database by hand, unless its code does without; then the same command with --anyway.',
		);
}
