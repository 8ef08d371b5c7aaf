// RFC 5321 §4.5.3.1.5 allows 512 octets a reply line, and sets no number of lines. A whole conversation takes a few
// hundred octets; a server that sends 64 KiB is flooding us.
export const SESSION_OCTETS_MAX = 65_536;

// RFC 5321 §4.5.3.2.1 asks for five minutes, but an API caller is waiting. postscreen delays its greeting by six
// seconds and Sendmail's greet_pause by five, so twelve are enough for both.
export const GREETING_TIMEOUT_MS = 12_000;

// RFC 5321 §4.5.3.2 asks for minutes, meant for mail that must arrive; a verification can give up after ten seconds.
export const COMMAND_TIMEOUT_MS = 10_000;

// Once the targets are refused, an invented recipient only adds detail: if pipelined, its reply follows at once.
export const DETAIL_TIMEOUT_MS = 1_500;

// Postfix delays every reply after ten errors in a connection, and hangs up at twenty (smtpd_soft_error_limit). After this
// many refused recipients, we ask nothing more on the connection.
export const REJECTIONS_MAX = 8;

// Exim counts RSET among the commands that carry no mail, and closes after ten (smtp_accept_max_nonmail).
export const RESETS_MAX = 9;

// RFC 5321 §4.5.3.1.8 guarantees a hundred, but a transaction with few recipients looks more like ordinary mail.
export const RECIPIENTS_PER_TRANSACTION = 20;

// Postfix delays each reply by a second after too many errors: we stop waiting and use another connection.
export const SPENT_TIMEOUT_MS = 800;
