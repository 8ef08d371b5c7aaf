import type { Context } from 'hono';
import type { Config } from '../config.ts';
import type { KeyRoute } from '../core/keys/api-key.ts';
import type { WindowView } from '../core/rate-limit/window.ts';
import type { Accounts } from '../operations/accounts-port.ts';
import type { DownloadResultsServices } from '../operations/download-results.ts';
import type { JudgePorts } from '../operations/judge-catch-all.ts';
import type { DevelopmentMailbox, IdentityServices } from '../operations/identity-ports.ts';
import type { JobBlobs } from '../operations/job-blobs-port.ts';
import type { ManageServices } from '../operations/manage-accounts.ts';
import type { StartUploadServices } from '../operations/start-upload.ts';
import type { UploadBlobs } from '../operations/uploads-port.ts';
import type { VerifyServices } from '../operations/verify-address.ts';
import type { VerifyPartServices } from '../operations/verify-part.ts';

/** Everything that the HTTP layer uses; made by compose.ts. */
export interface Services
	extends
		ManageServices,
		IdentityServices,
		VerifyServices,
		StartUploadServices,
		DownloadResultsServices,
		VerifyPartServices,
		JudgePorts {
	readonly jobBlobs: JobBlobs;
	readonly uploadBlobs: UploadBlobs;
	readonly config: Config;
	readonly accounts: Accounts;
	readonly newId: (prefix: string) => string;
	/** Null in production. */
	readonly developmentMailbox: DevelopmentMailbox | null;
	/** Deletes sessions, links and throttles that have ended. */
	readonly sweepIdentity: () => Promise<void>;
	/** Takes a fresh list of disposable domains into use where a source is configured. */
	readonly refreshLists: () => Promise<void>;
	/** Removes the uploads that nobody started. */
	readonly removeStaleUploads: () => Promise<void>;
	/** What keeps the service from working, in words without secrets; empty when all is well. */
	readonly problems: () => Promise<readonly string[]>;
}

/** What a request carries on its way. */
export interface AppEnv {
	Bindings: Env;
	Variables: {
		requestId: string;
		services: Services;
		/** The key's route once its signature was checked. */
		credential: KeyRoute;
		/** What the RateLimit headers will say; unset: the full default window. */
		window: WindowView | undefined;
	};
}

export type AppContext = Context<AppEnv>;
