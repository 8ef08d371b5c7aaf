import type { FoundSecretVersions } from '../src/operations/accounts/port.ts';
import type { callOperator } from './operator-client.ts';
import { pagesOf } from './ops-pages.ts';

/** How many valid keys and webhooks' secrets depend on each version, and which accounts on an old one. */
export async function secretVersions(service: Parameters<typeof callOperator>[0]): Promise<object> {
	const keys: Record<string, number> = {};
	const webhooks: Record<string, number> = {};
	const older: string[] = [];
	const missing: string[] = [];
	let current: number | null = null;
	for await (const page of pagesOf<FoundSecretVersions>(service, '/secret-versions')) {
		({ current } = page);
		for (const account of page.accounts) {
			for (const version of account.keys) keys[version] = (keys[version] ?? 0) + 1;
			for (const version of account.webhooks) webhooks[version] = (webhooks[version] ?? 0) + 1;
			if ([...account.keys, ...account.webhooks].some((version) => version !== current))
				older.push(account.accountId);
		}
		missing.push(...page.missing);
	}
	return { current, keys, webhooks, older, missing };
}
