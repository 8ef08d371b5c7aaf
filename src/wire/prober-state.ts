import { z } from 'zod';

// What a prober says of itself to whoever runs the service: `GET /state`. As with questions, what a later version adds is
// not read by an earlier one.

/** In the path of every request. */
export const STATE_PATH = '/state';
/** As JSON. */
export const STATE_OCTETS_MAX = 1_048_576;
/** More are counted only: those that are in everybody's way come first. */
export const PAUSED_MAX = 1_000;

const text = z.string().max(1_000);
const count = z.int().min(0);

export const proberState = z.object({
	draining: z.boolean(),
	running: count,
	connections: count,
	waiting: count,
	stateFails: z.boolean(),
	/** Names of the ways out, without secrets. */
	egresses: z.array(text).max(1_000),
	paused: z
		.array(
			z.object({
				egress: text,
				operator: text,
				/** Whose questions are held back; null: everybody's. */
				asker: text.nullable(),
				why: text,
				/** Epoch milliseconds of the prober's clock. */
				until: z.number(),
			}),
		)
		.max(PAUSED_MAX),
});
export type WireState = z.output<typeof proberState>;
