import { describe, expect, test } from 'vitest';
import { converse } from '../../support/converse.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeDialer } from '../../support/unit/fake-dialer.ts';
import type { FakeDialer, Script } from '../../support/unit/fake-dialer.ts';
import { greeting, serverSaying } from '../../support/unit/mail-servers.ts';
import { makePlan } from '../../support/unit/smtp-plan.ts';

async function hold(script: Script): Promise<{ dialer: FakeDialer; end: string }> {
	const clock = fakeClock();
	const dialer = fakeDialer(clock, { '8.8.8.1': [script] });
	const dialled = await dialer.dial({ address: '8.8.8.1', egress: 'direct' }, 1000);
	if (dialled.kind !== 'connected') throw new Error('the server takes connections');
	const { end } = await converse(clock, dialled.connection, makePlan(), clock.now() + 15_000);
	return { dialer, end: end.kind };
}

describe('a conversation is left politely', () => {
	test.each<[string, Script, string]>([
		['after the last answer', serverSaying('250 ok', '550 5.1.1 no'), 'complete'],
		['after a refusal', ['> 554 no'], 'refused'],
		['in the middle', [...greeting(), '< MAIL FROM:<v@us.test>'], 'timeout'],
	])('%s: QUIT is the last write, and one of its own', async (_, script, expected) => {
		const { dialer, end } = await hold(script);
		expect(end).toBe(expected);
		expect(dialer.writes[0]?.indexOf('QUIT')).toBe((dialer.writes[0]?.length ?? 0) - 1);
		dialer.assertFinished();
	});

	test.each<[string, Script]>([
		['is silent', []],
		['has not ended its greeting', ['> 220-mx.x.test', '> 220-wait']],
	])('but a server that %s hears not a word', async (_, script) => {
		const { dialer, end } = await hold(script);
		expect([end, dialer.writes]).toEqual(['timeout', [[]]]);
		dialer.assertFinished();
	});
});
