import type { Address } from '../address/parse-address.ts';
import type { Breakdown } from '../catchall/breakdown.ts';
import type { MailRoute } from '../dns/find-mail-exchangers.ts';
import type { MailOperator } from '../mail-operators/find-operator.ts';
import type { OperatorName } from '../mail-operators/operators.ts';
import type { RecipientReply, SessionReport } from '../smtp/session.ts';
import type { Interpretation } from './interpret-session.ts';
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

/** One step on the way to a verdict. No step holds a key, a password or any other secret. */
export type TraceEvent =
	| { readonly step: 'address'; readonly address: Address }
	| { readonly step: 'lists'; readonly facts: ListFacts }
	| { readonly step: 'route'; readonly route: MailRoute; readonly operator: MailOperator | null }
	| {
			readonly step: 'host';
			readonly host: string;
			readonly found: string;
			readonly usable: readonly string[];
	  }
	| { readonly step: 'dial'; readonly address: string; readonly egress: string; readonly outcome: string }
	| {
			readonly step: 'conversation';
			/** Name of the mail host. */
			readonly host: string;
			readonly report: SessionReport;
			readonly interpretation: Interpretation;
			readonly operator: OperatorName | null;
			/** The host's replies to invented recipients that were known by then. */
			readonly invented: readonly RecipientReply[];
	  }
	| { readonly step: 'wait'; readonly ms: number; readonly why: string }
	| { readonly step: 'paused'; readonly host: string; readonly why: string }
	| {
			readonly step: 'score';
			readonly breakdown: Breakdown;
			readonly score: number;
			readonly verdict: CatchAllVerdict;
	  }
	| { readonly step: 'decision'; readonly subStatus: SubStatus };

/** The recipients that mail hosts were asked about, invented ones included. */
export function recipientsIn(events: readonly TraceEvent[]): number {
	const reports = events.flatMap((event) => (event.step === 'conversation' ? [event.report] : []));
	return reports.reduce((sum, { targets, invented }) => sum + targets.length + invented.length, 0);
}

/** Receives each step as it happens. */
export type Trace = (event: TraceEvent) => void;
