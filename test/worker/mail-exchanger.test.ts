import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { exchangersOf } from '../../src/durable-objects/exchanger-client.ts';
import { StoredInvented } from '../../src/durable-objects/invented-memory.ts';
import { Sql } from '../../src/durable-objects/sql.ts';
import { CONNECTION_LIMITS } from '../../src/core/smtp/limits.ts';
import type { MailExchanger } from '../../src/index.ts';
import type { Conversations, ConversationRequest, Conversed } from '../../src/engine/conversations-port.ts';
import { SharedLines } from '../../src/engine/shared-lines.ts';
import { IsolateStandingMemory } from '../../src/storage/standing-memory.ts';
import { clock, conversationAbout, LOOPBACK, makeDialer, makeDomain, peers, planFor } from './net/peers.ts';

// The object as it runs in production, on real sockets to a mail server of the sandbox; only the way out is `direct`.

let names = 0;

async function makeExchanger(port = peers.mailPort) {
	names += 1;
	const host = `mx${names}.exchanger.test`;
	const stub = env.MAIL_EXCHANGER.getByName(`host ${host}`);
	await runInDurableObject(stub, (exchanger: MailExchanger, state) => {
		exchanger.lines = new SharedLines({
			clock,
			dialer: makeDialer('direct', { smtpPort: port }),
			standing: new IsolateStandingMemory(clock),
			invented: new StoredInvented(new Sql(state.storage.sql)),
		});
	});
	const client = exchangersOf(env.MAIL_EXCHANGER, { kind: 'all' }, Date).forQuestion(false)(
		host,
		false,
		'x.test',
	);
	if (client === null) throw new Error('every host has an exchanger here');
	return { stub, client };
}

function requestFor(recipient: string, changes: Partial<ConversationRequest> = {}): ConversationRequest {
	const { heloName: _, mailFrom: __, ...plan } = planFor(recipient);
	return {
		domain: recipient.slice(recipient.indexOf('@') + 1),
		address: LOOPBACK,
		host: { host: 'exchanger.test', party: 'exchanger', egress: 'direct', speaksFor: 'operator' },
		asker: 'acc_1',
		operator: null,
		isBest: true,
		plan,
		deadline: clock.now() + 8_000,
		...changes,
	};
}

async function hold(
	client: Conversations,
	request: ConversationRequest,
): Promise<Conversed & { kind: 'held' }> {
	const conversed = await client.hold(request);
	if (conversed === 'unavailable' || conversed.kind !== 'held')
		throw new Error(`not held: ${JSON.stringify(conversed)}`);
	return conversed;
}

describe('the exchanger', () => {
	test('asks the second time in one round trip, and is the same in its answer', async () => {
		const { client } = await makeExchanger();
		const [first, second] = [makeDomain(), makeDomain()];
		const cold = await hold(client, requestFor(`ada@${first}`));
		const warm = await hold(client, requestFor(`ada@${second}`));
		expect([cold.warm, cold.report.roundTrips]).toEqual([false, 3]);
		expect([warm.warm, warm.report.roundTrips]).toEqual([true, 1]);
		const codes = ({ report }: typeof cold) => report.targets.map(({ reply }) => reply?.code);
		expect(codes(warm)).toEqual(codes(cold));
		// A set survives the way between two objects.
		expect(warm.report.keywords).toContain('PIPELINING');
	});

	test('asks many domains by few connections, each within its limits', async () => {
		const { client } = await makeExchanger();
		const domains = Array.from({ length: 40 }, makeDomain);
		const rounds: number[] = [];
		for (const domain of domains)
			rounds.push((await hold(client, requestFor(`ada@${domain}`))).report.roundTrips);
		// The invented recipient is refused each time: eight of these to a connection.
		expect(rounds.filter((trips) => trips === 1).length).toBeGreaterThanOrEqual(35);
		for (const domain of domains.slice(0, 3)) {
			const { lines } = await conversationAbout(domain);
			const count = (word: string): number => lines.filter((line) => line.startsWith(word)).length;
			expect(count('< RSET')).toBeLessThanOrEqual(CONNECTION_LIMITS.resets);
			expect(count('> 550')).toBeLessThanOrEqual(CONNECTION_LIMITS.rejections);
		}
	});

	test('answers two who come at once, and a crowd', async () => {
		const { client } = await makeExchanger();
		const all = await Promise.all(
			Array.from({ length: 20 }, () => hold(client, requestFor(`ada@${makeDomain()}`))),
		);
		expect(all.filter(({ warm }) => !warm).length).toBeLessThanOrEqual(4);
		expect(all.map(({ report }) => report.end.kind)).toEqual(all.map(() => 'complete'));
	});

	test('remembers what a domain says to invented recipients', async () => {
		const { client } = await makeExchanger();
		const domain = makeDomain();
		await hold(client, requestFor(`ada@${domain}`));
		const second = await hold(client, requestFor(`alan@${domain}`));
		expect(second.remembered).toMatchObject([{ reply: { code: 550 } }]);
		expect(second.report.invented).toEqual([]);
	});

	test('tells of a failing way out as the dialer does', async () => {
		const { stub, client } = await makeExchanger();
		await runInDurableObject(stub, (exchanger: MailExchanger) => {
			const dialer = makeDialer('direct', { directAllowed: false });
			const invented = { find: () => null, keep: () => {} };
			const standing = new IsolateStandingMemory(clock);
			exchanger.lines = new SharedLines({ clock, dialer, standing, invented });
		});
		await expect(client.hold(requestFor('ada@x.test'))).rejects.toMatchObject({
			code: 'upstream_unavailable',
		});
	});

	test('that is ended in the middle of a conversation says so, and serves the next one', async () => {
		const { stub, client } = await makeExchanger(peers.hostileServers.neverAnswers);
		const waiting = client.hold(requestFor('ada@x.test'));
		const ended = runInDurableObject(stub, (_, state) => state.abort('evicted'));
		await expect(ended).rejects.toThrow('evicted');
		expect(await waiting).toBe('unavailable');
		const again = await makeExchanger();
		expect((await hold(again.client, requestFor(`ada@${makeDomain()}`))).report.end.kind).toBe('complete');
	});
});
