import type { Target } from './target.ts';
import { Refusal } from './platform.ts';
import type { World } from './platform.ts';

// A few questions that a version answers before customers meet it.

const PATIENCE_MS = 60_000;
const PAUSE_MS = 2_000;
const ANSWER_MS = 20_000;
/** A test key makes this answer up, so no mail server is asked. */
const ADDRESS = 'deliverable@example.com';

export interface Smoke {
	readonly version: string;
	/** A test key of this environment; null: none exists yet. */
	readonly testKey: string | null;
	/** Leads the requests to the version. Left out: they are a customer's. */
	readonly headers?: Readonly<Record<string, string>>;
	/** The Refusal where an answer is wrong. */
	readonly problem: string;
	readonly advice: string;
}

/** The header that leads a request to one version of a Worker: those with Durable Objects have no preview addresses. */
export function overrideFor(worker: string, version: string) {
	return { 'Cloudflare-Workers-Version-Overrides': `${worker}="${version}"` };
}

/** Asks the version, and throws a Refusal where an answer is wrong. */
export async function requireWell(world: World, { url }: Target, smoke: Smoke): Promise<void> {
	const { version, testKey, headers, problem, advice } = smoke;
	/** Returns what is wrong, or null. Status and text come first: they name the cause where nothing else does. */
	const problemAt = async (
		path: string,
		init: { method?: string; headers?: object; body?: string },
		judge: (response: Response, text: string) => string | null,
	): Promise<string | null> => {
		let outcome = 'does not answer';
		try {
			const response = await fetch(`${url}${path}`, {
				...init,
				headers: { ...headers, ...init.headers },
				redirect: 'manual',
				signal: AbortSignal.timeout(ANSWER_MS),
			});
			const text = await response.text();
			outcome = `answers ${response.status}: ${text.replaceAll(/\s+/g, ' ').slice(0, 300)}`;
			const wrong = judge(response, text);
			return wrong === null ? null : `${path} ${outcome} (${wrong})`;
		} catch (error) {
			return `${path} ${outcome} (${(error as Error).message})`;
		}
	};
	const health = () =>
		problemAt('/healthz', {}, ({ status, headers: told }) => {
			const answered = told.get('mailsonar-version') ?? 'unknown';
			if (answered !== version) return `is answered by version ${answered}, not by ${version}`;
			return status === 200 ? null : 'is not healthy';
		});
	const page = () =>
		problemAt('/docs', { headers: { accept: 'text/html' } }, ({ status }, text) =>
			status === 200 && text.includes('</html>') ? null : 'is no page',
		);
	const verification = () => {
		const sent = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' };
		const init = { method: 'POST', headers: sent, body: JSON.stringify({ email: ADDRESS }) };
		return problemAt('/v1/verify', init, (_, text) => {
			const status = (JSON.parse(text) as { data?: { status?: string } }).data?.status;
			return status === 'deliverable' ? null : `says that ${ADDRESS} is ${status ?? 'nothing'}`;
		});
	};
	// A deployment takes some seconds until the whole network knows it.
	let wrong = await health();
	for (let waited = 0; wrong !== null && waited < PATIENCE_MS; waited += PAUSE_MS) {
		await world.sleep(PAUSE_MS);
		wrong = await health();
	}
	const problems = wrong === null ? [await page(), testKey === null ? null : await verification()] : [wrong];
	// Asked again, so that this version gave the answers in between.
	if (wrong === null) problems.push(await health());
	const lines = problems.filter((one) => one !== null).map((line) => `  ${line}`);
	if (lines.length > 0) throw new Refusal([`${problem}:`, ...lines].join('\n'), advice);
}
