import type { AccountPort } from '../../accounts/object-port.ts';
import { progressAfter } from '../../../core/verification/progress.ts';
import type { Progress } from '../../../core/verification/progress.ts';
import type { Trace } from '../../../core/verification/trace.ts';

/**
 * Tells the account how far a verification is, one step at a time and the latest only. A step that could not be told is
 * no loss: the next one or the answer follows.
 */
export function reportProgress(history: Pick<AccountPort, 'noteProgress'>, id: string): Trace {
	let latest: Progress | null = null;
	let isTelling = false;
	const tell = async (): Promise<void> => {
		isTelling = true;
		try {
			while (latest !== null) {
				const progress = latest;
				latest = null;
				await history.noteProgress({ id, progress });
			}
		} catch {
			latest = null;
		} finally {
			isTelling = false;
		}
	};
	return (event) => {
		const progress = progressAfter(event);
		if (progress === null) return;
		latest = progress;
		if (!isTelling) void tell();
	};
}
