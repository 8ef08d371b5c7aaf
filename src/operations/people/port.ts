import type { Accounts } from '../accounts/object-port.ts';
import type { SigningSecret } from '../../core/keys/api-key.ts';
import type { LinkPurpose } from '../../core/identity/tokens.ts';
import type { Throttle } from '../../core/identity/throttles.ts';
import type { Clock } from '../../engine/ports.ts';
import type { Directory } from '../accounts/directory-port.ts';
import type { Party } from '../../lib/waiting-line.ts';
import type { ActivityKind } from '../../core/identity/activity.ts';
import type { FactorRef } from '../../core/identity/second-factor.ts';

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

/** A link in a mail. With the purpose `confirm_address` it is also the only record of a sign-up. */
export interface OneTimeLink {
	readonly tokenHash: string;
	readonly purpose: LinkPurpose;
	/** The form that requested it. */
	readonly formId: string;
	readonly email: string;
	readonly loginName: string;
	/** The person, or the one that the confirmation will create. */
	readonly userId: string;
	/** The account that the confirmation will create; null for other purposes. */
	readonly accountId: string | null;
	readonly passwordHash: string | null;
	/** SHA-256 of the visitor token of the browser that signed up. */
	readonly visitorHash: string | null;
	readonly expiresAt: number;
	readonly usedAt: number | null;
}

/** People and the links in their mails. */
export interface People {
	findByLoginName(loginName: string): Promise<User | null>;
	find(userId: string): Promise<User | null>;
	findByAccount(accountId: string): Promise<User | null>;
	/** Adds a person, and returns the one who has the address afterwards, who may be another one. */
	insert(user: User): Promise<User>;
	/** The oldest open account that an operator made for one of the addresses and that no person owns yet. */
	freeAccountOf(emails: readonly string[]): Promise<string | null>;
	rename(userId: string, name: string): Promise<void>;
	/** Replaces the password, ends all sessions and reset links, and begins the given session, atomically. */
	replacePassword(userId: string, passwordHash: string, session: Session): Promise<void>;
	/**
	 * Replaces the address by a valid link, ends the person's links, and all sessions but the one given; null: the link is
	 * no longer valid, or another person has the address.
	 */
	changeAddress(change: { tokenHash: string; session: string; now: number }): Promise<User | null>;
	/** Replaces the password by a valid link, and ends the person's sessions and reset links; null: no longer valid. */
	resetPassword(change: { tokenHash: string; passwordHash: string; now: number }): Promise<User | null>;
	/** Deletes the person and every copy of the address; the account stays, closed and without an address. */
	remove(user: User, now: number): Promise<void>;
	/** False: the same form was sent before. */
	insertLink(link: OneTimeLink): Promise<boolean>;
	findLink(tokenHash: string, purpose: LinkPurpose): Promise<OneTimeLink | null>;
	/** Marks a link as used. False: another request was faster. */
	useLink(tokenHash: string, now: number): Promise<boolean>;
	/** Deletes links that expired long ago. */
	sweepLinks(now: number): Promise<void>;
}

/** The session of a request, and its person. */
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
	/** The sessions of a person, last used first. */
	list(userId: string): Promise<readonly Session[]>;
	/** Ends one of a person's sessions. False: there was none. */
	revoke(userId: string, sessionId: string): Promise<boolean>;
	/** Ends all of a person's sessions except one. False: there was no other. */
	revokeOthers(userId: string, tokenHash: string): Promise<boolean>;
	/** Deletes sessions that have ended. */
	sweep(now: number): Promise<void>;
}

