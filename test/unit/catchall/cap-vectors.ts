import type { SignalGroup } from '../../../src/core/catchall/scorecard.ts';

/** The least and the most points of each group, and the scores with nothing else known. */
export const CAP_VECTORS: readonly (readonly [SignalGroup, number, number, number, number])[] = [
	['route', 0, 20, 70, 90],
	['auth', -10, 5, 53, 76],
	['mx', -10, 1, 53, 71],
	['web', -5, 2, 62, 73],
	['parking', -40, 0, 13, 70],
	['lists', -45, 1, 9, 71],
	['smtp_stack', -6, 1, 60, 71],
	['age', -29, 3, 24, 74],
	['mailbox', -40, 6, 13, 78],
	['pattern', -30, 10, 22, 82],
	['list_quality', -12, 8, 50, 80],
	['smtp', -20, 35, 36, 96],
	['footprint', 0, 35, 70, 96],
	['history', -25, 20, 29, 90],
];
