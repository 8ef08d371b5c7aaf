import type { Context } from 'hono';
import type { KeyRoute } from '../core/keys/api-key.ts';
import type { WindowView } from '../core/rate-limit/window.ts';
import type { JobRecord } from '../operations/jobs/port.ts';
import type { Services } from '../services.ts';

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
		/** The job or task that the path names. Throws where the account has none such. */
		requireRecord: () => JobRecord;
	};
}

export type AppContext = Context<AppEnv>;
