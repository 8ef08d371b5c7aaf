/** The events in the list of an account's activity. */
export const ACTIVITIES = [
	'signed_in',
	'code_refused',
	'recovery_code_used',
	'password_changed',
	'password_reset',
	'sessions_ended',
	'two_factor_on',
	'two_factor_off',
	'recovery_codes_made',
	'address_change_asked',
	'address_changed',
	'key_created',
	'key_revoked',
	'list_deleted',
	'credits_added',
	'account_suspended',
	'account_resumed',
] as const;

/** Something that happened to an account. */
export type ActivityKind = (typeof ACTIVITIES)[number];

/** The days for which the list shows an event. */
export const ACTIVITY_DAYS = 365;
/** The most events stored for an account; the oldest ones are deleted first. */
export const ACTIVITIES_MAX = 500;
