import { deliverable, risky, undeliverable, unknown } from '../expectation.ts';
import type { Scene } from './scene.ts';
import { healthyNames, scene, SPF } from './scene.ts';

/** Domains that differ in what their server says about a mailbox. */
export const MAILBOX_SCENES: readonly Scene[] = [
	{
		domain: 'inbox.test',
		does: 'An ordinary mail server: accepts its users and refuses everybody else.',
		mail: 'plain',
		zone: { txt: [SPF] },
		names: healthyNames('inbox.test'),
		samples: [
			{ address: 'ada@inbox.test', expect: deliverable() },
			{ address: 'nobody@inbox.test', expect: undeliverable('rejected_email') },
			{ address: 'info@inbox.test', expect: deliverable() },
			{ address: 'no-reply@inbox.test', expect: deliverable() },
			{ address: 'ada+news@inbox.test', expect: deliverable() },
			{ address: 'jürgen@inbox.test', expect: deliverable() },
		],
	},
	scene(
		'disabled.test',
		'The mailbox exists but is disabled (550 5.2.1).',
		'disabled',
		undeliverable('mailbox_disabled'),
	),
	scene('full.test', 'The mailbox is over its quota (452 4.2.2).', 'full', risky('mailbox_full')),
	scene(
		'busy.test',
		'The mailbox exists and gets too much mail just now (450 4.2.1).',
		'busy',
		deliverable(),
	),
	{
		domain: 'google-catch-all.test',
		does: 'A healthy catch-all domain at Google Workspace: well kept, long registered.',
		mail: [
			{ preference: 1, host: 'aspmx.l.google.com', plays: 'google' },
			{ preference: 5, host: 'alt1.aspmx.l.google.com', plays: 'google' },
		],
		zone: { txt: ['v=spf1 include:_spf.google.com ~all'] },
		names: healthyNames('google-catch-all.test'),
		samples: [
			{
				address: 'jane.doe@google-catch-all.test',
				expect: { status: 'deliverable', sub_status: 'catch_all_valid', catch_all: true },
			},
			// The same domain, and a name that means nothing.
			{
				address: 'xq7zr9kk@google-catch-all.test',
				expect: { ...unknown('catch_all_unresolved'), catch_all: true },
			},
		],
	},
	{
		domain: 'catch-all.test',
		does: 'A catch-all domain on a server of its own: accepts everybody, and nothing more can be learnt.',
		mail: 'catch-all',
		registeredDaysAgo: 700,
		samples: [
			{
				address: 'ada@catch-all.test',
				expect: { ...unknown('catch_all_unresolved'), catch_all: true },
			},
		],
	},
	{
		domain: 'parked.test',
		does: 'A parked, freshly registered catch-all domain.',
		mail: 'catch-all',
		zone: { ns: ['ns1.sedoparking.com', 'ns2.sedoparking.com'], txt: ['v=spf1 -all'] },
		registeredDaysAgo: 5,
		samples: [
			{ address: 'ada@parked.test', expect: { ...undeliverable('catch_all_invalid'), catch_all: true } },
		],
	},
	scene(
		'catch-all-but-gone.test',
		'Accepts any random address, yet refuses this one as unknown.',
		'catch-all-but-gone',
		{ ...undeliverable('catch_all_invalid'), catch_all: true },
		{ local: 'gone' },
	),
	{
		domain: 'gateway.test',
		does: 'Behind Proofpoint, which accepts every address: acceptance proves nothing.',
		mail: [{ preference: 10, host: 'mxa-00123401.gslb.pphosted.com', plays: 'gateway' }],
		zone: { txt: [SPF] },
		names: healthyNames('gateway.test'),
		samples: [
			{ address: 'jane.doe@gateway.test', expect: { ...unknown('catch_all_unresolved'), catch_all: true } },
		],
	},
	{
		domain: 'workspace.test',
		does: 'Google Workspace without catch-all; unknown users get four lines of 550.',
		mail: [{ preference: 1, host: 'aspmx.l.google.com', plays: 'google' }],
		samples: [
			{ address: 'ada@workspace.test', expect: deliverable() },
			{ address: 'nobody@workspace.test', expect: undeliverable('rejected_email') },
		],
	},
	{
		domain: 'microsoft.test',
		does: 'Microsoft 365, which says “Access denied” for a mailbox that does not exist (550 5.4.1).',
		mail: [{ preference: 0, host: 'microsoft-test.mail.protection.outlook.com', plays: 'microsoft' }],
		samples: [
			{ address: 'ada@microsoft.test', expect: deliverable() },
			{ address: 'nobody@microsoft.test', expect: undeliverable('rejected_email') },
		],
	},
	{
		domain: 'outlook.test',
		does: 'Consumer Outlook, which allows one recipient per transaction.',
		mail: [{ preference: 2, host: 'outlook-test.olc.protection.outlook.com', plays: 'one-recipient' }],
		samples: [{ address: 'ada@outlook.test', expect: deliverable(null) }],
	},
	{
		domain: 'yahoo.test',
		does: 'Yahoo’s servers, which say yes to every recipient.',
		mail: [{ preference: 1, host: 'mta5.am0.yahoodns.net', plays: 'yahoo' }],
		samples: [{ address: 'ada@yahoo.test', expect: unknown('accepts_everything') }],
	},
	{
		domain: 'bücher.test',
		does: 'An internationalised domain name (xn--bcher-kva.test).',
		mail: 'plain',
		samples: [{ address: 'ada@bücher.test', expect: deliverable() }],
	},
	{
		domain: 'outlok.com',
		does: 'One slip away from outlook.com, and it accepts mail.',
		mail: [{ preference: 10, host: 'mx.outlok.com', plays: 'plain' }],
		samples: [{ address: 'jane.doe@outlok.com', expect: risky('possible_typo') }],
	},
	{
		domain: 'mailinator.com',
		does: 'Disposable: decided by the list, without DNS or SMTP.',
		exists: false,
		samples: [{ address: 'ada@mailinator.com', expect: undeliverable('disposable') }],
	},
];
