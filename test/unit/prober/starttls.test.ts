import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../src/core/verification/interpret-session.ts';
import { greeted } from '../../support/unit/dialogue.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeDialer } from '../../support/unit/fake-dialer.ts';
import type { Fate, Script } from '../../support/unit/fake-dialer.ts';
import { fakeProber } from '../../support/unit/fake-prober.ts';
import { NO_SUCH_USER, OK } from '../../support/unit/mail-servers.ts';
import { makeQuestion } from '../../support/unit/question.ts';

// RFC 3207: STARTTLS where the host demands it, or where its operator is known to treat others worse.

const GOOGLE = 'aspmx.l.google.com';
const OWN = 'mx.own.test';

/** Asks a mail host about ada@x.test. */
async function ask(
	host: string,
	...fates: readonly Fate[]
): Promise<{
	answer: Finding | null | undefined;
	/** Of the conversation that counts. */
	secured: boolean;
	dialled: number;
}> {
	const clock = fakeClock();
	const dialer = fakeDialer(clock, { '8.8.8.1': fates });
	const hosts = [{ name: host, addresses: ['8.8.8.1'], failed: false }];
	const asked = await fakeProber({ clock, dialer }).ask(
		makeQuestion({ hosts, deadline: clock.now() + 15_000 }),
	);
	dialer.assertFinished();
	const [answer] = asked.answers;
	return { answer, secured: answer?.kind === 'heard' && answer.secured, dialled: dialer.dialled.length };
}

const target = (answer: Finding | null | undefined): unknown =>
	answer?.kind === 'heard' ? answer.interpretation.target : answer;

const OFFERS = greeted('PIPELINING', 'STARTTLS');
const FLIGHT: Script = ['< MAIL FROM:<v@us.test>', '< RCPT TO:<ada@x.test>', '< RCPT TO:<qzx@x.test>'];
const ANSWERS: Script = [...FLIGHT, '> 250 2.1.0 ok', `> ${OK}`, `> ${NO_SUCH_USER}`];
const STARTS: Script = ['< STARTTLS', '> 220 2.0.0 go'];
const OVER_TLS: Script = ['! tls', '< EHLO probe.us.test', '> 250-mx.x.test', '> 250 PIPELINING', ...ANSWERS];
const DEMANDS: Script = [
	...OFFERS,
	...FLIGHT,
	...FLIGHT.map(() => '> 530 5.7.0 Must issue a STARTTLS first'),
];

describe('an operator that treats callers without TLS worse', () => {
	test('is asked over TLS', async () => {
		const { answer, secured } = await ask(GOOGLE, [...OFFERS, ...STARTS, ...OVER_TLS]);
		expect(target(answer)).toMatchObject({ kind: 'accepted' });
		expect(secured).toBe(true);
	});

	test.each<[string, Script]>([
		['fails', ['! tls failed']],
		['never ends', ['! tls timeout']],
	])('is asked again without where the handshake %s: that was our wish', async (_, how) => {
		const { answer, secured, dialled } = await ask(
			GOOGLE,
			[...OFFERS, ...STARTS, ...how],
			[...OFFERS, ...ANSWERS],
		);
		expect(target(answer)).toMatchObject({ kind: 'accepted' });
		expect([secured, dialled]).toEqual([false, 2]);
	});

	test('and then demands it cannot be asked: TLS with it fails', async () => {
		const { answer, dialled } = await ask(GOOGLE, [...OFFERS, ...STARTS, '! tls failed'], DEMANDS);
		expect(target(answer)).toEqual({ kind: 'unknown', why: 'tls_required' });
		expect(dialled).toBe(2);
	});
});

describe('any other host', () => {
	test('that offers TLS is asked without', async () => {
		const { answer, secured } = await ask(OWN, [...OFFERS, ...ANSWERS]);
		expect(target(answer)).toMatchObject({ kind: 'accepted' });
		expect(secured).toBe(false);
	});
});
