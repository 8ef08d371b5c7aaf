import { z } from 'zod';

// The state that a prober reports to those who run the service: `GET /state`. As with questions, an earlier version
// ignores fields that a later one adds.

export const STATE_PATH = '/state';
/** The most octets of a state as JSON. */
export const STATE_OCTETS_MAX = 1_048_576;
/** The longest list of pauses. Those that hold back every asker come first; the rest is left out. */
export const PAUSED_MAX = 1_000;

const text = z.string().max(1_000);
const count = z.int().min(0);

export const proberState = z.object({
	draining: z.boolean(),
	running: count,
	connections: count,
	waiting: count,
	stateFails: z.boolean(),
	/** Names of the egresses, without secrets. */
	egresses: z.array(text).max(1_000),
	paused: z
		.array(
			z.object({
				egress: text,
				operator: text,
				/** Account whose questions are held back; null: the questions of all. */
				asker: text.nullable(),
				why: text,
				/** Epoch milliseconds of the prober's clock. */
				until: z.number(),
			}),
		)
		.max(PAUSED_MAX),
});
export type WireState = z.output<typeof proberState>;
