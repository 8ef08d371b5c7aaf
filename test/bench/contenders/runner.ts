import { fork } from 'node:child_process';
import { once } from 'node:events';
import { PEERS } from './peers.ts';
import type { Answer, Contender } from './peers.ts';
import { leadIntoWorld } from './redirect.ts';
import type { WorldPorts } from './redirect.ts';

/** A running service and a key for it. */
interface Service {
	readonly url: string;
	readonly apiKey: string;
}

// A process of its own for whoever is measured: its clock is the one that counts, and its net module is bent.

/** Everything the process needs to know, in its one argument. */
interface RunnerSettings {
	readonly world: WorldPorts;
	/** Mailsonar by the name that it has in the tables. */
	readonly services: Readonly<Record<string, Service>>;
}

/** An address, or a list. */
interface Question {
	readonly contender: string;
	readonly emails: readonly string[];
}

type Measured = { readonly ms: number; readonly answers: readonly Answer[] } | { readonly failure: string };

/** The process in which contenders run, one question at a time. */
export type Runner = ReturnType<typeof startRunner>;

/** Starts it. */
export function startRunner(settings: RunnerSettings) {
	const child = fork(import.meta.filename, [JSON.stringify(settings)], {
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	const died = once(child, 'exit').then(([code]) => {
		throw new Error(`The process of the contenders ended with ${String(code)}`);
	});
	// Its end is no failure while nobody waits for it.
	died.catch(() => undefined);
	return {
		/** Throws what the contender threw. */
		async measure(question: Question) {
			child.send(question);
			const [measured] = (await Promise.race([once(child, 'message'), died])) as [Measured];
			if ('failure' in measured) throw new Error(`${question.contender}: ${measured.failure}`);
			return measured;
		},
		end: () => void child.kill(),
	};
}

if (process.argv[1] === import.meta.filename) serve(JSON.parse(process.argv[2] ?? '') as RunnerSettings);

function serve({ world, services }: RunnerSettings): void {
	leadIntoWorld(world);
	const contenders = new Map<string, Contender>();
	process.on('disconnect', () => process.exit());
	process.on('message', (question: Question) => {
		void measure(question).then(
			(measured) => process.send?.(measured),
			(error: unknown) => process.send?.({ failure: String(error) } satisfies Measured),
		);
	});

	async function measure({ contender: name, emails }: Question): Promise<Measured> {
		const service = services[name];
		const contender =
			contenders.get(name) ?? (service === undefined ? await PEERS[name]?.() : mailsonar(service));
		if (contender === undefined) throw new Error(`Nobody here is called ${name}`);
		contenders.set(name, contender);
		const begun = performance.now();
		const answers = await contender(emails);
		return { ms: performance.now() - begun, answers };
	}
}

interface Verification {
	readonly status: string;
	readonly details: { readonly attributes: { readonly catch_all: boolean | null } };
}

/** Ourselves, as a customer meets us: POST /v1/verify over HTTP. */
function mailsonar(service: Service): Contender {
	return async ([email]) => {
		const data = await callApi<Verification>(service, 'POST', '/v1/verify', { email });
		if (data.details.attributes.catch_all === true) return ['catch_all'];
		if (data.status === 'deliverable') return ['valid'];
		return [data.status === 'undeliverable' ? 'invalid' : 'unsure'];
	};
}

/** Calls the API as a customer does, and returns the answer's data; throws with its message unless it succeeds. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what the path answers
export async function callApi<Data>(
	{ url, apiKey }: Service,
	method: 'GET' | 'POST',
	path: string,
	body?: object,
): Promise<Data> {
	const response = await fetch(new URL(path, url), {
		method,
		headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	const answer = await response.json<{ data?: Data; error?: string; message?: string }>();
	if (response.ok && answer.data !== undefined) return answer.data;
	throw new Error(`${method} ${path}: ${response.status} ${answer.error ?? answer.message ?? ''}`);
}
