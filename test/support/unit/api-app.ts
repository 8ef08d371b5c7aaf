import { readConfig } from '../../../src/config.ts';
import { issueApiKey } from '../../../src/core/keys/api-key.ts';
import { createApp } from '../../../src/http/app.ts';
import type { Services } from '../../../src/services.ts';

/** A key of the one secret that `apiApp` knows. */
export const { apiKey } = issueApiKey(
	{ version: 1, secret: new Uint8Array(32) },
	{ account: new Uint8Array(10), key: new Uint8Array(6), secret: new Uint8Array(20) },
);

/** What an account says of a call that it lets in. */
export const ADMITTED = {
	kind: 'admitted',
	window: { limit: 300, remaining: 299, resetSeconds: 900 },
	balance: { balance: 9, availableCredits: 9, reservedCredits: 0, lastTransactionAt: 0 },
	job: null,
};

/** The API without pages and tools, by these services; gives a request its answer. */
export function apiApp(given: object): (path: string, init: RequestInit) => Response | Promise<Response> {
	const services = {
		forAccount: () => services,
		config: readConfig({ KEY_SIGNING_SECRET: `1:${'00'.repeat(32)}` }),
		newId: (prefix: string) => `${prefix}_1`,
		...given,
	} as unknown as Services;
	const none = (): Promise<never> => Promise.reject(new Error('no page and no tool is asked for'));
	const app = createApp(() => services, none, none);
	const context = { waitUntil: () => {}, passThroughOnException: () => {}, props: {} };
	return (path, init) => app.fetch(new Request(`http://localhost${path}`, init), {}, context);
}
