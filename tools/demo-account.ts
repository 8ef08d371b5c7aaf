import { mkdirSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callOperator } from './operator-client.ts';

const DEMO_CREDITS = 100_000;

export interface DemoAccount {
	readonly accountId: string;
	readonly apiKey: string;
}

/**
 * The demo account of the local service. The service stores only a hash of its key, so the key is kept next to the
 * local state. A key that no longer works (new secrets, wiped state) is replaced.
 */
export async function ensureDemoAccount(
	service: { readonly url: string; readonly token: string },
	stateFolder: string,
): Promise<DemoAccount> {
	const file = join(stateFolder, 'demo-account.json');
	const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as DemoAccount) : null;
	if (kept !== null && (await works(service.url, kept))) return kept;
	const request = { email: 'demo@mailsonar.test', credits: DEMO_CREDITS };
	const account = await callOperator<DemoAccount>(service, 'POST', '/accounts', request);
	mkdirSync(stateFolder, { recursive: true });
	writeFileSync(file, JSON.stringify(account), { mode: 0o600 });
	return account;
}

async function works(url: string, { apiKey }: DemoAccount): Promise<boolean> {
	const response = await fetch(new URL('/v1/credits', url), { headers: { 'x-api-key': apiKey } });
	return response.status !== 401;
}
