import { Refusal } from './world.ts';

export const ENVIRONMENTS = ['staging', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Where a deploy goes, as wrangler.toml says. */
export interface Target {
	readonly environment: Environment;
	/** The Worker's name. */
	readonly worker: string;
	/** PUBLIC_URL, without a slash at its end. */
	readonly url: string;
	readonly database: string;
	readonly bucket: string;
	readonly accountId: string | null;
	/** Where accounts and results are kept; null: anywhere. */
	readonly jurisdiction: string | null;
}

/** Reads the environment, and refuses one that nobody could reach. */
export async function readTarget(environment: Environment, file = 'wrangler.toml'): Promise<Target> {
	// It is large, and a command line that is wrong is told so without it.
	const { unstable_readConfig: readConfig } = await import('wrangler');
	const config = readConfig({ config: file, env: environment }, { hideWarnings: true });
	const url = config.vars['PUBLIC_URL'];
	const hosts = (config.routes ?? []).map((route: string | { pattern: string }) =>
		typeof route === 'string' ? route : route.pattern,
	);
	const kept = config.vars['JURISDICTION'];
	const jurisdiction = typeof kept === 'string' && kept !== '' ? kept : null;
	const { name, d1_databases: databases, r2_buckets: buckets, account_id: accountId } = config;
	if (typeof url !== 'string' || !hosts.includes(new URL(url).host))
		throw new Refusal(
			`PUBLIC_URL of ${environment} is not an address that its routes name`,
			`In wrangler.toml, give [env.${environment}] its routes and [env.${environment}.vars] its PUBLIC_URL, with the same name. Commit that.`,
		);
	if ((buckets[0]?.jurisdiction ?? null) !== jurisdiction)
		throw new Refusal(
			`Accounts of ${environment} are to be kept in ${jurisdiction ?? 'no jurisdiction'}, and its bucket in another one`,
			'Give JURISDICTION and the `jurisdiction` of the bucket the same word, or neither (docs/deploy.md, section 12).',
		);
	return {
		environment,
		worker: String(name),
		url: url.replace(/\/$/, ''),
		database: String(databases[0]?.database_name),
		bucket: String(buckets[0]?.bucket_name),
		accountId: accountId ?? null,
		jurisdiction,
	};
}
