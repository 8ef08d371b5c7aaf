import type { Platform, Standing } from './platform.ts';
import type { Target } from './target.ts';
import { Refusal } from './world.ts';
import type { World } from './world.ts';

// What has to be so before anything is changed.

export interface DeployRequest {
	/** Secrets for the first deploy, which makes what does not exist; null: the Worker is there. */
	readonly first: { readonly secretsFile: string } | null;
	/** The set of object classes changes: deployed at once to everybody, since no trial is possible. */
	readonly objects: boolean;
	/** The tests of this commit have passed elsewhere. */
	readonly isTested: boolean;
	readonly testKey: string | null;
	readonly migrationsFolder?: string;
}

export interface Commit {
	readonly hash: string;
	readonly subject: string;
}

/** What would be deployed. Refuses a working copy that differs from it. */
export async function commitAtHand(world: World): Promise<Commit> {
	const changed = await world.run('git', ['status', '--porcelain'], 'keep');
	if (changed.status !== 0 || changed.stdout.trim() !== '')
		throw new Refusal(
			`There are changes that no commit has:\n${changed.output.trimEnd()}`,
			'Commit them: what is deployed is known by its commit.',
		);
	const said = await world.run('git', ['log', '-1', '--format=%h %s', '--abbrev=12'], 'keep');
	const [, hash, subject = ''] = /^(\S+) (.*)/.exec(said.stdout) ?? [];
	if (hash === undefined)
		throw new Refusal('There is no commit', 'Give the command in a copy of the repository, with git.');
	return { hash, subject };
}

/** Refuses where a deploy could not be tried, or nobody would know how it went. */
export function requireUsable(
	standing: Standing,
	target: Target,
	{ first, objects, testKey }: DeployRequest,
): void {
	const name = target.environment;
	if (standing.kind === 'split')
		throw new Refusal(
			'Two versions share the customers, which nobody here has begun',
			`Let one have all of them: npx wrangler versions deploy --env ${name}`,
		);
	if (first !== null) return;
	if (standing.kind === 'none')
		throw new Refusal(
			`There is no Worker ${target.worker} yet`,
			`npm run deploy -- ${name} --first --secrets-file FILE (docs/deploy.md)`,
		);
	// What all customers meet at once can't be kept from them by what it answers.
	if (testKey === null && !objects)
		throw new Refusal(
			'Without a test key nobody could tell whether the new version verifies',
			`Put one of ${name} into SMOKE_KEY: npm run -s ops -- key test ACCOUNT --url ${target.url}`,
		);
}

/** In another jurisdiction every account would be a new and empty one, and every key unknown. */
export async function requireSamePlace(
	platform: Platform,
	standing: Standing,
	target: Target,
): Promise<void> {
	if (standing.kind !== 'one' && standing.kind !== 'trial') return;
	const kept = (await platform.variableOf(standing.version, 'JURISDICTION')) || null;
	if (kept === target.jurisdiction || !(await platform.hasAccounts())) return;
	throw new Refusal(
		`Accounts are kept in ${kept ?? 'no jurisdiction'}, and would not be found in ${target.jurisdiction ?? 'none'}`,
		'Put JURISDICTION back as it was: what is kept does not move (docs/deploy.md, section 12).',
	);
}

/** Runs all tests, unless they have run. */
export async function requireTested(world: World, { isTested }: DeployRequest): Promise<void> {
	if (isTested) {
		world.say('– test       they have passed elsewhere, as --tested says');
		return;
	}
	const { status } = await world.run('npm', ['test'], 'show');
	if (status !== 0)
		throw new Refusal('The tests fail', 'Mend what they say, and give the same command again.');
	world.say('✓ test');
}

const SECRETS = ['KEY_SIGNING_SECRET', 'OPERATOR_TOKEN', 'PROBERS'];

/** What a file of secrets (`NAME=value` lines) lacks, without any of its values; null: nothing. */
export function secretsProblem(text: string): string | null {
	const missing = SECRETS.filter((name) => !new RegExp(`^${name}=["']?[^\\s"']`, 'm').test(text));
	if (missing.length > 0) return `lacks ${missing.join(', ')}`;
	// As docs/deploy.md writes it, for the reader to fill in.
	return /\/\/TOKEN\d*@/.test(text) ? 'still has TOKEN in the place of a prober’s token' : null;
}
