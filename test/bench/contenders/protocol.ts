import type { Service } from '../../../tools/api-client.ts';
import type { Answer, WorldPorts } from './contender.ts';

// What the bench and the process of the contenders say to each other.

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

/** The bare clients by name. */
export const BARE = {
	'bare client, direct': { way: 'direct', keeps: false },
	'bare client, direct, kept connection': { way: 'direct', keeps: true },
	'bare client, SOCKS5': { way: 'socks', keeps: false },
	'bare client, SOCKS5, kept connection': { way: 'socks', keeps: true },
} as const;
