import type { TraceEvent } from './trace.ts';

/** How far a verification has come. It names only steps that have happened. */
export type Progress =
	/** The domain's mail hosts are being looked up. */
	| { readonly at: 'domain' }
	/** The mail host of best preference, or one after it, is being asked about the mailbox. */
	| { readonly at: 'server'; readonly host: string }
	/** The conversation is over and we weigh its evidence; for a catch-all domain we look up more. */
	| { readonly at: 'mailbox'; readonly host: string; readonly replied: boolean };

/** The first step of every verification. */
export const AT_FIRST: Progress = { at: 'domain' };

/** The progress after this step of the trace, or null if the step doesn't change it. */
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
