import type { Target } from './target.ts';
import { Refusal } from './world.ts';
import type { World } from './world.ts';

// A few questions that a version answers before customers meet it.

const PATIENCE_MS = 60_000;
const PAUSE_MS = 2_000;
const ANSWER_MS = 20_000;
/** A test key makes this answer up, so no mail server is asked. */
const ADDRESS = 'deliverable@example.com';

/** The version to ask, and how to reach it. */
export interface Smoke {
	readonly version: string;
	/** A header leads to a trial, since Workers with Durable Objects have no preview addresses. */
	readonly isTrial?: boolean;
	/** A test key of this environment; null: none exists yet. */
	readonly testKey: string | null;
	/** The Refusal where an answer is wrong. */
	readonly problem: string;
	readonly advice: string;
}

/** The header that leads a request to one version of a Worker. */
export function overrideFor(worker: string, version: string): Readonly<Record<string, string>> {
	return { 'Cloudflare-Workers-Version-Overrides': `${worker}="${version}"` };
}

/** Asks the version, and throws a Refusal where an answer is wrong. */
export async function requireWell(world: World, target: Target, smoke: Smoke): Promise<void> {
	const problems = await problemsOf(world, target, smoke);
	if (problems.length === 0) return;
	throw new Refusal([`${smoke.problem}:`, ...problems.map((line) => `  ${line}`)].join('\n'), smoke.advice);
}

async function problemsOf(
	world: World,
	target: Target,
	{ version, isTrial, testKey }: Smoke,
): Promise<readonly string[]> {
	const override = isTrial === true ? overrideFor(target.worker, version) : {};
	const ask: Ask = (path, init) =>
		world.fetch(`${target.url}${path}`, {
			...init,
			headers: { ...override, ...init.headers },
			redirect: 'manual',
			signal: AbortSignal.timeout(ANSWER_MS),
		});
	// A deployment takes some seconds until the whole network knows it.
	const end = world.now() + PATIENCE_MS;
	let problem = await health(ask, version);
	while (problem !== null && world.now() < end) {
		await world.sleep(PAUSE_MS);
		problem = await health(ask, version);
	}
	if (problem !== null) return [problem];
	const problems = [await page(ask), testKey === null ? null : await verification(ask, testKey)];
	// Asked again, so that this version gave the answers in between.
	return [...problems, await health(ask, version)].filter((one) => one !== null);
}

type Init = { method?: string; headers?: object; body?: string };
type Ask = (path: string, init: Init) => Promise<Response>;

async function health(ask: Ask, version: string): Promise<string | null> {
	return problemAt('/healthz', ask, {}, ({ status, headers }) => {
		const answered = headers.get('mailsonar-version') ?? 'unknown';
		if (answered !== version) return `is answered by version ${answered}, not by ${version}`;
		return status === 200 ? null : 'is not healthy';
	});
}

async function page(ask: Ask): Promise<string | null> {
	return problemAt('/docs', ask, { headers: { accept: 'text/html' } }, ({ status }, text) =>
		status === 200 && text.includes('</html>') ? null : 'is no page',
	);
}

async function verification(ask: Ask, testKey: string): Promise<string | null> {
	const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' };
	const init = { method: 'POST', headers, body: JSON.stringify({ email: ADDRESS }) };
	return problemAt('/v1/verify', ask, init, (_, text) => {
		const status = (JSON.parse(text) as { data?: { status?: string } }).data?.status;
		return status === 'deliverable' ? null : `says that ${ADDRESS} is ${status ?? 'nothing'}`;
	});
}

/** The status and the text come first: they name the cause where nothing else does. */
async function problemAt(
	path: string,
	ask: Ask,
	init: Init,
	judge: (response: Response, text: string) => string | null,
): Promise<string | null> {
	let outcome = 'does not answer';
	try {
		const response = await ask(path, init);
		const text = await response.text();
		outcome = `answers ${response.status}: ${text.replaceAll(/\s+/g, ' ').slice(0, 300)}`;
		const problem = judge(response, text);
		return problem === null ? null : `${path} ${outcome} (${problem})`;
	} catch (error) {
		return `${path} ${outcome} (${(error as Error).message})`;
	}
}
