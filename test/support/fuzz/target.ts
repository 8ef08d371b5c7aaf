import type * as fc from 'fast-check';
import { ServiceError } from '../../../src/errors.ts';
import { UnreadableBody } from '../../../src/http/unreadable-body.ts';

/** A reader of what strangers send. */
export interface FuzzTarget {
	readonly name: string;
	readonly input: fc.Arbitrary<Uint8Array>;
	/** Reads the input and asserts what holds for every input. A throw is a finding. */
	readonly read: (input: Uint8Array) => unknown;
	/** A case opens a connection or packs an archive: so many times fewer of them are tried. */
	readonly heavy?: number;
}

/** The reader may refuse the input, with a reason for its sender; anything else that it throws is a finding. */
export function orRefused<T>(read: () => T): T | null {
	try {
		return read();
	} catch (error) {
		if (error instanceof ServiceError || error instanceof UnreadableBody) return null;
		throw error;
	}
}
