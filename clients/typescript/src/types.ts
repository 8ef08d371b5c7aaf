import type { components, webhooks } from './openapi.ts';

// The API's own shapes and field names, from its OpenAPI document (`npm run update -- client-types`).

type Schemas = components['schemas'];

/** What is known about one address. */
export type Verification = Schemas['Verification'];
/** A list of addresses and how it stands. */
export type Job = Schemas['Job'];
/** The catch-all rows of a job, verified more deeply, and how that stands. */
export type CatchAllTask = Schemas['CatchAllTask'];
/** One row of a catch-all task. */
export type CatchAllVerdict = Schemas['CatchAllVerdict'];
/** What is known of a domain without asking its mail servers. */
export type DomainReport = Schemas['DomainReport'];
/** What a list holds, before it is a job. */
export type DryRun = Schemas['DryRun'];
/** The balance of the account. */
export type Credits = Schemas['Credits'];

/** The `data` of an answer, with its `meta` beside. */
export type Answer<T, M = object> = T & { readonly meta: M & { readonly requestId: string } };

/** What a verification, or a look-up of domains, cost. */
export interface VerifyMeta {
	readonly creditsUsed: number;
	readonly creditsRemaining: number;
}

/** What became of the list that was sent. */
export interface CreatedMeta {
	readonly acceptedEmails: number;
	readonly rejectedEmails: number;
	readonly duplicateEmails: number;
	readonly invalidEmails: number;
}

/** An element of a list that is not in its job. */
export type RejectedRow = Schemas['Rejected'];

/** What became of a message to an address. */
export type Outcome = Schemas['FeedbackRequest']['outcomes'][number];
/** What was recorded of the outcomes. */
export type Feedback = Schemas['Feedback'];

/** An event as it is sent to a webhook. An open set of types. `test`: it is of a test key. */
export type WebhookEvent = {
	[T in keyof webhooks]: webhooks[T]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];
