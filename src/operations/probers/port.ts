/** A mail host or operator that is left alone for a while by one source address. */
export interface PausedParty {
	/** The way out, by its name without secrets. */
	readonly egress: string;
	/** The operator, or the mail host by itself. */
	readonly operator: string;
	/** Only this customer's domain, or this account's questions, are held back; null: all. */
	readonly only: string | null;
	readonly why: string;
	/** Epoch milliseconds. */
	readonly until: number;
}

/** An account whose lists are mostly mailboxes of one domain that do not exist. */
export interface Guesser {
	/** The account. */
	readonly asker: string;
	readonly domain: string;
	/** Since when it is counted, epoch milliseconds. */
	readonly since: number;
	/** Mailboxes that a mail host decided on, and those that do not exist. */
	readonly asked: number;
	readonly unknown: number;
	/** Recipients that it is allowed there. */
	readonly perMinute: number;
}

/** An operator, or a mail host, from one source address of a prober: its budget, and how much of that is used. */
export interface AskedOperator {
	/** The way out, by its name without secrets. */
	readonly egress: string;
	readonly operator: string;
	readonly standing: {
		readonly kind: string;
		/** The used share of the budget, 0 to 1. */
		readonly share: number;
	};
	readonly connections: number;
	/** Conversations that wait. */
	readonly backlog: number;
	/** Recipients. */
	readonly perMinute: number;
	readonly perDay: number;
	readonly leftThisMinute: number;
	readonly leftToday: number;
	/** Recipients used today, by who asked: visitors, accounts that never paid, all other accounts; `unpaid`: for nothing. */
	readonly usedToday: Readonly<Record<'visitors' | 'trials' | 'accounts' | 'unpaid', number>>;
	/** The accounts that used most of it: `acc_1`, and `unpaid/acc_1` for nothing. Accounts on trial are named by owner. */
	readonly mostToday: readonly (readonly [member: string, recipients: number])[];
}

/** A prober's report about itself. */
export interface ProberState {
	/** Takes nothing new, since it is about to end. */
	readonly draining: boolean;
	/** Questions under way. */
	readonly running: number;
	/** Connections to mail hosts, open or being opened. */
	readonly connections: number;
	/** Conversations that wait for a connection. */
	readonly waiting: number;
	/** It can't write what must survive a restart. */
	readonly stateFails: boolean;
	/** When what it remembered was found damaged and set aside, epoch milliseconds; null: not since it started. */
	readonly stateSetAsideAt: number | null;
	readonly egresses: readonly string[];
	readonly paused: readonly PausedParty[];
	/** Accounts that are slowed. */
	readonly guessers: readonly Guesser[];
	/** The operators that were asked lately. */
	readonly operators: readonly AskedOperator[];
}

/** Why a prober says nothing. */
export type Silence = 'unreachable' | 'silent' | 'refuses_token' | 'nonsense';

/** A prober by its name, and its state, or why there is none. */
export type SeenProber =
	| { readonly prober: string; readonly state: ProberState }
	| { readonly prober: string; readonly silent: Silence };

/** An account that asked about a domain, and about how many addresses. */
export interface AskingAccount {
	readonly asker: string;
	readonly addresses: number;
}

/** The accounts that asked a prober about a domain on a day, or why it does not say. */
export type SeenAskers =
	| { readonly prober: string; readonly askers: readonly AskingAccount[] }
	| { readonly prober: string; readonly silent: Silence };

/** The probers that are configured, in their order. One that does not answer holds up the others for a few seconds. */
export interface Probers {
	states(): Promise<readonly SeenProber[]>;
	askers(domain: string, day: string): Promise<readonly SeenAskers[]>;
}
