import { expect, test } from 'vitest';
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

async function examine(host: string, script: Script, urgency: Urgency) {
	const clock = fakeClock();
	const begun = clock.now();
	const zones = { 'x.test': { mx: [`10 ${host}`] }, [host]: { a: ['8.8.8.1'] } };
	const prober = fakeProber({ clock, dialer: fakeDialer(clock, { '8.8.8.1': [script] }) });
	const { result } = await examineAlone(portsOf(zones, prober, { clock }), addressOf('ada@x.test'), {
		class: urgency,
	});
	const { sub_status: subStatus, mail_server: server } = result.details;
	return { subStatus, gateway: server.gateway, tookMs: clock.now() - begun };
}

// A late greeting: test/unit/smtp/session.test.ts, `patience`.
test.each<[string, Urgency, Script, string]>([
	['a list has the time that it needs', 'list', after(44_000), 'accepted_email'],
	['and no more', 'list', after(46_000), 'timeout'],
	['nor more than that and the usual time in all', 'list', [], 'timeout'],
	['a caller has the usual time', 'single', after(20_000), 'timeout'],
	['a small job has it, too', 'small', after(20_000), 'timeout'],
	['its answer may take the whole of it', 'single', after(13_000), 'accepted_email'],
])('%s', async (_, urgency, script, subStatus) => {
	const { tookMs, ...found } = await examine(SLOW, script, urgency);
	expect(found).toEqual({ subStatus, gateway: 'spamexperts' });
	expect(tookMs).toBeLessThanOrEqual(urgency === 'list' ? 60_000 : 15_000);
});

test('a host of nobody we know gets the usual time, also in a list', async () => {
	const { subStatus, tookMs } = await examine(UNKNOWN_HOST, after(20_000), 'list');
	expect(subStatus).toBe('timeout');
	expect(tookMs).toBeLessThanOrEqual(15_000);
});
