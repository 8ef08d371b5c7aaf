import { startSandbox } from './world.ts';

const sandbox = await startSandbox({ log: console.log });

console.log(`DNS over HTTPS  ${sandbox.dohUrl}`);
console.log(`SMTP egress     ${sandbox.socksUrl}`);
console.log(`RDAP bootstrap  ${sandbox.rdapUrl}/dns.json\n`);
for (const { address, does, expect, slow } of sandbox.domains) {
	const verdict = `${expect.status}/${expect.sub_status}`;
	console.log(`${address.padEnd(34)} ${verdict.padEnd(36)} ${does}${slow ? ' (slow)' : ''}`);
}
console.log('\nshop-001.test to shop-060.test: staff such as ada.adams@shop-001.test. Ctrl-C ends it.');

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
	process.once(signal, () => {
		void sandbox.close();
	});
}
