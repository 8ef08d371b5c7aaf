import { inject } from 'vitest';
import type { Clock } from '../../../src/engine/ports.ts';
import type { SeenQuestion } from '../../support/doh-server.ts';

export const LOOPBACK = '127.0.0.1';
// A port below 1024 that has no service anywhere.
export const DEAD_PORT = 1;

/** A clock that only the test moves. */
export function makeStoppedClock(startsAt = 1_800_000_000_000): Clock & { advance(ms: number): void } {
	let now = startsAt;
	const advance = (ms: number): void => void (now += ms);
	return { now: () => now, advance, sleep: async (ms) => advance(ms) };
}

/** A resolver that behaves so, and remembers what it is asked under this id. */
export function dohUrl(behaviour: string, id: string = crypto.randomUUID()): string {
	return `${inject('dohOrigin')}/${behaviour}/${id}`;
}

/** What resolvers were asked under this id, oldest first. */
export async function questionsOf(id: string): Promise<readonly SeenQuestion[]> {
	return (await fetch(dohUrl('seen', id))).json();
}
