import type { Context } from 'hono';
import { describeDevice } from '../core/identity/device.ts';
import { clientOf } from '../http/keys.ts';
import type { SignedIn } from '../operations/people/port.ts';
import type { Services } from '../services.ts';

/** The variables of a request for a page. */
export interface DashboardEnv {
	Bindings: Env;
	Variables: {
		requestId: string;
		services: Services;
		/** The person who is signed in. */
		signedIn: SignedIn | null;
		/** The token of the session; `''` without a sign-in. */
		sessionToken: string;
		/** The token of the browser (the visitor), set with the first page that has a form. */
		visitor: string | null;
		/** The id of the form that was sent. A form that is sent twice has the same id. */
		formId: string;
	};
}

export type PageContext = Context<DashboardEnv>;

/** The client's IP address, by which attempts are counted, and the browser's name, which the person recognises. */
export function clientAndDevice(c: PageContext): { client: string; device: string } {
	return { client: clientOf(c.req.raw), device: describeDevice(c.req.header('user-agent') ?? '') };
}
