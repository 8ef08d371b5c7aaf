import type { Budget } from './operator-row.ts';

// Starting points, for a source address that is known: what other senders keep to (KumoMTA's shaping rules, Reacher's
// throttle), and less where an operator is known to be touchy. A prober's operator overrides them.

export const GATEWAY_BUDGET: Budget = {
	connections: 4,
	connectionsPerMinute: 60,
	recipientsPerMinute: 240,
	recipientsPerDay: 40_000,
	recipientsPerConnection: 50,
};

/** For hosting companies, forwarders and mailbox providers. */
export const HOST_BUDGET: Budget = {
	connections: 3,
	connectionsPerMinute: 30,
	recipientsPerMinute: 120,
	recipientsPerDay: 20_000,
	recipientsPerConnection: 50,
};

/** For a mail host of an operator that we don't know. */
export const STRANGER_BUDGET: Budget = {
	connections: 2,
	connectionsPerMinute: 10,
	recipientsPerMinute: 60,
	recipientsPerDay: 2_000,
	recipientsPerConnection: 100,
};

/** For operators that block a source which asks for many unknown users, and publish no figures. */
export const CAREFUL: Budget = {
	...STRANGER_BUDGET,
	recipientsPerMinute: 30,
	recipientsPerDay: 5_000,
	recipientsPerConnection: 10,
};

/** For GMX, WEB.DE, mail.com and IONOS together. KumoMTA's shaping rules: 4 connections, 20 deliveries each. */
export const UNITED_INTERNET: Budget = { ...CAREFUL, recipientsPerConnection: 20 };
