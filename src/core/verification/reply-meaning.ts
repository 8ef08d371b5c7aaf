// Apart from the rules, which the Worker does not have.

/** The meanings of a reply, and the party at fault. */
export const MEANINGS = [
	/** 2xx. At RCPT: the server accepts this recipient, or every recipient. */
	'accepted',
	/** A refusal that proves that the mailbox exists (too much mail, or members only). No party is at fault. */
	'mailbox_exists',
	/** The address is at fault: there is no such mailbox. */
	'no_such_mailbox',
	/** The address is at fault: its mailbox existed and takes no mail now. */
	'mailbox_disabled',
	/** The mailbox's owner is at fault: the mailbox exists but is full. */
	'mailbox_full',
	/** We are at fault: too many connections, recipients or errors, or the server says slow down. */
	'rate_limited',
	/** We are at fault: our address, name, or sender is listed, unverifiable or unwanted. */
	'blocked',
	/** The server's rules refuse us (spam, authentication, permission): nothing about the mailbox. */
	'policy',
	/** The server is at fault: it cannot answer now. */
	'temporary',
	/** Greylisting: the server defers every new sender once. Ask again, from the same IP address. */
	'greylisted',
	/** The server demands TLS first. */
	'tls_required',
	/** The domain's owner is at fault: this server does not serve the domain, or does not know it. */
	'relay_denied',
	/** We are at fault: the server did not understand our command. */
	'protocol_error',
	/** Words and codes that no rule explains yet. Never a verdict. */
	'undetermined',
] as const;
export type ReplyMeaning = (typeof MEANINGS)[number];
