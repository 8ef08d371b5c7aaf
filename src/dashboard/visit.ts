import { hmacSha256 } from '../lib/digest.ts';
import type { Admitted } from '../operations/accounts/port.ts';
import type { SignedIn } from '../operations/people/port.ts';
import type { Services } from '../services.ts';
import type { PageContext } from './context.ts';
import { readPage } from './make-view.ts';
import { ownerOf, signedInOf } from './session.ts';

/** A request for a page or with a form. */
export interface Visit {
	readonly c: PageContext;
	readonly services: Services;
	/** The session and its person, on pages behind the sign-in. */
	readonly signedIn: SignedIn;
	/** Their account, in which they act without a key. */
	readonly account: Admitted;
	/** A parameter of the path. */
	readonly param: (name: string) => string;
	/** `?page=` of a list, from 1. */
	readonly page: number;
}

/** The visit of a request. */
export function visitOf(c: PageContext): Visit {
	return {
		c,
		services: c.var.services,
		get signedIn() {
			return signedInOf(c);
		},
		get account() {
			return ownerOf(c);
		},
		param: (name) => c.req.param(name) ?? '',
		page: readPage(c),
	};
}

const encoder = new TextEncoder();

/** A seed from the session and the form: the same form sent twice makes the same secret. Neither is stored. */
export function seedOf({ c }: Visit, what: string): Uint8Array {
	return hmacSha256(encoder.encode(`${what} ${c.var.sessionToken}`), encoder.encode(c.var.formId));
}
