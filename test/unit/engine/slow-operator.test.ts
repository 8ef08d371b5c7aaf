import { describe, expect, test } from 'vitest';
import { SUB_STATUSES } from '../../../src/core/verification/sub-status.ts';
import type { Urgency } from '../../../src/core/turns/who.ts';
import { asks, greeted } from '../../support/unit/dialogue.ts';
import { examineAlone, portsOf } from '../../support/unit/examine-alone.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeDialer } from '../../support/unit/fake-dialer.ts';
import type { Script } from '../../support/unit/fake-dialer.ts';
import { fakeProber } from '../../support/unit/fake-prober.ts';
import { addressOf, NO_SUCH_USER, OK } from '../../support/unit/mail-servers.ts';

// An operator whose row says that a reply may take 45 s.

const SLOW = 'filter10.antispamcloud.com';
const UNKNOWN_HOST = 'mx.own.test';

/** Answers about the target after so long. */
const after = (ms: number, reply = OK): Script => [
	...greeted('PIPELINING'),
	...asks('MAIL ada *', '250 2.1.0 ok'),
	...[`~ ${ms}`, `> ${reply}`, `> ${NO_SUCH_USER}`],
];
const greetsAfter = (ms: number): Script => [`~ ${ms}`, ...after(0)];

async function examine(host: string, script: Script, urgency: Urgency) {
	const clock = fakeClock();
	const begun = clock.now();
	const zones = { 'x.test': { mx: [`10 ${host}`] }, [host]: { a: ['8.8.8.1'] } };
	const prober = fakeProber({ clock, dialer: fakeDialer(clock, { '8.8.8.1': [script] }) });
	const { result } = await examineAlone(portsOf(zones, prober, { clock }), addressOf('ada@x.test'), {
		class: urgency,
	});
	const { sub_status: subStatus, general, mail_server: server } = result.details;
	return { subStatus, note: general.reason, gateway: server.gateway, tookMs: clock.now() - begun };
}

describe('a list has the time that a slow operator needs', () => {
	test.each([
		['RCPT is answered after 44 s', after(44_000), 'accepted_email'],
		['RCPT is answered after 46 s', after(46_000), 'timeout'],
		['the greeting comes after 44 s', greetsAfter(44_000), 'accepted_email'],
		['the greeting comes after 46 s', greetsAfter(46_000), 'timeout'],
	])('%s: %s', async (_, script, subStatus) => {
		expect(await examine(SLOW, script, 'list')).toMatchObject({ subStatus, gateway: 'spamexperts' });
	});

	test('and no longer than that and the usual time in all', async () => {
		const { tookMs } = await examine(SLOW, [], 'list');
		expect(tookMs).toBeLessThanOrEqual(60_000);
	});
});

describe('a caller and a small job have not', () => {
	test.each(['single', 'small'] as const)('%s: unknown in the usual time, and why', async (urgency) => {
		const { subStatus, note, tookMs } = await examine(SLOW, after(20_000), urgency);
		expect(subStatus).toBe('timeout');
		expect(note).toMatch(/^The recipient's mail server timed out: it is known to take up to 45 s/);
		expect(tookMs).toBeLessThanOrEqual(15_000);
	});

	test('but its answer may take the whole of the usual time', async () => {
		expect((await examine(SLOW, after(13_000), 'single')).subStatus).toBe('accepted_email');
	});

	test('who is told to come back reads when a list would', async () => {
		const greylisted = '451 4.7.1 Greylisting in action, please come back later';
		const { subStatus, note } = await examine(SLOW, after(0, greylisted), 'small');
		expect(subStatus).toBe('greylisted');
		expect(note).toContain('about 20 min');
	});
});

test('a host of nobody we know gets the usual time, also in a list', async () => {
	const { subStatus, note, tookMs } = await examine(UNKNOWN_HOST, after(20_000), 'list');
	expect([subStatus, note]).toEqual([
		'timeout',
		`${SUB_STATUSES.timeout.reason}: it did not answer within 10 s`,
	]);
	expect(tookMs).toBeLessThanOrEqual(15_000);
});
