import { mailboxName } from './mailbox-name.ts';

// The phrase must stand between separators: `news-noreply` and `no.reply2` match, `noreplyson` does not.
const NO_REPLY = new RegExp(
	String.raw`(?:^|[-_.])(?:${[
		String.raw`no[-_.]?(?:repl(?:y|ies)|replay|response|mail|email)`,
		String.raw`(?:do[-_.]?not|don'?t|dont|never|not)[-_.]?(?:reply|respond)`,
		String.raw`(?:mailer|mail)[-_.]?daemon`,
		String.raw`(?:auto[-_.]?(?:reply|responder|response|confirm|notify))`,
		String.raw`unattended|unmonitored|not[-_.]?monitored|devnull|dev[-_.]null|undisclosed-recipients`,
		String.raw`ne[-_.]?pas[-_.]?repondre|no[-_.]?respond(?:er|a)|n[aã]o[-_.]?respond(?:er|a)`,
		String.raw`nicht[-_.]?antworten|keine[-_.]?antwort|non[-_.]?rispondere|niet[-_.]?(?:be)?antwoorden|nepasrepondre`,
	].join('|')})(?:$|[-_.]|\d+$)`,
);

/** Whether a local part says that the mailbox is not read (`noreply`, `mailer-daemon`), in some languages. */
export function isNoReply(localPart: string): boolean {
	return NO_REPLY.test(mailboxName(localPart));
}
