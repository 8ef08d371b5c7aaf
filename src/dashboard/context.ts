import type { Context } from 'hono';
import { describeDevice } from '../core/identity/device.ts';
import { clientOf } from '../http/anonymous-windows.ts';
import type { SignedIn } from '../operations/people/port.ts';
import type { Services } from '../services.ts';

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

/** Who asks, as far as the request tells: an address to count attempts by, and a browser to be recognised by. */
export function clientAndDevice(c: PageContext): { client: string; device: string } {
	return { client: clientOf(c.req.raw), device: describeDevice(c.req.header('user-agent') ?? '') };
}
