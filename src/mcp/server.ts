import { McpServer } from '@modelcontextprotocol/server';
import { API_VERSION } from '../http/schemas/envelope.ts';
import { PRICE, inCredits } from '../core/credits/price.ts';
import type { Api } from './api.ts';
import { addCatchAll } from './tools/catch-all.ts';
import { addDomains } from './tools/domains.ts';
import { addLists } from './tools/lists.ts';
import { addVerify } from './tools/verify.ts';

const INSTRUCTIONS = `Verifies email addresses. A definite answer costs ${inCredits(PRICE.single)}; "unknown" is refunded.
Start with verify_email for one address, and start_list for many. Before spending on many, call the tool with dryRun: true:
it says what the work would cost at most, and spends nothing. A list works in the background: ask job_status until its status
is "completed", no more often than every few seconds, then read job_results page by page; rows: "full" gives every detail of
a row. Rows with sub_status "catch_all" can be looked into with start_catchall. "risky" and "unknown" are not "undeliverable":
say so when you report them.`;

/** The tools of an account, on its own API. */
export function makeServer(api: Api): McpServer {
	const server = new McpServer(
		{ name: 'mailsonar', title: 'Mailsonar', version: API_VERSION },
		{ instructions: INSTRUCTIONS },
	);
	addVerify(server, api);
	addLists(server, api);
	addCatchAll(server, api);
	addDomains(server, api);
	return server;
}
