import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureDevVars, operatorToken } from './dev-vars.ts';
import { startLocalService } from './local-service.ts';
import type { LocalService, LocalServiceOptions } from './local-service.ts';

/** A running service with an operator's token, and with state of its own, which is removed with it. */
export interface TemporaryService extends LocalService {
	readonly token: string;
	readonly stateFolder: string;
	/** Ends the service and removes its state. */
	remove(): Promise<void>;
}

/** Starts the real `wrangler dev` on a free port, by default with the sandbox. */
export async function startTemporaryService(
	options: Partial<LocalServiceOptions> = {},
): Promise<TemporaryService> {
	const token = operatorToken(ensureDevVars());
	const stateFolder = options.persistTo ?? mkdtempSync(join(tmpdir(), 'mailsonar-'));
	const service = await startLocalService({
		sandbox: {},
		port: 0,
		wrangler: [],
		vars: {},
		output: 'hide',
		...options,
		persistTo: stateFolder,
	});
	const remove = async (): Promise<void> => {
		await service.stop();
		rmSync(stateFolder, { recursive: true, force: true });
	};
	return { ...service, token, stateFolder, remove };
}
