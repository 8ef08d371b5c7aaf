import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { VARIABLES, readConfig } from '../../src/config.ts';
import { Refusal } from './platform.ts';

export const ENVIRONMENTS = ['staging', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

const REQUIRED_SECRETS = ['KEY_SIGNING_SECRET', 'OPERATOR_TOKENS', 'PROBERS'];
export const SECRETS: readonly string[] = [...REQUIRED_SECRETS, 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'];

type Settings = Readonly<Record<string, string>>;

/** An environment of wrangler.toml with the operator's settings. */
export type Target = Awaited<ReturnType<typeof readTarget>>;

/** Reads the settings of an environment, and writes the configuration that Wrangler deploys. */
export async function readTarget(environment: Environment, file: string) {
	if (!existsSync(file))
		throw new Refusal(
			`The settings ${file} do not exist`,
			'Write your names into that file: docs/deploy.md.',
		);
	const all = readSettings(readFileSync(file, 'utf8'), file);
	const { METRICS, ...settings } = all;
	const { host } = new URL(settings['PUBLIC_URL'] ?? '');
	const jurisdiction = settings['JURISDICTION'] ?? null;
	// Wrangler is large: a wrong command line is refused without it.
	const { experimental_readRawConfig: readRawConfig } = await import('wrangler');
	const { rawConfig } = readRawConfig({ config: 'wrangler.toml' }, { hideWarnings: true });
	const section = rawConfig.env?.[environment];
	const [database] = section?.d1_databases ?? [];
	const [bucket] = section?.r2_buckets ?? [];
	if (section === undefined || bucket === undefined) throw new Error(`wrangler.toml lacks ${environment}`);
	section.routes = [{ pattern: host, custom_domain: true }];
	section.vars = settings;
	// Wrangler warns of a binding that the root has and an environment has not.
	if (METRICS === 'off') for (const one of [rawConfig, section]) one.analytics_engine_datasets = [];
	if (jurisdiction !== null) bucket.jurisdiction = jurisdiction;
	// In the root, since Wrangler reads paths relative to its configuration.
	const config = `wrangler.${environment}.json`;
	writeFileSync(config, `${JSON.stringify(rawConfig, null, '\t')}\n`);
	return {
		environment,
		/** Wrangler's configuration: wrangler.toml and the settings. */
		config,
		settings,
		/** Changes with the settings. */
		settingsHash: createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 8),
		worker: String(section.name),
		/** PUBLIC_URL, without a slash at its end. */
		url: `https://${host}`,
		database: String(database?.database_name),
		bucket: String(bucket.bucket_name),
		/** Where accounts and results are kept; null: anywhere. */
		jurisdiction,
	};
}

/** Returns the variables of a file of settings, and METRICS, which is the deploy's own. Refuses what the Worker would. */
export function readSettings(text: string, file: string): Settings {
	const settings = Object.fromEntries(
		Object.entries(parseEnv(text)).filter(([, value]) => value !== ''),
	) as Settings;
	const names = Object.keys(settings);
	const secret = names.find((name) => SECRETS.includes(name));
	const unknown = names.find((name) => !VARIABLES.includes(name) && name !== 'METRICS');
	const refuse = (problem: string) => {
		throw new Refusal(`${file}: ${problem}`, 'Correct that file, and give the same command again.');
	};
	if (secret !== undefined) refuse(`${secret} is a secret, and belongs in the file of secrets`);
	if (settings['DEVELOPMENT'] !== undefined) refuse('DEVELOPMENT belongs in .dev.vars alone');
	if (unknown !== undefined) refuse(`${unknown} is no variable of the Worker`);
	if (!['on', 'off', undefined].includes(settings['METRICS'])) refuse('METRICS is neither on nor off');
	if (!/^https:\/\/[^/:@?#]+\/?$/.test(settings['PUBLIC_URL'] ?? ''))
		refuse('PUBLIC_URL is not https:// and a host name');
	const problem = problemWith(settings);
	if (problem !== null) refuse(problem);
	return settings;
}

/** The Worker's own words for a variable that it cannot use, without values; null: it can use all. */
function problemWith(variables: object): string | null {
	try {
		readConfig(variables);
		return null;
	} catch (error) {
		return (error as Error).message;
	}
}

/** Says what is wrong with the first deploy's secrets beside these settings, without their values; null: nothing. */
export function secretsProblem(text: string, settings: Settings): string | null {
	const secrets = parseEnv(text);
	const missing = REQUIRED_SECRETS.filter((name) => (secrets[name] ?? '') === '');
	if (missing.length > 0) return `lacks ${missing.join(', ')}`;
	const unknown = Object.keys(secrets).find((name) => !SECRETS.includes(name));
	if (unknown !== undefined) return `holds ${unknown}, which is no secret of the Worker`;
	const all = { ...settings, ...secrets };
	const problem = problemWith(all) ?? readConfig(all).switchedOff[0] ?? null;
	return problem === null ? null : `does not fit: ${problem}`;
}
