// RFC 5321 §4.5.3.1.5 allows 512 octets a reply line. Real gateways put links and ticket numbers on theirs,
// so we accept eight times that and then hang up.
export const REPLY_LINE_OCTETS_MAX = 4096;

// RFC 5321 §4.2.1 sets no number of lines. The longest honest EHLO answer seen has about 30.
export const REPLY_LINES_MAX = 128;

// A whole conversation takes a few hundred octets; a server that sends 64 KiB is flooding us.
export const SESSION_OCTETS_MAX = 65_536;

// RFC 5321 §4.5.3.2.1 asks for five minutes, but an API caller is waiting. postscreen delays its greeting by six
// seconds and Sendmail's greet_pause by five, so twelve are enough for both.
export const GREETING_TIMEOUT_MS = 12_000;

// RFC 5321 §4.5.3.2 asks for minutes, meant for mail that must arrive; a verification can give up after ten seconds.
export const COMMAND_TIMEOUT_MS = 10_000;

// Once the targets are refused, an invented recipient only adds detail: if pipelined, its reply follows at once.
export const DETAIL_TIMEOUT_MS = 1_500;

// For the log of one conversation that `explain` and support read.
export const TRANSCRIPT_LINES_MAX = 200;

// Postfix delays every reply after ten errors in a connection, and hangs up at twenty (smtpd_soft_error_limit).
const REJECTIONS_MAX = 8;

// Exim counts RSET among the commands that carry no mail, and closes after ten (smtp_accept_max_nonmail).
const RESETS_MAX = 9;

// RFC 5321 §4.5.3.1.8 guarantees a hundred, but a transaction with few recipients looks more like ordinary mail.
const RECIPIENTS_PER_TRANSACTION = 20;

/** Limits of one connection, unless the mail operator is known to tolerate less. */
export const CONNECTION_LIMITS = {
	recipientsPerTransaction: RECIPIENTS_PER_TRANSACTION,
	rejections: REJECTIONS_MAX,
	resets: RESETS_MAX,
} as const;

// Postfix delays each reply by a second after too many errors: we stop waiting and use another connection.
export const SPENT_TIMEOUT_MS = 800;

/** Counts of a server's answers for targets so far. */
export interface RecipientTally {
	readonly asked: number;
	readonly rejected: number;
}

// Before a server has answered anything, one address in four is presumed bad.
const PRESUMED = { asked: 4, rejected: 1 };

/**
 * The number of recipients for the next transaction. Its expected errors must fit into the errors that the connection
 * has left: `most` recipients from a list of good addresses, a few from a bad list.
 */
export function transactionSize(about: {
	readonly most: number;
	readonly errorsLeft: number;
	readonly tally: RecipientTally;
}): number {
	const { most, errorsLeft, tally } = about;
	const rate = (tally.rejected + PRESUMED.rejected) / (tally.asked + PRESUMED.asked);
	return Math.max(1, Math.min(most, Math.floor(errorsLeft / rate)));
}
