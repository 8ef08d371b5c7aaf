import { deliverable, unknown } from '../expectation.ts';
import type { Scene } from './scene.ts';
import { scene } from './scene.ts';

/** Domains whose server does not say whether the mailbox exists: it turns us away, now or for good. */
export const REFUSAL_SCENES: readonly Scene[] = [
	scene(
		'greylist.test',
		'Greylists for five minutes: no single call can wait that long.',
		'greylist',
		unknown('greylisted'),
		{
			slow: true,
		},
	),
	scene(
		'greylist-short.test',
		'Turns the first contact away and lets the same sender in five seconds later.',
		'greylist-short',
		deliverable(),
		{ slow: true },
	),
	scene(
		'greylist-catch-all.test',
		'Greylists each recipient for five seconds, and then accepts everybody.',
		'greylist-catch-all',
		{ ...unknown('catch_all_unresolved'), catch_all: true },
		{ slow: true },
	),
	scene(
		'rate-limit.test',
		'Too many recipients from us (451 4.7.1).',
		'rate-limit',
		unknown('rate_limited'),
		{
			slow: true,
		},
	),
	scene(
		'rate-limit-greeting.test',
		'Too many connections from us: 421 instead of a greeting.',
		'rate-limit-greeting',
		unknown('rate_limited'),
		{ slow: true },
	),
	scene(
		'blocked.test',
		'Our IP address is on a block list, and the server says so at RCPT.',
		'blocked-recipient',
		unknown('probe_blocked'),
	),
	scene(
		'blocked-greeting.test',
		'Our IP address is on a block list, and the server says so as its greeting.',
		'blocked-greeting',
		unknown('probe_blocked'),
	),
	scene(
		'refuses-address.test',
		'Takes no connections from our IP address, and says so as its greeting (550 5.7.1).',
		'refuses-address',
		unknown('probe_blocked'),
	),
	scene(
		'refuses-sender.test',
		'Refuses our sender by its SPF record (550 5.7.23 to MAIL).',
		'refuses-sender',
		unknown('probe_blocked'),
	),
	scene('policy.test', 'Refuses our sender by a policy of its own.', 'policy', unknown('antispam_system')),
	scene(
		'tls-required.test',
		'Demands STARTTLS before MAIL, and answers over TLS.',
		'tls-required',
		deliverable(),
	),
	scene(
		'tls-broken.test',
		'Demands STARTTLS before MAIL, and breaks off the handshake.',
		'tls-broken',
		unknown('tls_required'),
	),
	scene(
		'no-smtputf8.test',
		'Does not offer SMTPUTF8, which an address with an umlaut needs.',
		'no-smtputf8',
		unknown('smtputf8_unsupported'),
		{ local: 'jürgen' },
	),
	scene('shuts-down.test', 'Shuts down in mid-session (421).', 'shuts-down', unknown('unavailable_smtp'), {
		slow: true,
	}),
	scene(
		'one-recipient.test',
		'Takes one recipient per transaction, and knows its users.',
		'one-recipient',
		deliverable(),
	),
	scene(
		'one-recipient-catch-all.test',
		'Takes one recipient per transaction, whoever it is.',
		'one-recipient-catch-all',
		{ ...unknown('catch_all_unresolved'), catch_all: true },
	),
	scene(
		'late-catch-all.test',
		'Accepts everybody, after four seconds each.',
		'late-catch-all',
		{ ...unknown('catch_all_unresolved'), catch_all: true },
		{ slow: true },
	),
	scene(
		'shy-catch-all.test',
		'Accepts names that it has met, and puts off every other: whether it is catch-all stays open.',
		'shy-catch-all',
		deliverable(null),
	),
];
