import type { SubStatusOf } from '../verification/sub-status.ts';

/**
 * Whose an `unknown` is, for those who run the service. `ours`: our capacity, our address or our code. `theirs`: the
 * recipient's side did not say. `chosen`: nobody was asked, because someone wanted it so.
 */
export const WHOSE_FAULT = {
	probe_blocked: 'ours',
	no_capacity: 'ours',
	unexpected_error: 'ours',
	rate_limited: 'ours',

	timeout: 'theirs',
	no_connect: 'theirs',
	unavailable_smtp: 'theirs',
	greylisted: 'theirs',
	antispam_system: 'theirs',
	gateway_protected: 'theirs',
	catch_all_unresolved: 'theirs',
	tls_required: 'theirs',
	dns_error: 'theirs',
	smtputf8_unsupported: 'theirs',
	accepts_everything: 'theirs',

	not_asked: 'chosen',
	opted_out: 'chosen',
	free_limit: 'chosen',
} as const satisfies Readonly<Record<SubStatusOf<'unknown'>, 'ours' | 'theirs' | 'chosen'>>;
