import type { Accounts } from '../accounts/object-port.ts';
import type { Throttle } from '../../core/identity/throttles.ts';
import type { Clock } from '../../engine/ports.ts';
import type { Directory } from '../accounts/directory-port.ts';

/** A person who confirmed an address. Times are epoch milliseconds everywhere. */
export interface User {
	readonly id: string;
	/** As the person wrote it. */
	readonly email: string;
	/** The form by which the person is found (core/identity/login-name.ts). */
	readonly loginName: string;
	readonly accountId: string;
	/** The person's name; may be empty. */
	readonly name: string;
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

export type CodePurpose = 'sign_in' | 'change_address';

/** A code in a mail. Until it is typed, this is also the only record of a sign-up. */
export interface Code {
	/** SHA-256 of the challenge, which only the browser that asked has. */
	readonly id: string;
	readonly purpose: CodePurpose;
	/** The HMAC of the code by the challenge. */
	readonly codeHash: string;
	/** The part of the session's token that is not in the browser. */
	readonly salt: string;
	readonly email: string;
	readonly loginName: string;
	/** The person who moves to the address; to sign in, the one to create for an address without an account. */
	readonly userId: string;
	/** The account to create with the person; null for other purposes. */
	readonly accountId: string | null;
	/** How often a code was typed for it. */
	readonly tries: number;
	readonly expiresAt: number;
	readonly usedAt: number | null;
}

/** People and the codes in their mails. */
export interface People {
	findByLoginName(loginName: string): Promise<User | null>;
	findByAccount(accountId: string): Promise<User | null>;
	/** Adds a person, and returns the one who has the address afterwards, who may be another one. */
	insert(user: User): Promise<User>;
	/** The oldest open account that an operator made for one of the addresses and that no person owns yet. */
	freeAccountOf(emails: readonly string[]): Promise<string | null>;
	rename(userId: string, name: string): Promise<void>;
	/**
	 * Replaces the address by a valid code, and ends the person's codes and all sessions but the one given; null: the code
	 * is no longer valid, or another person has the address.
	 */
	changeAddress(change: { codeId: string; session: string; now: number }): Promise<User | null>;
	/** Deletes the person and every copy of the address; the account stays, closed and without an address. */
	remove(user: User, now: number): Promise<void>;
	/** False: the same form was sent before. */
	insertCode(code: Code): Promise<boolean>;
	/** A code that has not expired, for whichever purpose, used or not. */
	findCode(id: string, now: number): Promise<Code | null>;
	/** Counts a try. False: it had its tries, or has expired. */
	tryCode(id: string, now: number): Promise<boolean>;
	/** Uses a code and begins a session by it, both or neither. A code that was used before begins none. */
	useCode(id: string, session: Session, now: number): Promise<void>;
	/** Takes a code back whose mail was not sent. */
	removeCode(id: string): Promise<void>;
	/** Deletes codes that have expired, with their addresses. */
	sweepCodes(now: number): Promise<void>;
}

/** The session of a request, and its person. */
export interface SignedIn {
	readonly session: Session;
	readonly user: User;
	/** Set while an operator has the account suspended. */
	readonly suspendedAt: number | null;
}

export interface Sessions {
	find(tokenHash: string): Promise<SignedIn | null>;
	touch(tokenHash: string, now: number): Promise<void>;
	remove(tokenHash: string): Promise<void>;
	/** The sessions of a person, last used first. */
	list(userId: string): Promise<readonly Session[]>;
	/** Ends one of a person's sessions. */
	revoke(userId: string, sessionId: string): Promise<void>;
	/** Ends all of a person's sessions except one. */
	revokeOthers(userId: string, tokenHash: string): Promise<void>;
	/** Deletes sessions that have ended. */
	sweep(now: number): Promise<void>;
}

export interface Attempts {
	/** Counts an attempt if the limit allows it; a refused one is not written. */
	count(key: string, throttle: Throttle, now: number): Promise<{ admitted: boolean; endsAt: number }>;
	/** The current window of a key; null: there is none. */
	look(key: string, now: number): Promise<{ count: number; endsAt: number } | null>;
	/** Deletes the attempts of a key. */
	forget(key: string): Promise<void>;
	sweep(now: number): Promise<void>;
}

export interface Mail {
	readonly to: string;
	readonly subject: string;
	readonly text: string;
	/** The same with a little layout; left out: the text alone. */
	readonly html?: string;
	/** Headers of its own; the mail arrives without them where a mail service takes none. */
	readonly headers?: Readonly<Record<string, string>>;
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

/** Mails that a developer's machine stores instead of sending. */
export interface DevelopmentMailbox {
	/** The newest first. */
	list(): Promise<readonly DevelopmentMail[]>;
}

/** The services of the operations around people. */
export interface IdentityServices {
	readonly clock: Clock;
	readonly secureRandom: (octets: number) => Uint8Array;
	readonly newId: (prefix: string) => string;
	readonly accounts: Accounts;
	readonly directory: Directory;
	readonly people: People;
	readonly sessions: Sessions;
	readonly attempts: Attempts;
	readonly mailer: Mailer;
	/** Whether mailboxes of the domain belong to customers of its owner. */
	readonly isProvider: (domain: string) => boolean;
	readonly trialCredits: number;
	/** Runs work after the response, so that its duration reveals nothing. Errors are logged. */
	readonly later: (work: () => Promise<void>) => void;
}
