/** What somebody says of a mailbox. `unsure`: neither yes nor no. */
export type Answer = 'valid' | 'invalid' | 'catch_all' | 'unsure';

/** Who is measured. */
export interface Contender {
	/** Asks about one address. */
	ask(email: string): Promise<Answer>;
	/** Asks about a list in the way its maker means it; missing: it has none of its own. */
	askAll?(emails: readonly string[]): Promise<readonly Answer[]>;
}

/** Where the world is that all of them are measured in. */
export interface WorldPorts {
	/** DNS over UDP, for those who ask it. */
	readonly plainDnsPort: number;
	/** Where everybody ends who dials port 25. */
	readonly smtpPort: number;
	readonly proxy: { readonly port: number; readonly username: string; readonly password: string };
}

/** Who we are to mail servers, whoever asks. */
export const IDENTITY = {
	heloName: 'probe.mailsonar.test',
	mailFrom: 'verify@probe.mailsonar.test',
} as const;
