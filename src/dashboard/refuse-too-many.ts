import { throttle } from '../operations/people/steps/throttle.ts';
import type { PageContext } from './context.ts';
import { describeThrottled } from './page-error.ts';
import { signedInOf } from './session.ts';

/** Counts an action that reads a whole file; says how long to wait when there were too many. */
export async function refuseTooMany(
	c: PageContext,
	action: 'stage_upload' | 'read_upload',
): Promise<string | null> {
	const { accountId } = signedInOf(c).user;
	const throttled = await throttle(c.var.services, action, { account: accountId });
	return throttled === null ? null : describeThrottled(c, throttled);
}
