import { BareClient } from './bare-client.ts';
import type { Contender } from './contender.ts';
import { Mailsonar } from './mailsonar.ts';
import { PEERS } from './peers.ts';
import { BARE } from './protocol.ts';
import type { Measured, Question, RunnerSettings } from './protocol.ts';
import { leadIntoWorld } from './redirect.ts';

// A process of its own for whoever is measured: its clock is the one that counts, and its net module is bent.

serve(JSON.parse(process.argv[2] ?? '') as RunnerSettings);

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
	process.on('disconnect', () => process.exit());
	process.on('message', (question: Question) => {
		void measure(question).then(
			(measured) => process.send?.(measured),
			(error: unknown) => process.send?.({ failure: String(error) } satisfies Measured),
		);
	});

	async function measure({ contender: name, emails }: Question): Promise<Measured> {
		const contender = await find(name);
		const bare = contender instanceof BareClient ? contender : null;
		const [first = ''] = emails;
		// A kept connection that was used up is opened again outside the measurement.
		if (bare !== null && name.includes('kept') && !bare.isWarm(first)) await bare.ask(first);
		const begun = performance.now();
		const answers =
			emails.length > 1 && contender.askAll !== undefined
				? await contender.askAll(emails)
				: [await contender.ask(first)];
		return { ms: performance.now() - begun, answers, failure: null };
	}
}
