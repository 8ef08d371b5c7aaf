import { SESSION_OCTETS_MAX } from './limits.ts';

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
	/** The bytes are no SMTP, or too many; nothing more is read. */
	isFaulty = false;

	/** No part of an unfinished reply is buffered. */
	get isBetweenReplies(): boolean {
		return !this.isFaulty && this.#line.length === 0 && this.#lines.length === 0;
	}

	/** Takes bytes and returns every reply that they complete. */
	push(bytes: Uint8Array): SmtpReply[] {
		const replies: SmtpReply[] = [];
		for (const byte of bytes) {
			this.#octets += 1;
			this.isFaulty ||= this.#octets > SESSION_OCTETS_MAX;
			if (this.isFaulty) break;
			if (byte !== LF) this.#line.push(byte);
			const reply = byte === LF ? this.#endLine() : null;
			if (reply !== null) replies.push(reply);
		}
		return replies;
	}

	#endLine(): SmtpReply | null {
		// Lines end with CRLF; a bare LF is accepted too, since many small servers send it and it is unambiguous.
		if (this.#line.at(-1) === CR) this.#line.pop();
		const match = REPLY_LINE.exec(this.#decoder.decode(new Uint8Array(this.#line)));
		this.#line = [];
		const [, code = '', separator = ' ', text = ''] = match ?? [];
		// Lines whose codes differ in the first digit contradict each other: that is no valid reply.
		this.isFaulty = match === null || (this.#lines.length > 0 && code[0] !== this.#codeClass);
		if (this.isFaulty) return null;
		this.#codeClass = code[0];
		this.#lines.push(text);
		if (separator === '-') return null;
		const lines = this.#lines;
		this.#lines = [];
		const enhanced = lines.map((one) => ENHANCED_STATUS.exec(one)?.[1]).find(Boolean) ?? null;
		// RFC 5321 §4.2.1: all lines carry the same code. Where they don't (GMX), the last one decides.
		return { code: Number(code), enhanced, lines };
	}
}
