import type { SigningSecret } from '../../core/keys/api-key.ts';
import type { LinkPurpose } from '../../core/identity/one-time-link.ts';
import type { Throttle } from '../../core/identity/throttles.ts';
import type { Accounts } from '../accounts/port.ts';
import type { Clock } from '../../engine/ports.ts';
import type { Directory } from '../accounts/directory-port.ts';

/** A person who confirmed an address. Times are epoch milliseconds everywhere. */
export interface User {
	readonly id: string;
	/** As the person wrote it. */
	readonly email: string;
	/** As it is found (core/identity/login-name.ts). */
	readonly loginName: string;
	readonly accountId: string;
	/** What the person wants to be called; may be empty. */
	readonly name: string;
	readonly passwordHash: string;
	readonly createdAt: number;
}

/** A browser that is signed in. */
export interface Session {
	readonly tokenHash: string;
	readonly id: string;
	readonly userId: string;
	/** Browser and system in a few words. */
	readonly device: string;
	readonly createdAt: number;
	readonly lastSeenAt: number;
}

/** A link in a mail. With the purpose `confirm_address` it is also all that is kept of a sign-up. */
export interface OneTimeLink {
	readonly tokenHash: string;
	readonly purpose: LinkPurpose;
	/** The form that asked for it. */
	readonly formId: string;
	readonly email: string;
	readonly loginName: string;
	/** Of the person, or of the one whom the confirmation will make. */
	readonly userId: string;
	/** What a confirmation will make; null for other purposes. */
	readonly accountId: string | null;
	readonly passwordHash: string | null;
	/** SHA-256 of the token of the browser that signed up. */
	readonly visitorHash: string | null;
	readonly expiresAt: number;
	readonly usedAt: number | null;
}

/** People and the links in their mails. */
export interface People {
	findByLoginName(loginName: string): Promise<User | null>;
	/** Adds a person and gives whoever has the address afterwards: it may be another one, or the same as before. */
	insert(user: User): Promise<User>;
	/** The oldest open account that an operator made for one of the addresses and that nobody has yet. */
	freeAccountOf(emails: readonly string[]): Promise<string | null>;
	rename(userId: string, name: string): Promise<void>;
	/** Replaces the password, ends every session and reset link, and begins the one session; all or nothing. */
	replacePassword(userId: string, passwordHash: string, session: Session): Promise<void>;
	/** Replaces the password by a link that holds, ends the person's sessions and reset links; null: it holds no more. */
	resetPassword(change: { tokenHash: string; passwordHash: string; now: number }): Promise<User | null>;
	/** Removes the person and every trace of the address; the account stays, closed and without an address. */
	remove(user: User, now: number): Promise<void>;
	/** False: the same form has asked before. */
	insertLink(link: OneTimeLink): Promise<boolean>;
	findLink(tokenHash: string, purpose: LinkPurpose): Promise<OneTimeLink | null>;
	/** Uses a link up. False: somebody was faster. */
	useLink(tokenHash: string, now: number): Promise<boolean>;
	/** Deletes links that ended long ago. */
	sweepLinks(now: number): Promise<void>;
}

/** What a request learns from its session's cookie. */
export interface SignedIn {
	readonly session: Session;
	readonly user: User;
	/** Set while an operator has the account suspended. */
	readonly suspendedAt: number | null;
}

export interface Sessions {
	/** Begins a session. One with the same id and person is replaced. */
	insert(session: Session): Promise<void>;
	find(tokenHash: string): Promise<SignedIn | null>;
	touch(tokenHash: string, now: number): Promise<void>;
	remove(tokenHash: string): Promise<void>;
	/** Those of a person, last used first. */
	list(userId: string): Promise<readonly Session[]>;
	/** Ends one of a person's sessions. */
	revoke(userId: string, sessionId: string): Promise<void>;
	/** Ends all of a person's sessions but one. */
	revokeOthers(userId: string, tokenHash: string): Promise<void>;
	/** Deletes those that have ended. */
	sweep(now: number): Promise<void>;
}

/** Tells people from programs. */
export interface Challenge {
	/** Whether the answer was given to a person here, and is used for the first time. Throws `upstream_unavailable`. */
	isPassed(answer: string): Promise<boolean>;
}

export interface Attempts {
	/** Counts an attempt where there is room; a refused one is not written. */
	count(key: string, throttle: Throttle, now: number): Promise<{ admitted: boolean; endsAt: number }>;
	/** The running window under a name; null: there is none. */
	look(key: string, now: number): Promise<{ count: number; endsAt: number } | null>;
	/** Forgets the attempts under a name. */
	forget(key: string): Promise<void>;
	sweep(now: number): Promise<void>;
}

/** A place in the line before passwords; it is good for one of the two, once. */
export interface PasswordTurn {
	/** What is stored of a new password. */
	hash(password: string): Promise<string>;
	/** With null in the place of what is stored, for nobody's, it takes as long and is false. */
	isRight(password: string, stored: string | null): Promise<boolean>;
}

/** Passwords, which are hashed slowly on purpose, while nothing else of the isolate goes on: so in a short line. */
export interface Passwords {
	/**
	 * Takes a place first, so that a crowd costs nothing more, then does the work, which is to try the cheaper checks
	 * before the password. `who` is the id of a person who has shown something: a session, a link in a mail, a browser
	 * that signed in before. Null is a stranger: strangers can't take all places. Throws `CrowdedError`.
	 */
	inLine<T>(who: string | null, work: (turn: PasswordTurn) => Promise<T>): Promise<T>;
	/** Whether strangers stand in line as if they were a crowd. */
	isCrowded(): boolean;
}

export interface Mail {
	readonly to: string;
	readonly subject: string;
	readonly text: string;
}

export interface Mailer {
	/** Throws `upstream_unavailable` where no mail can be sent at all. */
	requireReady(): void;
	send(mail: Mail): Promise<void>;
}

export interface DevelopmentMail extends Mail {
	readonly id: number;
	readonly at: number;
}

/** Mails that a developer's machine keeps instead of sending them. */
export interface DevelopmentMailbox {
	/** The newest first. */
	list(): Promise<readonly DevelopmentMail[]>;
}

/** What the operations around people need. */
export interface IdentityServices {
	readonly clock: Clock;
	readonly secureRandom: (octets: number) => Uint8Array;
	readonly newId: (prefix: string) => string;
	/** The first signs, all verify. */
	readonly signingSecrets: readonly SigningSecret[];
	readonly accounts: Accounts;
	readonly directory: Directory;
	readonly people: People;
	readonly sessions: Sessions;
	readonly attempts: Attempts;
	readonly passwords: Passwords;
	/** Null: nobody is asked whether they are a person. */
	readonly challenge: Challenge | null;
	readonly mailer: Mailer;
	readonly isDisposable: (domain: string) => Promise<boolean>;
	readonly trialCredits: number;
	/** Does work after the answer, so that its time tells nothing. What it throws is logged. */
	readonly later: (work: () => Promise<void>) => void;
}
