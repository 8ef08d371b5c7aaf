import type { TraceEvent } from './trace.ts';

/** How far a verification is. It only ever names what has happened. */
export type Progress =
	/** The domain's mail hosts are being looked up. */
	| { readonly at: 'domain' }
	/** The mail host of best preference, or one after it, is being asked about the mailbox. */
	| { readonly at: 'server'; readonly host: string }
	/** The conversation is over, and what came of it is weighed; on a catch-all domain more is looked up. */
	| { readonly at: 'mailbox'; readonly host: string; readonly replied: boolean };

/** Where every verification begins. */
export const AT_FIRST: Progress = { at: 'domain' };

/** How far a verification is after this step; null: the step tells nothing of it. */
export function progressAfter(event: TraceEvent): Progress | null {
	switch (event.step) {
		case 'route': {
			const [host] = event.route.kind === 'hosts' ? event.route.hosts : [];
			return host === undefined ? null : { at: 'server', host };
		}
		case 'conversation':
			return { at: 'mailbox', host: event.host, replied: event.interpretation.replyCode !== null };
		case 'address':
		case 'lists':
		case 'host':
		case 'dial':
		case 'wait':
		case 'paused':
		case 'score':
		case 'decision':
			return null;
	}
}
