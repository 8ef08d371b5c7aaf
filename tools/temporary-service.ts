import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalService } from './local-service.ts';
import type { LocalServiceOptions } from './local-service.ts';

/** A running service with state of its own, which is removed with it. */
export type TemporaryService = Awaited<ReturnType<typeof startTemporaryService>>;

/** Starts the real `wrangler dev` on a free port, by default with the sandbox. */
export async function startTemporaryService(options: Partial<LocalServiceOptions> = {}) {
	const stateFolder = options.persistTo ?? mkdtempSync(join(tmpdir(), 'mailsonar-'));
	const service = await startLocalService({ ...options, persistTo: stateFolder });
	/** Ends the service and removes its state. */
	const remove = async (): Promise<void> => {
		await service.stop();
		rmSync(stateFolder, { recursive: true, force: true });
	};
	return { ...service, stateFolder, remove };
}
