import { expect, test } from 'vitest';
import type { Address } from '../../../../src/core/address/parse-address.ts';
import type { How } from '../../../../src/engine/case.ts';
import { tryAddress } from '../../../../src/operations/verify/verify.ts';
import { foundOf } from '../../../support/unit/mail-at.ts';
import { addressOf } from '../../../support/unit/mail-servers.ts';

/** Services that count attempts, and what was asked of mail servers. */
function makeServices() {
	const counts = new Map<string, number>();
	const asked: string[] = [];
	const services = {
		clock: { now: () => 0, sleep: async () => {} },
		attempts: {
			count: async (key: string, { limit, windowMs }: { limit: number; windowMs: number }) => {
				const count = (counts.get(key) ?? 0) + 1;
				if (count <= limit) counts.set(key, count);
				return { admitted: count <= limit, endsAt: windowMs };
			},
		},
		examineAddresses: async ([address]: readonly [Address], { quick = false }: How) => {
			const isDecided = address.domain === 'nowhere.test';
			if (!quick) asked.push(address.email);
			const subStatus = isDecided ? 'invalid_domain' : quick ? 'not_asked' : 'accepted_email';
			return [foundOf(address, subStatus, 'dns')];
		},
	};
	return { services: services as unknown as Parameters<typeof tryAddress>[0], asked };
}

async function triesOf(
	services: Parameters<typeof tryAddress>[0],
	domain: string,
	clients: readonly string[],
) {
	const kinds: string[] = [];
	for (const [n, client] of clients.entries()) {
		const address = addressOf(`ada${n}@${domain}`);
		kinds.push((await tryAddress(services, { address, client })).kind);
	}
	return kinds;
}

const neighbours = (count: number, network = '192.0.2'): string[] =>
	Array.from({ length: count }, (_, n) => `${network}.${n}`);

test('visitors of one network have a mail server asked twenty times an hour, from however many addresses', async () => {
	const { services, asked } = makeServices();
	const kinds = await triesOf(services, 'company.test', neighbours(25));
	expect(kinds.filter((kind) => kind === 'answered')).toHaveLength(20);
	expect(asked).toHaveLength(20);
	expect(await triesOf(services, 'company.test', ['198.51.100.1'])).toEqual(['answered']);
});

test('half of what all visitors may ask is kept for networks that asked less than three times', async () => {
	const { services, asked } = makeServices();
	for (let n = 0; n < 30; n += 1) await triesOf(services, 'company.test', neighbours(25, `203.0.${n}`));
	expect(asked).toHaveLength(30 * 3 + 150);
	const latecomer = await triesOf(services, 'company.test', neighbours(4));
	expect(latecomer).toEqual(['answered', 'answered', 'answered', 'throttled']);
	for (let n = 0; n < 30; n += 1) await triesOf(services, 'company.test', neighbours(25, `198.51.${n}`));
	expect(asked).toHaveLength(300);
});

test('visitors of one IPv6 customer’s network are one network', async () => {
	const { services, asked } = makeServices();
	await triesOf(
		services,
		'company.test',
		Array.from({ length: 25 }, (_, n) => `2001:db8:7:${n}`),
	);
	expect(asked).toHaveLength(20);
});

test('what lists and the DNS decide costs no turn of the others', async () => {
	const { services, asked } = makeServices();
	expect(new Set(await triesOf(services, 'nowhere.test', neighbours(200)))).toEqual(new Set(['answered']));
	expect(asked).toEqual([]);
	expect(await triesOf(services, 'company.test', ['192.0.2.250'])).toEqual(['answered']);
});
