import type { TestProject } from 'vitest/node';
import { SANDBOX_RANGE, startSandbox } from '../sandbox/world.ts';
import { startListServer } from './list-server.ts';
import { startNetPeers } from './proxies/net-setup.ts';
import { startWebServer } from './web-server.ts';

declare module 'vitest' {
	export interface ProvidedContext {
		/** Variables of the Worker under test. */
		workerBindings: Record<string, string>;
		/** A public list of disposable domains. */
		listUrl: string;
		/** Websites and registries. */
		webUrl: string;
	}
}

/** Starts the mail servers and peers that tests inside workerd reach through real sockets. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
	const sandbox = await startSandbox();
	const net = await startNetPeers();
	const lists = await startListServer();
	provide('netPeers', net.peers);
	const web = await startWebServer();
	provide('listUrl', lists.url);
	provide('webUrl', web.url);
	provide('workerBindings', {
		DEVELOPMENT: 'true',
		KEY_SIGNING_SECRET: `2:${'ab'.repeat(32)},1:${'cd'.repeat(32)}`,
		OPERATOR_TOKEN: 'operator-token-of-the-worker-tests',
		DOH_URL: sandbox.dohUrl,
		RDAP_BOOTSTRAP_URL: `${sandbox.rdapUrl}/dns.json`,
		SMTP_EGRESS: sandbox.socksUrl,
		HELO_NAME: 'probe.mailsonar.test',
		MAIL_FROM: 'verify@probe.mailsonar.test',
		ALLOW_PRIVATE_MX: SANDBOX_RANGE,
		DISPOSABLE_LIST_URL: lists.url,
	});
	return async () => {
		await Promise.all([sandbox.close(), net.close(), lists.close(), web.close()]);
	};
}
