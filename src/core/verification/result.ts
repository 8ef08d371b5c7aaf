import type { Status, SubStatus } from './sub-status.ts';

export const RISK_LEVELS = ['low', 'medium', 'high'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

export const VALIDATION_METHODS = ['smtp', 'dns', 'list'] as const;
export type ValidationMethod = (typeof VALIDATION_METHODS)[number];

export const CATCH_ALL_VERDICTS = ['valid', 'invalid', 'unknown'] as const;
export type CatchAllVerdict = (typeof CATCH_ALL_VERDICTS)[number];

/** The result for one address: the `data` of POST /v1/verify and a row of a bulk job's results. */
export interface VerificationResult {
	/** As given, trimmed, the domain in lower case. */
	email: string;
	is_valid: boolean;
	status: Status;
	risk_level: RiskLevel;
	/** 0-100, whole. */
	deliverability_score: number;
	did_you_mean: string | null;
	details: {
		general: { domain: string; reason: string; validation_method: ValidationMethod };
		/** Null: not checked, or not known. */
		attributes: {
			free_email: boolean;
			role_account: boolean;
			disposable: boolean;
			catch_all: boolean | null;
			has_plus_tag: boolean;
			mailbox_full: boolean | null;
			no_reply: boolean;
		};
		mail_server: {
			smtp_provider: string | null;
			mx_record: string | null;
			implicit_mx: string | null;
			gateway: string | null;
		};
		sub_status: SubStatus;
	};
	/** ISO 8601, UTC. */
	verified_at: string;
	/** 0-100, whole; present exactly when `attributes.catch_all` is true and the deep check ran. */
	catch_all_score?: number;
	catch_all_verdict?: CatchAllVerdict;
}
