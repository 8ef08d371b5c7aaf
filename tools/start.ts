import { readStartArguments } from './arguments.ts';
import { ensureDemoAccount } from './demo-account.ts';
import type { DemoAccount } from './demo-account.ts';
import { startLocalService } from './local-service.ts';
import type { LocalService } from './local-service.ts';

// `npm start`: runs the whole service on this machine, by default with the sandbox as its DNS and mail servers.

const NO_PROBER =
	'none of ours. Unless --var PROBERS:… names one, give --var HELO_NAME:… --var MAIL_FROM:… to ask real mail servers';

const given = readStartArguments(process.argv.slice(2));
const parent = process.ppid;
let stopping = false;
let service: LocalService | null = null;

function end(): void {
	if (stopping) return;
	stopping = true;
	// While the service is still starting, the code that starts it checks `stopping` and ends it.
	void service?.stop().then(() => process.exit(0));
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
// npm passes a signal only to the shell between npm and us: when that shell is gone, so is our caller.
setInterval(() => process.ppid !== parent && end(), 500).unref();

console.log(
	given.sandbox === null ? 'Starting Mailsonar …' : 'Starting Mailsonar with its sandbox mail world …',
);
try {
	service = await startLocalService({ ...given, output: 'show' });
	if (!stopping) console.log(welcome(service, await ensureDemoAccount(service, given.persistTo)));
} catch (error) {
	// If Ctrl-C ended our children during the start, our own signal handler runs only now.
	await new Promise(setImmediate);
	await service?.stop();
	if (!stopping) throw error;
}
if (stopping || service === null) {
	await service?.stop();
	process.exit(0);
}
const code = await Promise.race([service.ended, proberEnded(service)]);
await service.stop();
process.exit(stopping ? 0 : (code ?? 1));

/** Without its prober the service verifies nothing. */
async function proberEnded({ prober }: LocalService): Promise<number | null> {
	if (prober === null) return new Promise(() => {});
	await prober.ended;
	if (!stopping) console.error('The prober has ended.');
	return 1;
}

function welcome({ url, sandbox, prober }: LocalService, { apiKey, accountId }: DemoAccount): string {
	const address = sandbox?.domains[0]?.address ?? 'someone@example.com';
	const rows = sandbox?.domains ?? [];
	const width = Math.max(0, ...rows.map((row) => row.address.length));
	const table = rows.map(
		(row) => `  ${row.address.padEnd(width)}  ${row.does}${row.slow === true ? ' (slow)' : ''}`,
	);
	return [
		'',
		`Mailsonar   ${url}`,
		`Dashboard   ${url}/dashboard (its mails: ${url}/dashboard/dev/mailbox)`,
		`Docs        ${url}/docs`,
		`OpenAPI     ${url}/openapi.json`,
		`Account     ${accountId}`,
		`API key     ${apiKey}`,
		`Prober      ${prober?.url ?? NO_PROBER}`,
		'',
		...(rows.length === 0 ? [] : ['Addresses of the sandbox, and what their mail servers do:', ...table, '']),
		'Try it:',
		`  curl -s ${url}/v1/verify -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '{"email":"${address}"}'`,
		'',
		'Ctrl-C ends everything. The state is kept.',
		'',
	].join('\n');
}
