import type { Service } from '../../../tools/api-client.ts';
import { BareClient } from './bare-client.ts';
import type { Answer, Contender, WorldPorts } from './contender.ts';
import { Mailsonar } from './mailsonar.ts';
import { PEERS } from './peers.ts';
import { leadIntoWorld } from './redirect.ts';

// A process of its own for whoever is measured: its clock is the one that counts, and its net module is bent.

/** Everything it needs to know, in its one argument. */
export interface RunnerSettings {
	readonly world: WorldPorts;
	/** Mailsonar by the name that it has in the tables. */
	readonly services: Readonly<Record<string, Service>>;
}

/** One thing to measure: an address, or a list. */
export interface Question {
	readonly contender: string;
	readonly emails: readonly string[];
}

export type Measured =
	| { readonly ms: number; readonly answers: readonly Answer[]; readonly failure: null }
	| { readonly failure: string };

export const BARE = {
	'bare client, direct': { way: 'direct', keeps: false },
	'bare client, direct, kept connection': { way: 'direct', keeps: true },
	'bare client, SOCKS5': { way: 'socks', keeps: false },
	'bare client, SOCKS5, kept connection': { way: 'socks', keeps: true },
} as const;

const settings = JSON.parse(process.argv[2] ?? 'null') as RunnerSettings | null;
if (settings !== null) serve(settings);

function serve({ world, services }: RunnerSettings): void {
	leadIntoWorld(world);
	const contenders = new Map<string, Promise<Contender>>();
	const find = (name: string): Promise<Contender> => {
		const known = contenders.get(name) ?? make(name);
		contenders.set(name, known);
		return known;
	};
	const make = async (name: string): Promise<Contender> => {
		const bare = Object.entries(BARE).find(([title]) => title === name)?.[1];
		if (bare !== undefined) return new BareClient(world, bare.way, bare.keeps);
		const service = services[name];
		if (service !== undefined) return new Mailsonar(service);
		const load = PEERS[name];
		if (load === undefined) throw new Error(`Nobody here is called ${name}`);
		return load();
	};
	process.on('message', (question: Question) => {
		void measure(question).then(
			(measured) => process.send?.(measured),
			(error: unknown) => process.send?.({ failure: String(error) } satisfies Measured),
		);
	});

	async function measure({ contender: name, emails }: Question): Promise<Measured> {
		const contender = await find(name);
		const [first = ''] = emails;
		// A kept connection that was used up is opened again outside the measurement.
		if (contender instanceof BareClient && name.includes('kept') && !contender.isWarm(first))
			await contender.ask(first);
		const begun = performance.now();
		const answers =
			emails.length > 1 && contender.askAll !== undefined
				? await contender.askAll(emails)
				: [await contender.ask(first)];
		return { ms: performance.now() - begun, answers, failure: null };
	}
}
