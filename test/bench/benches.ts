import { benchAddress } from './address.ts';
import { benchBulk } from './bulk.ts';
import { benchGiants } from './giants.ts';
import { benchHttp } from './http.ts';
import { benchProber } from './prober.ts';
import type { Bench } from './section.ts';
import { benchStart } from './start.ts';

/** By the name that the command and the document use. */
export const BENCHES: Readonly<Record<string, Bench>> = {
	address: benchAddress,
	bulk: benchBulk,
	giants: benchGiants,
	prober: benchProber,
	http: benchHttp,
	start: benchStart,
};
