import { loadavg } from 'node:os';
import { installPackages } from '../install.ts';
import { benchAddress } from './address.ts';
import { benchBulk } from './bulk.ts';
import { benchGiants } from './giants.ts';
import { benchHttp } from './http.ts';
import { benchProber } from './prober.ts';
import { benchStart } from './start.ts';
import type { Bench } from './report.ts';
import { describeMachine, writeSection } from './report.ts';

// `npm run bench -- [address|bulk|http|start …] [--quick] [--write]`: everything on loopback, bounded in number and
// time. What fails fails alone: the others are still measured.

/** By the name that the command and the document use. */
const BENCHES: Readonly<Record<string, Bench>> = {
	address: benchAddress,
	bulk: benchBulk,
	giants: benchGiants,
	prober: benchProber,
	http: benchHttp,
	start: benchStart,
};

// They measure ourselves alone.
const WITHOUT_PEERS: ReadonlySet<string> = new Set(['giants', 'prober']);

const words = process.argv.slice(2);
const named = words.filter((word) => !word.startsWith('--'));
const [quick, write] = [words.includes('--quick'), words.includes('--write')];
const strange = words.filter((word) => !(word in BENCHES) && word !== '--quick' && word !== '--write');
if (strange.length > 0 || (quick && write)) {
	const usage = `Benches: ${Object.keys(BENCHES).join(', ')}; --quick; --write`;
	const isMixed = '--quick is for trying: its numbers are not written.';
	console.error(strange.length > 0 ? `Unknown: ${strange.join(' ')}. ${usage}` : isMixed);
	process.exit(2);
}
// Ends the services too: they end with this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
if (named.length === 0 || named.some((name) => !WITHOUT_PEERS.has(name)))
	// The peers and the load generator.
	installPackages(import.meta.dirname);
// Programs that want the processor, averaged over the last minute. Once: later it would be our own.
const [load = 0] = loadavg();
let failed = 0;
for (const name of named.length > 0 ? named : Object.keys(BENCHES)) {
	try {
		const tables = await BENCHES[name]!({ quick, say: (line) => console.error(line) });
		const text = `${describeMachine(load)}\n\n${tables}`;
		console.log(`\n## ${name}\n\n${text}`);
		if (write) writeSection(name, text);
	} catch (error) {
		failed += 1;
		console.error(`${name} could not be measured:`, error);
	}
}
process.exit(failed === 0 ? 0 : 1);
