import type { Context } from 'hono';
import type { Services } from '../services.ts';
import type { SignedIn } from '../operations/people/port.ts';

/** What a request for a page carries on its way. */
export interface DashboardEnv {
	Bindings: Env;
	Variables: {
		requestId: string;
		services: Services;
		/** Who is signed in. */
		signedIn: SignedIn | null;
		/** The session's token of who is signed in; `''` for nobody. */
		sessionToken: string;
		/** The token of the browser, set with the first page that has a form. */
		visitor: string | null;
		/** The form that was sent: the same when it comes twice. */
		formId: string;
	};
}

export type PageContext = Context<DashboardEnv>;
