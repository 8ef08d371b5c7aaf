import type { Throttled } from '../operations/people/steps/throttle.ts';
import type { PageContext } from './context.ts';
import { span } from './format.ts';

/** Says for how long nothing more may be tried, to people and to programs. The page is a 429. */
export function describeThrottled(c: PageContext, { retryAfterMs }: Throttled): string {
	c.header('Retry-After', String(Math.ceil(retryAfterMs / 1000)));
	return `Too many attempts. Try again in ${span(retryAfterMs)}.`;
}
