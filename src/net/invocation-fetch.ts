import { AsyncLocalStorage } from 'node:async_hooks';
import { Slots } from '../lib/slots.ts';

/** `fetch` of a URL as text, as the adapters use it. */
export type Fetcher = (url: string, init: RequestInit) => Promise<Response>;

// An invocation may have this many connections that wait for the head of a response. The platform queues further ones,
// while their timeouts already run (Workers' limits, "simultaneous open connections").
export const CONNECTIONS_MAX = 6;

const invocation = new AsyncLocalStorage<Slots>();

/** Runs an invocation (a request, a batch, a cron), whose calls of `invocationFetch` share its slots. */
export function withConnections<T>(work: () => T): T {
	return invocation.run(new Slots(CONNECTIONS_MAX), work);
}

/** `fetch` within the invocation's slots. Outside of an invocation nothing is limited. */
export async function invocationFetch(url: string, init: RequestInit): Promise<Response> {
	const slots = invocation.getStore();
	return slots === undefined ? fetch(url, init) : slots.run(() => fetch(url, init), init.signal);
}
