import type { WireState } from '../../../src/wire/prober-state.ts';

/** A prober at work, whom nobody holds up. */
export const AT_WORK: WireState = {
	draining: false,
	running: 1,
	connections: 3,
	waiting: 7,
	rules: 'r1',
	stateFails: false,
	stateSetAsideAt: null,
	egresses: ['direct'],
	paused: [],
	operators: [],
	guessers: [],
};
