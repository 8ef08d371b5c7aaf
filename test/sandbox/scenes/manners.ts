import { deliverable, undeliverable, unknown } from '../expectation.ts';
import type { Scene } from './scene.ts';
import { scene } from './scene.ts';

/** Domains whose server speaks SMTP in its own way, or hardly. */
export const MANNERS_SCENES: readonly Scene[] = [
	scene('three-line-greeting.test', 'Greets with three lines.', 'three-line-greeting', deliverable()),
	scene(
		'postscreen.test',
		'Greets with 220-, waits a second, and punishes who talks meanwhile.',
		'postscreen',
		deliverable(),
	),
	scene('no-pipelining.test', 'Does not offer PIPELINING.', 'no-pipelining', deliverable()),
	scene(
		'lockstep.test',
		'Hangs up on a client that does not wait for each reply.',
		'lockstep',
		deliverable(),
	),
	scene('helo-only.test', 'Knows HELO, not EHLO.', 'helo-only', deliverable()),
	{
		domain: 'drops.test',
		does: 'Hangs up after its first 550.',
		mail: 'closes-after-rejection',
		samples: [
			{ address: 'nobody@drops.test', expect: undeliverable('rejected_email') },
			{ address: 'ada@drops.test', expect: deliverable() },
		],
	},
	scene('deaf-to-quit.test', 'Never answers QUIT.', 'deaf-to-quit', deliverable()),
	scene('tarpit.test', 'Waits two seconds before every reply.', 'tarpit', deliverable(), { slow: true }),
	{
		domain: 'invalid-utf8.test',
		does: 'Replies in Latin-1, which is not valid UTF-8.',
		mail: 'invalid-utf8',
		samples: [
			{ address: 'ada@invalid-utf8.test', expect: deliverable() },
			{ address: 'nobody@invalid-utf8.test', expect: undeliverable('rejected_email') },
		],
	},
	scene('silent.test', 'Takes the connection and never says a word.', 'silent', unknown('timeout'), {
		slow: true,
	}),
	scene('drips.test', 'Sends one byte per second.', 'drips', unknown('timeout'), { slow: true }),
	scene('hangs-up.test', 'Hangs up instead of greeting.', 'closes-at-greeting', unknown('unavailable_smtp')),
	scene(
		'half-reply.test',
		'Hangs up in the middle of its reply to RCPT.',
		'closes-mid-reply',
		unknown('unavailable_smtp'),
	),
	scene(
		'babbles.test',
		'Greets with 421 and 60 KB of control characters, at both of its hosts.',
		[
			{ preference: 10, host: 'mx1.babbles.test', plays: 'babbles' },
			{ preference: 20, host: 'mx2.babbles.test', plays: 'babbles' },
		],
		unknown('unavailable_smtp'),
		{ slow: true },
	),
	scene('flood.test', 'Greets with 10 MB without a line end.', 'floods-line', unknown('unavailable_smtp')),
	scene(
		'endless.test',
		'Answers EHLO with a reply that never ends.',
		'floods-replies',
		unknown('unavailable_smtp'),
	),
];
