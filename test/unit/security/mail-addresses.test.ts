import { describe, expect, test } from 'vitest';
import { isAddress } from '../../../src/lib/ip-address.ts';
import { fakeClock } from '../../support/unit/fake-clock.ts';
import { fakeDialer } from '../../support/unit/fake-dialer.ts';
import { fakeProber } from '../../support/unit/fake-prober.ts';
import { NO_SUCH_USER, OK, serverSaying } from '../../support/unit/mail-servers.ts';
import { makeQuestion } from '../../support/unit/question.ts';

// Where a prober lets itself be sent: it checks the addresses of a question as if nobody had, and connects to those and to
// no name, so that a zone which answers otherwise a second later leads nowhere.

const PUBLIC = '8.8.8.1';
const ELSEWHERE = [
	...`
		127.0.0.1 10.0.0.1 169.254.169.254 100.100.100.200 192.0.0.192 168.63.129.16 0.0.0.0
		255.255.255.255 ::1 :: fe80::1 fd00:ec2::254 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::ffff:7f00:1
		::127.0.0.1 64:ff9b::10.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::10.0.0.1 64:ff9b:1:fffe::10.0.0.1
		2002:a00:1::1 2002:808:808::1 2001:0:a00:1::f5ff:fffe ::ffff:0:10.0.0.1 fe80::1%eth0
		0x7f.0.0.1 2130706433 127.1 0177.0.0.1 localhost mx.x.test 8.8.8.1:22
	`
		.trim()
		.split(/\s+/),
	'8.8.8.1\r\nHost: x',
	'',
];

async function dialledFor(hosts: readonly (readonly string[])[]): Promise<readonly string[]> {
	const clock = fakeClock();
	const dialer = fakeDialer(clock, { [PUBLIC]: [serverSaying(OK, NO_SUCH_USER)] });
	const question = makeQuestion({
		hosts: hosts.map((addresses, at) => ({ name: `mx${at}.x.test`, addresses, failed: false })),
		deadline: clock.now() + 15_000,
	});
	await fakeProber({ clock, dialer }).ask(question);
	return dialer.dialled;
}

describe('a prober connects to no place but the public Internet', () => {
	test.each(ELSEWHERE)('%j', async (address) => {
		expect(await dialledFor([[address]])).toEqual([]);
		// Beside a public one, or before it in the list, it changes nothing.
		expect(await dialledFor([[address, PUBLIC]])).toEqual([PUBLIC]);
		expect(await dialledFor([[address], [PUBLIC]])).toEqual([PUBLIC]);
	});
});

test('a prober connects to the addresses that were checked, and looks no name up again', async () => {
	const dialled = await dialledFor([['8.8.8.7', '10.0.0.1', 'fd00::1'], [PUBLIC]]);
	expect(dialled).toEqual(['8.8.8.7', PUBLIC]);
	expect(dialled.every(isAddress)).toBe(true);
});
