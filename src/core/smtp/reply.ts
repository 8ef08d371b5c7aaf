/** One complete SMTP reply (RFC 5321 §4.2), as parsed by the reply reader. */
export interface SmtpReply {
	/** 200-599. */
	readonly code: number;
	/** RFC 3463 status such as `5.1.1`, taken from the first line that carries one, else null. */
	readonly enhanced: string | null;
	/** The text of every line, without code, separator and line end. Invalid UTF-8 is replaced by U+FFFD. */
	readonly lines: readonly string[];
}

/** Where in the conversation a reply was given, which limits what the reply can be about. */
export type Stage = 'greeting' | 'ehlo' | 'mail' | 'rcpt';
