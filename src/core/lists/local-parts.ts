import { ROLE_NAMES } from './data/role-names.ts';
import { lazySet } from './word-set.ts';

/** The local part without quotes and plus tag, in lower case: how most servers compare it. */
export function mailboxName(localPart: string): string {
	const bare = localPart.startsWith('"') ? localPart.slice(1, -1) : localPart;
	const plus = bare.indexOf('+');
	return (plus > 0 ? bare.slice(0, plus) : bare).toLowerCase();
}

const roleNames = lazySet(ROLE_NAMES);

/** Whether the local part names a function rather than a person (RFC 2142 names the first fifteen). */
export function isRole(localPart: string): boolean {
	return roleNames().has(mailboxName(localPart));
}

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
