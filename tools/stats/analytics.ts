import { OperatorError } from '../operator-client.ts';
import { QUERIES } from './queries.ts';
import type { QueryName, Since } from './queries.ts';

const CLOUDFLARE = 'https://api.cloudflare.com/client/v4';

/** One row of an answer. Analytics Engine writes large whole numbers as text. */
export type Row = Readonly<Record<string, string | number | null>>;

export type Answers = Readonly<Record<QueryName, readonly Row[]>>;

/** Where the points are read. */
export interface Analytics {
	readonly url: string;
	readonly token: string;
}

/** Reads where points are from the environment. Throws `OperatorError`, which names all that is missing. */
export function analyticsFrom(env: Readonly<Record<string, string | undefined>>): Analytics {
	const { CLOUDFLARE_ACCOUNT_ID: account = '', ANALYTICS_TOKEN: token = '', ANALYTICS_URL: url } = env;
	const missing = [
		...(account === '' ? ['CLOUDFLARE_ACCOUNT_ID (npx wrangler whoami prints it)'] : []),
		...(token === ''
			? ['ANALYTICS_TOKEN (an API token that may read: Account, Account Analytics, Read)']
			: []),
	];
	if (missing.length > 0)
		throw new OperatorError(
			`\`ops stats\` reads Analytics Engine at Cloudflare, for which is missing: ${missing.join('; ')}`,
		);
	const base = url === undefined || url === '' ? CLOUDFLARE : url;
	return { url: `${base}/accounts/${encodeURIComponent(account)}/analytics_engine/sql`, token };
}

/** Puts all questions. Throws `OperatorError` if one is not answered. */
export async function askAnalytics(analytics: Analytics, since: Since): Promise<Answers> {
	const names = Object.keys(QUERIES) as QueryName[];
	const rows = await Promise.all(names.map((name) => ask(analytics, QUERIES[name](since))));
	return Object.fromEntries(names.map((name, index) => [name, rows[index]])) as unknown as Answers;
}

async function ask({ url, token }: Analytics, query: string): Promise<readonly Row[]> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { authorization: `Bearer ${token}` },
		body: query,
		signal: AbortSignal.timeout(30_000),
	}).catch((cause: unknown) => {
		throw new OperatorError('Analytics Engine cannot be reached', { cause });
	});
	const text = await response.text();
	if (response.status === 401 || response.status === 403)
		throw new OperatorError('Analytics Engine refuses ANALYTICS_TOKEN for this account');
	// A dataset begins to exist with its first point.
	if (!response.ok && /unknown table|does not exist|unable to find type of column/i.test(text)) return [];
	const parsed = parseRows(text);
	if (!response.ok || parsed === null)
		throw new OperatorError(`Analytics Engine answered ${response.status}: ${printable(text).slice(0, 300)}`);
	return parsed;
}

function parseRows(text: string): readonly Row[] | null {
	try {
		const { data } = JSON.parse(text) as { data?: unknown };
		return Array.isArray(data) ? (data as readonly Row[]) : null;
	} catch {
		return null;
	}
}

/** A text from elsewhere, for a terminal. */
export function printable(text: string): string {
	return text.replaceAll(/[^\x20-\x7e]+/g, ' ');
}
