import { domainToASCII } from 'node:url';
import type { Behaviour } from './behaviour.ts';
import { mailboxes, MODERN } from './behaviour.ts';

/** What a dialogue needs to know of the world around it. */
export interface DialogueContext {
	readonly host: string;
	readonly now: () => number;
	/** When this server first saw a key: its greylisting memory. */
	readonly firstSeen: Map<string, number>;
	/** Whether this host takes mail for the domain at all. */
	readonly serves: (domain: string) => boolean;
}

/** A reply, and whether the server hangs up after it. */
export interface Answer {
	readonly text: string;
	readonly closes: boolean;
}

// Postfix delays every reply after 10 errors and hangs up at 20; Exim hangs up at the tenth RSET or so.
const REJECTIONS_MAX = 20;
const RESETS_MAX = 10;
// RFC 5321 §4.5.3.1.8
const RECIPIENTS_MAX = 100;

/** One SMTP session without its socket: command lines in, replies out (RFC 5321 §4.1). */
export class SmtpDialogue {
	readonly #behaviour: Behaviour;
	readonly #context: DialogueContext;
	#keywords: readonly string[] | null = null;
	#transaction: { sender: string; utf8: boolean; asked: number; accepted: number } | null = null;
	#isSecured = false;
	#rejections = 0;
	#resets = 0;
	/** Set when the client spoke too early and the server holds it against it. */
	mistrusts = false;

	constructor(behaviour: Behaviour, context: DialogueContext) {
		this.#behaviour = behaviour;
		this.#context = context;
	}

	/** Whether the client may send its next commands without waiting (RFC 2920). */
	get pipelining(): boolean {
		return this.#keywords?.includes('PIPELINING') ?? false;
	}

	answer(line: string): Answer {
		const text = this.#reply(line);
		const closes =
			text.startsWith('421') ||
			text.startsWith('221') ||
			text.startsWith('554 Too many nonmail') ||
			(this.#behaviour.fault === 'closes-after-rejection' && text.startsWith('550'));
		return { text, closes };
	}

	#reply(sent: string): string {
		const line = this.#behaviour.forgivesSpaces ? sent.replace(/^(MAIL FROM|RCPT TO): +/i, '$1:') : sent;
		const verb = verbOf(line);
		switch (verb) {
			case 'EHLO':
			case 'HELO':
				return this.#hello(verb, line);
			case 'MAIL':
				return this.#mail(line);
			case 'RCPT':
				return this.#rcpt(line);
			case 'RSET':
				this.#transaction = null;
				this.#resets += 1;
				return this.#resets > RESETS_MAX ? '554 Too many nonmail commands' : '250 2.0.0 Ok';
			case 'NOOP':
				return '250 2.0.0 Ok';
			case 'QUIT':
				return '221 2.0.0 Bye';
			case 'STARTTLS':
				return this.#startTls();
			case 'DATA':
				return '554 5.5.1 Error: the sandbox takes no mail';
			case 'VRFY':
			case 'EXPN':
				return '502 5.5.1 Command disabled';
			default:
				return '500 5.5.2 Error: command not recognized';
		}
	}

