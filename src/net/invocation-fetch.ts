import { PerInvocation } from '../lib/invocation.ts';
import { Slots } from '../lib/slots.ts';

/** `fetch` of a URL as text, as the adapters use it. */
export type Fetcher = (url: string, init: RequestInit) => Promise<Response>;

// An invocation may have this many connections that wait for the head of a response. The platform queues further ones,
// while their timeouts already run (Workers' limits, "simultaneous open connections").
export const CONNECTIONS_MAX = 6;

const slots = new PerInvocation(() => new Slots(CONNECTIONS_MAX));

/** `fetch` within the invocation's slots. Outside of an invocation nothing is limited. */
export async function invocationFetch(url: string, init: RequestInit): Promise<Response> {
	const { current } = slots;
	return current === null ? fetch(url, init) : current.run(() => fetch(url, init), init.signal);
}
