import { call } from '../support/service.ts';

/** A process was dead, or its service not yet back. */
export interface Outage {
	readonly who: string;
	readonly from: number;
	/** Infinity while it lasts. */
	until: number;
}

// Connections are made anew, and a prober that was silent is asked again.
const AFTERMATH_MS = 15_000;

/** One request, as its caller met it. */
export interface Answered {
	readonly begun: number;
	readonly ended: number;
	/** Null: there was no answer. */
	readonly status: number | null;
	readonly headers: Headers;
	readonly body?: unknown;
	readonly text: string;
}

export interface Request {
	/** Its row in the table; left out: method and path without ids. */
	readonly row?: string;
	readonly method: string;
	readonly path: string;
	readonly apiKey: string | null;
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
	/** Statuses, and codes of errors, that keep the contract. */
	readonly expected: Expected;
}
type Expected = readonly (number | string)[];

/** What is counted of an endpoint. */
export interface EndpointFigures {
	/** Of answers outside of kills. */
	readonly latencies: number[];
	readonly statuses: Map<number | 'none', number>;
	excused: number;
}

/** The code of an error; empty: it is none. */
export function codeOf(body: unknown): string {
	return (body as { readonly code?: string } | undefined)?.code ?? '';
}

// Longer than the longest answer may take.
const PATIENCE_MS = 60_000;

/** Sends requests, and writes down what became of each. */
export class Requests {
	readonly endpoints = new Map<string, EndpointFigures>();
	/** Answers that break the contract, one line each. */
	readonly broken: string[] = [];
	count = 0;
	readonly #url: () => string;
	readonly #outages: readonly Outage[];

	constructor(url: () => string, outages: readonly Outage[]) {
		this.#url = url;
		this.#outages = outages;
	}

	send({ row, method, path, apiKey, body, headers = {}, expected }: Request): Promise<Answered> {
		const endpoint = `${method} ${path.replace(/job_\w+/, ':id').replace(/\?.*/, '')}`;
		return this.measure(row ?? endpoint, expected, () =>
			call(this.#url(), apiKey, method, path, body, headers, AbortSignal.timeout(PATIENCE_MS)),
		);
	}

	/** The same for a page. */
	async measure(
		endpoint: string,
		expected: Expected,
		ask: () => Promise<Omit<Answered, 'begun' | 'ended'>>,
	): Promise<Answered> {
		const begun = Date.now();
		this.count += 1;
		const answer = await ask().catch((error: unknown) => {
			const { cause, message } = error as Error & { cause?: Error };
			return { status: null, headers: new Headers(), text: `${message} ${cause?.message ?? ''}` };
		});
		const answered: Answered = { begun, ended: Date.now(), ...answer };
		const { ended, status, body, text } = answered;
		const made: EndpointFigures = { latencies: [], statuses: new Map(), excused: 0 };
		const figures = this.endpoints.get(endpoint) ?? made;
		this.endpoints.set(endpoint, figures);
		figures.statuses.set(status ?? 'none', (figures.statuses.get(status ?? 'none') ?? 0) + 1);
		const isFault = status === null || status >= 500;
		// It met an outage, or began before its consequences were over.
		const isExcused = this.#outages.some(({ from, until }) => begun <= until + AFTERMATH_MS && ended >= from);
		if (isExcused) figures.excused += isFault ? 1 : 0;
		else figures.latencies.push(ended - begun);
		if (isFault ? !isExcused : !expected.includes(status) && !expected.includes(codeOf(body)))
			this.broken.push(
				`${new Date(begun).toISOString()} ${endpoint}: ${status ?? 'no answer'} after ${ended - begun} ms ${text.slice(0, 300)}`,
			);
		return answered;
	}
}
