import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startLocalProber } from '../../tools/local-prober.ts';
import { SANDBOX_RANGE, startSandbox } from '../sandbox/world.ts';

declare module 'vitest' {
	export interface ProvidedContext {
		/** Variables of the Worker under test. */
		workerBindings: Record<string, string>;
		/** Print what is recorded of this version, to be kept as a fixture. */
		printsRecords: boolean;
		/** Try every fault, as the long tests do. */
		isLong: boolean;
	}
}

/** The mail world that tests inside workerd reach through real sockets, and a prober before it. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
	const sandbox = await startSandbox();
	const stateFolder = mkdtempSync(join(tmpdir(), 'mailsonar-prober-'));
	const prober = await startLocalProber(
		{
			SMTP_EGRESS: sandbox.socksUrl,
			PROBER_CONTROL: sandbox.control,
			ALLOW_PRIVATE_MX: SANDBOX_RANGE,
		},
		{ stateFolder, output: 'hide' },
	);
	provide('printsRecords', process.env['RECORDS'] === 'print');
	provide('isLong', process.env['LONG'] === 'yes');
	provide('workerBindings', {
		DEVELOPMENT: 'true',
		KEY_SIGNING_SECRET: `2:${'ab'.repeat(32)},1:${'cd'.repeat(32)}`,
		OPERATOR_TOKENS: 'ada:operator-token-of-the-worker-tests',
		DOH_URL: sandbox.dohUrl,
		RDAP_BOOTSTRAP_URL: `${sandbox.rdapUrl}/dns.json`,
		RDAP_SPACING_MS: '0',
		PROBERS: prober.probers,
		ALLOW_PRIVATE_MX: SANDBOX_RANGE,
	});
	return async () => {
		await prober.stop();
		rmSync(stateFolder, { recursive: true, force: true });
		await sandbox.close();
	};
}