	#hello(verb: 'EHLO' | 'HELO', line: string): string {
		if (!/^\S+ \S+$/.test(line)) return `501 5.5.4 Syntax: ${verb} hostname`;
		if (verb === 'EHLO' && this.#behaviour.heloOnly) return '502 5.5.1 Error: command not implemented';
		this.#transaction = null;
		const offered = (this.#behaviour.keywords ?? MODERN).filter(
			(keyword) => keyword !== 'STARTTLS' || !this.#isSecured,
		);
		this.#keywords = verb === 'EHLO' ? offered : [];
		const lines = [this.#context.host, ...this.#keywords];
		return lines.map((text, i) => `250${i < lines.length - 1 ? '-' : ' '}${text}`).join('\n');
	}

	#startTls(): string {
		// RFC 3207 §4: the keyword is offered, the certificate is not at hand.
		if (this.#behaviour.tls === undefined) return '454 4.7.0 TLS not available due to temporary reason';
		if (this.#isSecured) return '503 5.5.1 Error: TLS already active';
		this.#isSecured = true;
		// RFC 3207 §4.2: whatever was said before is forgotten.
		this.#keywords = null;
		this.#transaction = null;
		return '220 2.0.0 Ready to start TLS';
	}

	#mail(line: string): string {
		if (this.#keywords === null) return '503 5.5.1 Error: send HELO/EHLO first';
		if (this.#behaviour.tls !== undefined && !this.#isSecured)
			return '530 5.7.0 Must issue a STARTTLS command first';
		if (this.#transaction !== null) return '503 5.5.1 Error: nested MAIL command';
		// RFC 5321 §3.3: no space around the colon.
		const [, sender, parameters] = /^MAIL FROM:<([^>]*)>((?: \S+)*)$/i.exec(line) ?? [];
		if (sender === undefined || parameters === undefined) return '501 5.5.4 Syntax: MAIL FROM:<address>';
		const unknown = parameters.split(' ').find((parameter) => !this.#offers(parameter));
		// RFC 5321 §4.1.1.11
		if (unknown !== undefined) return `555 5.5.4 Unsupported option: ${unknown}`;
		if (this.#behaviour.mail !== undefined) return this.#behaviour.mail;
		this.#transaction = { sender, utf8: /\bSMTPUTF8\b/i.test(parameters), asked: 0, accepted: 0 };
		return '250 2.1.0 Ok';
	}

	#rcpt(line: string): string {
		const transaction = this.#transaction;
		if (transaction === null) return '503 5.5.1 Error: need MAIL command';
		const [, mailbox, domain] = /^RCPT TO:<(.+)@([^@>]+)>$/i.exec(line) ?? [];
		if (mailbox === undefined || domain === undefined) return '501 5.1.3 Bad recipient address syntax';
		const address = `${mailbox}@${domain}`;
		// RFC 6531 §3.5: a UTF-8 address only in a transaction that announced it.
		if (!transaction.utf8 && !isAscii(address)) return '553 5.6.7 SMTPUTF8 is required for this address';
		if (transaction.accepted >= RECIPIENTS_MAX) return '452 4.5.3 Error: too many recipients';
		const ascii = domainToASCII(domain);
		if (this.mistrusts) return '550 5.5.1 Protocol error';
		if (!this.#context.serves(ascii)) return `554 5.7.1 <${address}>: Relay access denied`;
		const reply = (this.#behaviour.rcpt ?? mailboxes())({
			address,
			mailbox: mailbox.toLowerCase().replace(/\+.*$/, ''),
			domain: ascii,
			index: transaction.asked,
			sinceFirstTryMs: this.#since(`${transaction.sender} ${address.toLowerCase()}`),
			sinceFirstContactMs: this.#since(transaction.sender),
		});
		transaction.asked += 1;
		if (reply.startsWith('2')) transaction.accepted += 1;
		if (reply.startsWith('5')) this.#rejections += 1;
		return this.#rejections > REJECTIONS_MAX ? '421 4.7.0 Error: too many errors' : reply;
	}

	#offers(parameter: string): boolean {
		if (parameter === '') return true;
		const name = (parameter.split('=')[0] ?? '').toUpperCase();
		const keyword = name === 'BODY' ? '8BITMIME' : name;
		return this.#keywords?.some((offered) => offered.split(' ')[0] === keyword) ?? false;
	}

	#since(key: string): number {
		const now = this.#context.now();
		const first = this.#context.firstSeen.get(key) ?? now;
		this.#context.firstSeen.set(key, first);
		return now - first;
	}
}

/** The command word of a line, in capitals (RFC 5321 §2.4: commands ignore case). */
export function verbOf(line: string): string {
	return (line.split(' ', 1)[0] ?? '').toUpperCase();
}

function isAscii(text: string): boolean {
	return /^[\u0020-\u007e]*$/.test(text);
}
