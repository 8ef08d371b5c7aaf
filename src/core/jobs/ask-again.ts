import { unknownOf } from '../verification/sub-status.ts';
import type { FinalRow } from './stored-row.ts';

/** Whether asking about an unknown address of a finished list again, hours later, may bring an answer. */
export function mayAnswerLater(row: FinalRow): boolean {
	const later = unknownOf(row[2])?.later ?? 'no';
	return later === 'unless_permanent' ? row[11]?.startsWith('5') !== true : later === 'yes';
}
