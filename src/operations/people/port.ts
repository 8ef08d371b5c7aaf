import type { Session, User } from '../../storage/schema.ts';

export type { Code, DevelopmentMail, Session, User } from '../../storage/schema.ts';

/** The session of a request, and its person. */
export interface SignedIn {
	readonly session: Session;
	readonly user: User;
	/** Set while an operator has the account suspended. */
	readonly suspendedAt: number | null;
}

export interface Mail {
	readonly to: string;
	readonly subject: string;
	readonly text: string;
	/** Headers of its own; the mail arrives without them where a mail service takes none. */
	readonly headers?: Readonly<Record<string, string>>;
}

export interface Mailer {
	/** Throws `upstream_unavailable` where no mail can be sent at all. */
	requireReady(): void;
	send(mail: Mail): Promise<void>;
}
