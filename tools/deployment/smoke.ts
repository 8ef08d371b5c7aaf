import type { Target } from './target.ts';
import type { World } from './world.ts';

// A few questions that a version has to answer before customers meet it.

const PATIENCE_MS = 60_000;
const PAUSE_MS = 2_000;
const ANSWER_MS = 20_000;
/** A test key makes this answer up, so no mail server is asked. */
const ADDRESS = 'deliverable@example.com';

/** Which version is meant, and how it is reached. */
export interface Smoke {
	readonly version: string;
	/** A trial is asked for by a header (preview addresses do not exist for Workers with Durable Objects). */
	readonly isTrial: boolean;
	/** A test key of this environment; null: none exists yet. */
	readonly testKey: string | null;
}

/** The header that leads a request to a version of a Worker. */
export function overrideFor(worker: string, version: string): Readonly<Record<string, string>> {
	return { 'Cloudflare-Workers-Version-Overrides': `${worker}="${version}"` };
}

/** Asks the version, and returns what is wrong with its answers. */
export async function smoke(world: World, target: Target, asked: Smoke): Promise<readonly string[]> {
	const led = asked.isTrial ? overrideFor(target.worker, asked.version) : {};
	const ask = (
		path: string,
		init: { method?: string; headers?: object; body?: string } = {},
	): Promise<Response> =>
		world.fetch(`${target.url}${path}`, {
			...init,
			headers: { ...led, ...init.headers },
			redirect: 'manual',
			signal: AbortSignal.timeout(ANSWER_MS),
		});
	const ill = await untilWell(world, () => health(ask, asked.version));
	if (ill !== null) return [ill];
	const problems = [await page(ask), asked.testKey === null ? null : await verification(ask, asked.testKey)];
	// Once more, so that it was this version which gave the answers between.
	return [...problems, await health(ask, asked.version)].filter((problem) => problem !== null);
}

type Ask = (path: string, init?: { method?: string; headers?: object; body?: string }) => Promise<Response>;

/** A deployment takes some seconds until all of the network knows of it. */
async function untilWell(world: World, look: () => Promise<string | null>): Promise<string | null> {
	const end = world.now() + PATIENCE_MS;
	let problem = await look();
	while (problem !== null && world.now() < end) {
		await world.sleep(PAUSE_MS);
		problem = await look();
	}
	return problem;
}

async function health(ask: Ask, version: string): Promise<string | null> {
	return answerOf('/healthz', async () => {
		const response = await ask('/healthz');
		const text = await response.text();
		const answered = response.headers.get('mailsonar-version');
		if (answered !== version) return `is answered by version ${answered ?? 'unknown'}, not by ${version}`;
		return response.status === 200 ? null : `answers ${response.status}: ${text.slice(0, 500)}`;
	});
}

async function page(ask: Ask): Promise<string | null> {
	return answerOf('/docs', async () => {
		const response = await ask('/docs', { headers: { accept: 'text/html' } });
		const text = await response.text();
		const isPage = response.status === 200 && text.includes('</html>');
		return isPage ? null : `answers ${response.status}, and no page`;
	});
}

async function verification(ask: Ask, testKey: string): Promise<string | null> {
	return answerOf('/v1/verify', async () => {
		const response = await ask('/v1/verify', {
			method: 'POST',
			headers: { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' },
			body: JSON.stringify({ email: ADDRESS }),
		});
		const text = await response.text();
		if (response.status !== 200) return `answers ${response.status}: ${text.slice(0, 500)}`;
		const { data } = JSON.parse(text) as { data?: { status?: string } };
		return data?.status === 'deliverable' ? null : `says that ${ADDRESS} is ${data?.status ?? 'nothing'}`;
	});
}

async function answerOf(path: string, look: () => Promise<string | null>): Promise<string | null> {
	try {
		const problem = await look();
		return problem === null ? null : `${path} ${problem}`;
	} catch (error) {
		return `${path} does not answer: ${(error as Error).message}`;
	}
}
