import { realMinutes } from './giants-real.ts';
import { virtualDays } from './giants-virtual.ts';
import type { Bench } from './section.ts';

/** Lists of which half is at one operator: some real minutes of the whole service, and whole days on a virtual clock. */
export const benchGiants: Bench = async (settings) =>
	[await realMinutes(settings), await virtualDays(settings)].join('\n\n');
