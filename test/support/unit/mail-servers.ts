import { parseAddress } from '../../../src/core/address/parse-address.ts';
import type { Address } from '../../../src/core/address/parse-address.ts';
import type { ExaminePorts } from '../../../src/engine/case.ts';
import { asks, greeted } from './dialogue.ts';
import type { Script } from './fake-dialer.ts';

/** A parsed address; throws for an invalid one. */
export function addressOf(text: string): Address {
	const parsed = parseAddress(text);
	if (!parsed.ok) throw new Error(`not an address: ${text}`);
	return parsed.address;
}

/** `aaaaa`, `bbbbb`, …: invented names that a script can predict. */
export function fakeRandomness(): ExaminePorts['randomness'] {
	let calls = 0;
	return {
		word: (length) => {
			calls += 1;
			return String.fromCharCode(96 + calls).repeat(length);
		},
	};
}

/** A pipelining server that answers about the target, and about one invented recipient. */
export function serverSaying(target: string, random: string): Script {
	return [...greeted('PIPELINING'), ...asks('MAIL ada *', '250 2.1.0 ok', target, random)];
}

/** A pipelining server that accepts every recipient, including two more invented ones. */
export function catchAllServer(): Script {
	return [...serverSaying(OK, OK), ...asks('*.* *2', OK, OK)];
}

export const OK = '250 2.1.5 ok';
export const NO_SUCH_USER = '550 5.1.1 no such user';
