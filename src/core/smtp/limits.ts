// RFC 5321 §4.5.3.1.5 allows 512 octets a reply line. Real gateways put links and ticket numbers on theirs,
// so we accept eight times that and then hang up.
export const REPLY_LINE_OCTETS_MAX = 4096;

// RFC 5321 §4.2.1 sets no number of lines. The longest honest EHLO answer seen has about 30.
export const REPLY_LINES_MAX = 128;

// A whole conversation is a few hundred octets; 64 KiB is a flood, whoever sends it.
export const SESSION_OCTETS_MAX = 65_536;

// RFC 5321 §4.5.3.2.1 asks for five minutes. A caller is waiting on us; postscreen holds its greeting for six
// seconds and greet_pause for five, so twelve let both through.
export const GREETING_TIMEOUT_MS = 12_000;

// RFC 5321 §4.5.3.2 again: minutes for a sender of mail, ten seconds for a question.
export const COMMAND_TIMEOUT_MS = 10_000;

// An invented recipient only adds detail once the target was refused: its answer is in the same flight or not coming.
export const DETAIL_TIMEOUT_MS = 1_500;

// For the log of one conversation that `explain` and support read.
export const TRANSCRIPT_LINES_MAX = 200;

// Postfix delays every reply after ten errors in a connection, and hangs up at twenty (smtpd_soft_error_limit).
const REJECTIONS_MAX = 8;

// Exim counts RSET among the commands that carry no mail, and closes after ten (smtp_accept_max_nonmail).
const RESETS_MAX = 9;

// RFC 5321 §4.5.3.1.8 promises a hundred; what is asked of fewer at a time looks like mail.
const RECIPIENTS_PER_TRANSACTION = 20;

/** What one connection may be asked, unless the server's operator is known to bear less. */
export const CONNECTION_LIMITS = {
	recipientsPerTransaction: RECIPIENTS_PER_TRANSACTION,
	rejections: REJECTIONS_MAX,
	resets: RESETS_MAX,
} as const;

// Postfix waits a second before each reply once it has seen too many errors: the other questions go elsewhere then.
export const SPENT_TIMEOUT_MS = 800;