/** A CAPTCHA. */
export interface Challenge {
	/** Whether the answer was issued for this site and is used for the first time. Throws `upstream_unavailable`. */
	isPassed(answer: string): Promise<boolean>;
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

/** A turn in the line for password hashing, for one of these calls, once. */
export interface PasswordTurn {
	/** The hash of a new password. */
	hash(password: string): Promise<string>;
	/** Whether the password matches the stored hash. Without one (null) it is false, after the same time. */
	isRight(password: string, stored: string | null): Promise<boolean>;
}

/** Hashes passwords, which is slow on purpose and blocks the isolate, so requests wait in a short line. */
export interface Passwords {
	/**
	 * Takes a place in the line, so that a flood of requests costs no more, then does the work, which should make its
	 * cheaper checks before the password. `who` is the id of a person who has presented something: a session, a link from
	 * a mail, a known browser. Strangers can't take all places. Throws `CrowdedError`.
	 */
	inLine<T>(who: Party, work: (turn: PasswordTurn) => Promise<T>): Promise<T>;
	/** Whether half of the places for strangers that have not worked are taken. */
	isCrowded(): boolean;
}

export interface Mail {
	readonly to: string;
	readonly subject: string;
	readonly text: string;
	/** The same with a little layout; left out: the text alone. */
	readonly html?: string;
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
	/** The first secret signs; all are accepted when verifying. */
	readonly signingSecrets: readonly SigningSecret[];
	readonly accounts: Accounts;
	readonly directory: Directory;
	readonly people: People;
	readonly sessions: Sessions;
	readonly attempts: Attempts;
	readonly secondFactors: SecondFactors;
	readonly activities: Activities;
	readonly passwords: Passwords;
	/** Null: no challenge is configured. */
	readonly challenge: Challenge | null;
	readonly mailer: Mailer;
	/** Whether mailboxes of the domain belong to customers of its owner. */
	readonly isProvider: (domain: string) => boolean;
	readonly trialCredits: number;
	/** Runs work after the response, so that its duration reveals nothing. Errors are logged. */
	readonly later: (work: () => Promise<void>) => void;
}

/** Something that happened to an account, as its owner reads it. */
export interface Activity {
	/** Epoch milliseconds. */
	readonly at: number;
	readonly kind: ActivityKind;
	/** The browser and system in a few words; null: no browser of the owner's did it. */
	readonly device: string | null;
	/** The subject: the label of a key, the name of a list, credits. */
	readonly about: string | null;
	/** The actor, where it was not the owner at the dashboard. */
	readonly by: 'operator' | 'api' | null;
}

/** The activity of accounts, bounded in time and in number. */
export interface Activities {
	record(accountId: string, activity: Activity): Promise<void>;
	/** The newest first. */
	list(accountId: string, most: number): Promise<readonly Activity[]>;
	/** Deletes entries that are no longer shown. */
	sweep(now: number): Promise<void>;
}

/** The second factor of a person. */
export interface SecondFactor extends FactorRef {
	/** When it was turned on, epoch ms. */
	readonly since: number;
	/** The time step of the last code that was taken: none is taken twice, nor an older one. */
	readonly lastStep: number;
}

export interface NewFactor {
	readonly userId: string;
	readonly factor: SecondFactor;
	/** Digests. */
	readonly recoveryCodes: readonly string[];
	/** The session that goes on; all others end. */
	readonly tokenHash: string;
}

export interface SecondFactors {
	find(userId: string): Promise<SecondFactor | null>;
	/** How many recovery codes are left. */
	countCodes(userId: string): Promise<number>;
	/** Turns it on, and gives what is on afterwards: another one where another request was faster. */
	turnOn(request: NewFactor): Promise<SecondFactor>;
	turnOff(userId: string): Promise<void>;
	/** How many depend on each version of the service's secret. */
	countByVersion(): Promise<Readonly<Record<string, number>>>;
	/** Takes the code of a time step. False: that step, or a later one, was taken before. */
	useStep(userId: string, step: number): Promise<boolean>;
	/** Takes a recovery code. False: there is no such one. */
	useRecoveryCode(userId: string, digest: string): Promise<boolean>;
	/** Whether a recovery code with this digest is left. */
	hasCode(userId: string, digest: string): Promise<boolean>;
	/** Replaces all recovery codes. */
	replaceCodes(userId: string, digests: readonly string[]): Promise<void>;
}
