import type { MailRoute } from '../dns/find-mail-exchangers.ts';
import type { MailOperator } from '../mail-operators/find-operator.ts';
import type { TimedStep } from './evidence.ts';
import type { CatchAllVerdict, ListFacts } from './render.ts';
import type { SubStatus } from './sub-status.ts';

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
		case 'asked':
			return event.heard === undefined ? null : { at: 'mailbox', ...event.heard };
		case 'lists':
		case 'host':
		case 'score':
		case 'decision':
			return null;
	}
}

/** One step on the way to a verdict. No step holds a key, a password or any other secret. */
export type TraceEvent =
	| { readonly step: 'lists'; readonly facts: ListFacts }
	| { readonly step: 'route'; readonly route: MailRoute; readonly operator: MailOperator | null }
	| { readonly step: 'host'; readonly host: string; readonly found: string }
	| {
			readonly step: 'asked';
			/** The mail host that was asked last, and whether it replied; left out: no conversation was held. */
			readonly heard?: { readonly host: string; readonly replied: boolean };
			readonly evidence: readonly TimedStep[];
			/** The recipients that mail hosts replied to, invented ones included. */
			readonly recipients: number;
	  }
	| { readonly step: 'score'; readonly score: number; readonly verdict: CatchAllVerdict }
	| { readonly step: 'decision'; readonly subStatus: SubStatus };

/** Receives each step as it happens. */
export type Trace = (event: TraceEvent) => void;
