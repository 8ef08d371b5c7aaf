/** What the list of an account's activity tells. */
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
	'history_on',
	'history_off',
	'credits_added',
	'account_suspended',
	'account_resumed',
] as const;

/** Something that happened to an account. */
export type ActivityKind = (typeof ACTIVITIES)[number];

/** How long it is told. */
export const ACTIVITY_DAYS = 365;
/** No more of an account are kept, the oldest go first. */
export const ACTIVITIES_MAX = 500;
