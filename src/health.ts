import type { Config } from './config.ts';
import type { Health } from './services.ts';

/** What is wrong with this service, by its parts; nothing is a list without entries. Asks the database and each prober. */
export async function healthOf(
	config: Pick<Config, 'KEY_SIGNING_SECRET'>,
	directory: { ping(): Promise<void> },
	prober: { check(): Promise<Health['probers']> },
): Promise<Health> {
	return {
		keys: config.KEY_SIGNING_SECRET.length === 0 ? ['KEY_SIGNING_SECRET is not configured'] : [],
		database: await databaseProblems(directory),
		probers: await prober.check(),
	};
}

async function databaseProblems(directory: { ping(): Promise<void> }): Promise<readonly string[]> {
	try {
		await directory.ping();
		return [];
	} catch {
		return ['The database cannot be used: are the migrations applied?'];
	}
}
