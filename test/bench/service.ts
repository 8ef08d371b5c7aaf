import { callOperator } from '../../tools/operator-client.ts';
import { startTemporaryService } from '../../tools/temporary-service.ts';
import type { TemporaryService } from '../../tools/temporary-service.ts';
import type { TestAccount } from '../support/service.ts';
import { runtimeUrl } from './processes.ts';

const PLENTY = 1_000_000_000;

/** Makes an account that nothing limits but these. */
export async function makeUnlimited(
	service: { readonly url: string; readonly token: string },
	request: { readonly email: string; readonly credits: number },
	limits: object = {},
): Promise<TestAccount> {
	const account = await callOperator<TestAccount>(service, 'POST', '/accounts', request);
	const all = { default: PLENTY, batch: PLENTY, polling: PLENTY, ...limits };
	await callOperator(service, 'PATCH', `/accounts/${account.accountId}/limits`, all);
	return account;
}

/** A service of our own with an account: no window and no balance is part of what is measured. */
export interface BenchService extends TemporaryService {
	readonly apiKey: string;
	/** Where it answers without wrangler's own Worker before it. */
	readonly runtimeUrl: string;
}

/** Starts `wrangler dev` without its logs, which cost as much as the work. */
export async function startBenchService(vars: Readonly<Record<string, string>>): Promise<BenchService> {
	const wrangler = ['--log-level', 'error'];
	const service = await startTemporaryService({ sandbox: null, vars, wrangler });
	const { apiKey } = await makeUnlimited(service, { email: 'bench@mailsonar.test', credits: PLENTY });
	const { url, process } = service;
	return { ...service, apiKey, runtimeUrl: await runtimeUrl(url, process.pid ?? 0, '/healthz') };
}
