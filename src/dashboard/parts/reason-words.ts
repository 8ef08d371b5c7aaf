import type { SubStatus } from '../../core/verification/sub-status.ts';

/** Reasons in a few words, for tables and charts. The whole sentence is the row's own. */
export const REASON_WORDS = {
	accepted_email: 'Mailbox exists',
	catch_all_valid: 'Catch-all, likely a real mailbox',

	invalid_domain: 'Domain does not exist',
	no_mx_records: 'Domain has no mail server',
	does_not_accept_mail: 'Domain accepts no mail',
	unroutable_mx: 'Mail server has no public address',
	rejected_email: 'Mailbox does not exist',
	mailbox_disabled: 'Mailbox is disabled',
	catch_all_invalid: 'Catch-all, likely no mailbox',
	disposable: 'Disposable address',

	catch_all: 'Domain accepts every address',
	mailbox_full: 'Mailbox is full',
	possible_typo: 'Likely a typo in the domain',

	timeout: 'Mail server did not answer in time',
	no_connect: 'Mail server could not be reached',
	unavailable_smtp: 'Mail server was unavailable',
	greylisted: 'Mail server asked us to come back',
	rate_limited: 'Mail server limits how much we ask',
	antispam_system: 'Mail server refused to say',
	gateway_protected: 'Security gateway refused to say',
	catch_all_unresolved: 'Catch-all, not decided',
	probe_blocked: 'Mail server blocks our address',
	tls_required: 'Encryption failed',
	dns_error: 'Name servers gave no answer',
	smtputf8_unsupported: 'Server takes no international addresses',
	no_capacity: 'We had no capacity left',
	not_asked: 'List was finished early',
	accepts_everything: 'Provider says yes to everyone',
	opted_out: 'Domain asked not to be checked',
	free_limit: 'Daily limit of free answers',
	unexpected_error: 'Failed on our side',
} as const satisfies Record<SubStatus, string>;
