import type { Context } from 'hono';
import type { KeyRoute } from '../core/keys/api-key.ts';
import type { NeededScopes } from '../core/keys/scopes.ts';
import type { WindowView } from '../core/rate-limit/window.ts';
import type { Services } from '../services.ts';

/** The variables of a request. */
export interface AppEnv {
	Bindings: Env;
	Variables: {
		requestId: string;
		services: Services;
		/** The operationId of the call, for a link to its page in the reference; unset where no call of the API was meant. */
		operationId: string | undefined;
		/** The contents of the key, after its signature was checked. */
		credential: KeyRoute;
		/** The scopes of which the key needs one; unset: no key may make the call. */
		scopes: NeededScopes | undefined;
		/** The window for the RateLimit headers; unset: a full default window. */
		window: WindowView | undefined;
	};
}

export type AppContext = Context<AppEnv>;
