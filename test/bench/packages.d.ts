// What we use of packages that only `npm ci --prefix test/bench` brings: the type check must not need them.

declare module 'autocannon' {
	interface Result {
		readonly requests: { readonly average: number; readonly total: number };
		readonly latency: { readonly p50: number; readonly p99: number };
		readonly non2xx: number;
		readonly errors: number;
		readonly timeouts: number;
	}
	interface Options {
		readonly url: string;
		readonly connections: number;
		/** Seconds. */
		readonly duration: number;
		readonly method?: 'GET' | 'POST';
		readonly headers?: Readonly<Record<string, string>>;
		readonly body?: string;
	}
	const autocannon: (options: Options) => Promise<Result>;
	export default autocannon;
}

declare module '@emailcheck/email-validator-js' {
	interface Verdict {
		readonly validSmtp: boolean | null;
		readonly isCatchAll?: boolean;
	}
	export function verifyEmail(question: {
		readonly emailAddress: string;
		readonly verifyMx: true;
		readonly verifySmtp: true;
	}): Promise<Verdict>;
	export function verifyEmailBatch(question: {
		readonly emailAddresses: readonly string[];
		readonly verifyMx: true;
		readonly verifySmtp: true;
	}): Promise<{ readonly results: ReadonlyMap<string, Verdict> }>;
}

declare module 'server-accepts-email' {
	const serverAcceptsEmail: (
		email: string,
		options: { readonly senderDomain: string; readonly senderAddress: string },
	) => Promise<boolean>;
	export default serverAcceptsEmail;
}

declare module 'zb-email-verifier' {
	export function verify(question: {
		readonly helo: string;
		readonly from: string;
		readonly to: string;
		readonly catchalltest: true;
	}): Promise<string>;
}
