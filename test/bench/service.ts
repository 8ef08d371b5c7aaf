import { callOperator } from '../../tools/operator-client.ts';
import { startTemporaryService } from '../../tools/temporary-service.ts';
import type { TemporaryService } from '../../tools/temporary-service.ts';
import { runtimeUrl } from './processes.ts';

// More than any bench spends, so that no window and no balance is part of what is measured.
const PLENTY = 1_000_000_000;

/** A service of our own with an account that nothing limits. */
export interface BenchService extends TemporaryService {
	readonly apiKey: string;
	/** Where it answers without wrangler's own Worker before it. */
	readonly runtimeUrl: string;
}

/** Starts `wrangler dev` without its logs, which cost as much as the work. */
export async function startBenchService(vars: Readonly<Record<string, string>>): Promise<BenchService> {
	const service = await startTemporaryService({
		sandbox: null,
		vars,
		wrangler: ['--log-level', 'error'],
	});
	const account = await callOperator<{ accountId: string; apiKey: string }>(service, 'POST', '/accounts', {
		email: 'bench@mailsonar.test',
		credits: PLENTY,
	});
	const limits = { default: PLENTY, batch: PLENTY, polling: PLENTY };
	await callOperator(service, 'PATCH', `/accounts/${account.accountId}/limits`, limits);
	const { url, process } = service;
	return {
		...service,
		apiKey: account.apiKey,
		runtimeUrl: await runtimeUrl(url, process.pid ?? 0, '/healthz'),
	};
}
