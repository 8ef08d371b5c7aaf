/** One complete SMTP reply (RFC 5321 §4.2), as the reply reader hands it on. */
export interface SmtpReply {
	/** Three digits, 200-599. */
	readonly code: number;
	/** RFC 3463 status such as `5.1.1`, taken from the first line that carries one, else null. */
	readonly enhanced: string | null;
	/** The text of every line, without code, separator and line end. Invalid UTF-8 is replaced by U+FFFD. */
	readonly lines: readonly string[];
}

/** Where in the conversation a reply was given: what it can be about depends on it. */
export type Stage = 'greeting' | 'ehlo' | 'mail' | 'rcpt';
