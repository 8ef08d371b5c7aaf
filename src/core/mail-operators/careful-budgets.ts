import type { Budget } from './operator-row.ts';

/** For GMX, WEB.DE, mail.com and IONOS together. KumoMTA's shaping rules: 4 connections, 20 deliveries each. */
export const UNITED_INTERNET: Budget = {
	connections: 2,
	connectionsPerMinute: 10,
	recipientsPerMinute: 30,
	recipientsPerDay: 5_000,
	recipientsPerConnection: 20,
};

/** For operators that block a source which asks for many unknown users, and publish no figures. */
export const CAREFUL: Budget = {
	connections: 2,
	connectionsPerMinute: 10,
	recipientsPerMinute: 30,
	recipientsPerDay: 5_000,
	recipientsPerConnection: 10,
};
