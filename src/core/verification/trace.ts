import type { MailRoute } from '../dns/find-mail-exchangers.ts';
import type { MailOperator } from '../mail-operators/find-operator.ts';
import type { TimedStep } from './evidence.ts';
import type { CatchAllVerdict, ListFacts } from './render.ts';
import type { SubStatus } from './sub-status.ts';

/** One step on the way to a verdict. No step holds a key, a password or any other secret. */
export type TraceEvent =
	| { readonly step: 'lists'; readonly facts: ListFacts }
	| { readonly step: 'route'; readonly route: MailRoute; readonly operator: MailOperator | null }
	| { readonly step: 'host'; readonly host: string; readonly found: string }
	| {
			readonly step: 'asked';
			readonly evidence: readonly TimedStep[];
			/** The recipients that mail hosts replied to, invented ones included. */
			readonly recipients: number;
	  }
	| { readonly step: 'score'; readonly score: number; readonly verdict: CatchAllVerdict }
	| { readonly step: 'decision'; readonly subStatus: SubStatus };

/** Receives each step as it happens. */
export type Trace = (event: TraceEvent) => void;
