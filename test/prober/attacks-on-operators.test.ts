import { expect, test } from 'vitest';
import { KNOWS_ADA, startAttackedWorld, TAKES_ALL } from './attacked.ts';
import type { AttackedWorld } from './attacked.ts';

// Customers' own domains at an operator of many, and what they make of it for everybody else. Most of each attack is
// waiting for a budget, so the worlds wait side by side.

const MICROSOFT = 'attacker-test.mail.protection.outlook.com';
const POLICY = '554 5.7.1 Message blocked by the policy of this organization';

const OPERATORS = [
	['Microsoft 365', 'mail.protection.outlook.com', '550 5.7.64 TenantAttribution; Relay Access Denied'],
	['Microsoft 365', 'mail.protection.outlook.com', '550 5.7.1 Service unavailable, client host blocked'],
	['Proofpoint', 'pphosted.com', POLICY],
	['Google', 'aspmx.l.google.com', '550 5.7.1 Relaying denied'],
	['a small hoster', 'mx.hoster.test', '550 5.7.1 Relaying denied - your IP is not permitted'],
	['a small hoster', 'mx.hoster.test', POLICY],
] as const;

/** Hosts as the operator names them: of each customer its own, or one for all. */
function namedAs(host: string) {
	return (domain: string): string =>
		host === 'mx.hoster.test' ? host : `${domain.replace('.', '-')}.${host}`;
}

/** Two accounts ask about two domains of their own each, again and again. */
async function attack(world: AttackedWorld, at: string, host: string, isTrial: boolean): Promise<void> {
	for (let round = 0; round < 3; round += 1)
		for (const asker of ['acc_one', 'acc_two'])
			for (const domain of [`${asker.slice(4)}-a.test`, `${asker.slice(4)}-b.test`])
				await world.ask({
					domain,
					host: namedAs(host)(domain),
					targets: [`ada${round}@${domain}`],
					asker,
					isTrial,
					at: [at],
				});
}

test.concurrent.each(OPERATORS)(
	'two free accounts with domains of their own at %s (%s) that answer %s stop nobody else',
	async (_, host, reply) => {
		await using world = await startAttackedWorld();
		const own = await world.server('198.18.1.1', () => reply);
		const others = await world.server('198.18.1.2', KNOWS_ADA);
		await attack(world, own.address, host, true);
		expect(own.recipients.length).toBeGreaterThan(0);
		expect(await askCustomers(world, others.address, namedAs(host))).toEqual(ALL_HEARD);
	},
);

test.concurrent.each(OPERATORS)(
	'two accounts that paid, with domains of their own at %s (%s) that answer %s, stop nobody while others are served',
	async (_, host, reply) => {
		await using world = await startAttackedWorld();
		const own = await world.server('198.18.1.1', () => reply);
		const others = await world.server('198.18.1.2', KNOWS_ADA);
		const hostOf = namedAs(host);
		const first = { domain: 'served.test', host: hostOf('served.test'), targets: ['ada@served.test'] };
		expect(await world.ask({ ...first, asker: 'acc_first', at: [others.address] })).toEqual(['heard']);
		await attack(world, own.address, host, false);
		expect(await askCustomers(world, others.address, hostOf)).toEqual(ALL_HEARD);
	},
);

test.concurrent('two accounts that paid stop nobody where nobody was served yet', async () => {
	await using world = await startAttackedWorld();
	const own = await world.server('198.18.1.1', () => POLICY);
	const others = await world.server('198.18.1.2', KNOWS_ADA);
	await attack(world, own.address, 'pphosted.com', false);
	expect(await askCustomers(world, others.address, namedAs('pphosted.com'))).toEqual(ALL_HEARD);
});

const ALL_HEARD = [['heard'], ['heard'], ['heard']];

function askCustomers(world: AttackedWorld, at: string, hostOf: (domain: string) => string) {
	const ask = (domain: string, asker: string) =>
		world.ask({ domain, host: hostOf(domain), targets: [`ada@${domain}`], asker, at: [at] });
	const domains = ['customer.test', 'company.test', 'school.test'];
	return Promise.all(domains.map((domain, n) => ask(domain, `acc_paid${n}`)));
}

test.concurrent('an operator that refuses domains which it served before is left alone: the block is about us', async () => {
	await using world = await startAttackedWorld();
	const server = await world.server('198.18.1.1', TAKES_ALL);
	const ask = (domain: string, asker: string) =>
		world.ask({ domain, host: MICROSOFT, targets: [`ada@${domain}`], asker, at: [server.address] });
	for (const n of [1, 2, 3, 4]) expect(await ask(`served${n}.test`, `acc_paid${n}`)).toEqual(['heard']);
	server.says = () => '550 5.7.606 Access denied, banned sending IP';
	for (let n = 1; n <= 12; n += 1) await ask(`served${(n % 4) + 1}.test`, `acc_paid${(n % 4) + 1}`);
	const asked = server.recipients.length;
	expect(await ask('another.test', 'acc_other')).toEqual(['paused']);
	expect(server.recipients).toHaveLength(asked);
});

test.concurrent('a domain that was a provider’s once, and has another operator serve it, speaks for no operator', async () => {
	await using world = await startAttackedWorld();
	const own = await world.server('198.18.1.1', () => '550 5.7.1 Service unavailable, client host blocked');
	const others = await world.server('198.18.1.2', KNOWS_ADA);
	const hostOf = namedAs('mail.protection.outlook.com');
	const ask = (domain: string, name: string, asker: string, at: string) =>
		world.ask({ domain, host: hostOf(domain), targets: [`${name}@${domain}`], asker, at: [at] });
	expect(await ask('served.test', 'ada', 'acc_first', others.address)).toEqual(['heard']);
	for (const name of ['ada', 'adam', 'adan']) await ask('zeroai.sbs', name, 'acc_one', own.address);
	expect(await ask('customer.test', 'ada', 'acc_customer', others.address)).toEqual(['heard']);
});
