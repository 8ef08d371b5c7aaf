export { Mailsonar } from './client.ts';
export type { BatchOptions, ListAsText, MailsonarOptions } from './client.ts';
export type { Clock } from './clock.ts';
export { MailsonarError } from './error.ts';
export type { ClientErrorCode, ErrorCode, MailsonarErrorFacts } from './error.ts';
export type { KnownErrorCode } from './error-codes.ts';
export type { CatchAll, VerdictFilter } from './catchall.ts';
export type { Jobs, StatusFilter } from './jobs.ts';
export type { Page, Pages, Pagination } from './pages.ts';
export type { CallOptions, PageOptions, SpendingOptions } from './transport.ts';
export type {
	Answer,
	CatchAllTask,
	CatchAllVerdict,
	CreatedMeta,
	Credits,
	DomainReport,
	Feedback,
	Job,
	Outcome,
	RejectedRow,
	Verification,
	VerifyMeta,
	WebhookEvent,
} from './types.ts';
export { VERSION } from './version.ts';
export type { WaitOptions } from './wait.ts';
export { verifyWebhook } from './webhooks.ts';
export type { WebhookHeaders, WebhookOptions } from './webhooks.ts';
export type { components, operations, paths } from './openapi.ts';
