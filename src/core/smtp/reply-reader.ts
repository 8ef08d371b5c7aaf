import { REPLY_LINE_OCTETS_MAX, REPLY_LINES_MAX, SESSION_OCTETS_MAX } from './limits.ts';

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

/** Why we stop reading a byte stream: it is not SMTP, or it exceeds our limits. */
export type ReplyFault = 'line_too_long' | 'too_many_lines' | 'too_many_octets' | 'not_smtp';

const LF = 0x0a;
const CR = 0x0d;
// A reply line is `code [SP|-] text`; a bare code is legal (RFC 5321 §4.2: "text is optional").
const REPLY_LINE = /^([2-5][0-9]{2})(?:([ -])(.*))?$/s;
// RFC 3463 §2. Cisco writes `#5.1.0`.
const ENHANCED_STATUS = /^#?([245]\.\d{1,3}\.\d{1,3})(?![.\d])/;

/** Parses replies from bytes, however these are segmented. Hostile input ends in a fault, never in unbounded memory. */
export class ReplyReader {
	readonly #decoder = new TextDecoder();
	#line: number[] = [];
	#lines: string[] = [];
	/** First digit of the lines collected so far. */
	#codeClass: string | undefined;
	#octets = 0;
	/** The first fault met; nothing is read after it. */
	fault: ReplyFault | null = null;

	/** No part of an unfinished reply is buffered. */
	get isBetweenReplies(): boolean {
		return this.fault === null && this.#line.length === 0 && this.#lines.length === 0;
	}

	/** Takes bytes and returns every reply that they complete. */
	push(bytes: Uint8Array): SmtpReply[] {
		const replies: SmtpReply[] = [];
		for (const byte of bytes) {
			if (this.fault !== null) break;
			this.#octets += 1;
			if (this.#octets > SESSION_OCTETS_MAX) {
				this.fault = 'too_many_octets';
			} else if (byte === LF) {
				const reply = this.#endLine();
				if (reply !== null) replies.push(reply);
			} else if (this.#line.length >= REPLY_LINE_OCTETS_MAX) {
				this.fault = 'line_too_long';
			} else {
				this.#line.push(byte);
			}
		}
		return replies;
	}

	#endLine(): SmtpReply | null {
		// Lines end with CRLF; a bare LF is accepted too, since many small servers send it and it is unambiguous.
		if (this.#line.at(-1) === CR) this.#line.pop();
		const match = REPLY_LINE.exec(this.#decoder.decode(new Uint8Array(this.#line)));
		this.#line = [];
		if (match === null) {
			this.fault = 'not_smtp';
			return null;
		}
		const [, code = '', separator = ' ', text = ''] = match;
		// Lines whose codes differ in the first digit contradict each other: that is no valid reply.
		if (this.#lines.length > 0 && code[0] !== this.#codeClass) {
			this.fault = 'not_smtp';
			return null;
		}
		this.#codeClass = code[0];
		this.#lines.push(text);
		if (separator === '-') {
			if (this.#lines.length >= REPLY_LINES_MAX) this.fault = 'too_many_lines';
			return null;
		}
		const lines = this.#lines;
		this.#lines = [];
		// RFC 5321 §4.2.1: all lines carry the same code. Where they don't (GMX), the last one decides.
		return { code: Number(code), enhanced: enhancedStatus(lines), lines };
	}
}

function enhancedStatus(lines: readonly string[]): string | null {
	for (const line of lines) {
		const match = ENHANCED_STATUS.exec(line);
		if (match?.[1] !== undefined) return match[1];
	}
	return null;
}
