import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { VARIABLES, readConfig } from '../../src/config.ts';
import { Refusal } from './world.ts';

export const ENVIRONMENTS = ['staging', 'production'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

const REQUIRED_SECRETS = ['KEY_SIGNING_SECRET', 'OPERATOR_TOKENS', 'PROBERS'];
export const SECRETS: readonly string[] = [...REQUIRED_SECRETS, 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'];

type Settings = Readonly<Record<string, string>>;

/** An environment of wrangler.toml with the operator's settings. */
export interface Target {
	readonly environment: Environment;
	/** Wrangler's configuration: wrangler.toml and the settings. */
	readonly config: string;
	readonly settings: Settings;
	/** Changes with the settings. */
	readonly settingsHash: string;
	readonly worker: string;
	/** PUBLIC_URL, without a slash at its end. */
	readonly url: string;
	readonly database: string;
	readonly bucket: string;
	/** Where accounts and results are kept; null: anywhere. */
	readonly jurisdiction: string | null;
}

/** Reads the settings of an environment, and writes the configuration that Wrangler deploys. */
export async function readTarget(environment: Environment, file: string): Promise<Target> {
	const settings = readSettings(file);
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
	if (jurisdiction !== null) bucket.jurisdiction = jurisdiction;
	// In the root, since Wrangler reads paths relative to its configuration.
	const config = `wrangler.${environment}.json`;
	writeFileSync(config, `${JSON.stringify(rawConfig, null, '\t')}\n`);
	return {
		environment,
		config,
		settings,
		settingsHash: createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 8),
		worker: String(section.name),
		url: `https://${host}`,
		database: String(database?.database_name),
		bucket: String(bucket.bucket_name),
		jurisdiction,
	};
}

function readSettings(file: string): Settings {
	if (!existsSync(file))
		throw new Refusal(
			`The settings ${file} do not exist`,
			'Write your names into that file: docs/deploy.md, section 2.',
		);
	const lines = Object.entries(parseEnv(readFileSync(file, 'utf8'))).filter(([, value]) => value !== '');
	const settings = Object.fromEntries(lines) as Settings;
	const problem = settingsProblem(settings);
	if (problem === null) return settings;
	throw new Refusal(`${file}: ${problem}`, 'Correct that file, and give the same command again.');
}

function settingsProblem(settings: Settings): string | null {
	const names = Object.keys(settings);
	const secret = names.find((name) => SECRETS.includes(name));
	if (secret !== undefined) return `${secret} is a secret, and belongs in the file of secrets`;
	if (settings['DEVELOPMENT'] !== undefined) return 'DEVELOPMENT belongs in .dev.vars alone';
	const unknown = names.find((name) => !VARIABLES.includes(name));
	if (unknown !== undefined) return `${unknown} is no variable of the Worker`;
	const url = settings['PUBLIC_URL'] ?? '';
	if (!/^https:\/\/[^/:@?#]+\/?$/.test(url)) return 'PUBLIC_URL is not https:// and a host name';
	return problemWith(settings);
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
