import { deliverable, undeliverable, unknown } from '../expectation.ts';
import type { Scene } from './scene.ts';
import { scene } from './scene.ts';

/** Domains that differ in DNS, or in which of their servers can be reached. */
export const NETWORK_SCENES: readonly Scene[] = [
	{
		domain: 'no-such-domain.test',
		does: 'Does not exist (NXDOMAIN).',
		exists: false,
		samples: [{ address: 'ada@no-such-domain.test', expect: undeliverable('invalid_domain') }],
	},
	{
		domain: 'no-mail.test',
		does: 'Exists, with neither MX nor address.',
		zone: { txt: ['v=spf1 -all'] },
		samples: [{ address: 'ada@no-mail.test', expect: undeliverable('no_mx_records') }],
	},
	{
		domain: 'null-mx.test',
		does: 'Declares that it takes no mail (null MX, RFC 7505).',
		zone: { mx: [[0, '.']], a: ['198.18.255.1'] },
		samples: [{ address: 'ada@null-mx.test', expect: undeliverable('does_not_accept_mail') }],
	},
	{
		domain: 'implicit-mx.test',
		does: 'Has no MX: its own address takes the mail (RFC 5321 §5.1).',
		mail: [{ preference: 0, host: 'implicit-mx.test', plays: 'plain' }],
		zone: { mx: [] },
		samples: [{ address: 'ada@implicit-mx.test', expect: deliverable() }],
	},
	{
		domain: 'alias.test',
		does: 'A CNAME of inbox.test.',
		zone: { cname: 'inbox.test' },
		samples: [{ address: 'ada@alias.test', expect: deliverable() }],
	},
	{
		domain: 'private-mx.test',
		does: 'Its MX hosts have private addresses only.',
		zone: {
			mx: [
				[10, 'mx1.private-mx.test'],
				[20, 'mx2.private-mx.test'],
			],
		},
		names: {
			mx1: { a: ['127.0.0.1'], aaaa: ['::1'] },
			mx2: { a: ['10.0.0.25'], aaaa: ['::ffff:10.0.0.25'] },
		},
		samples: [{ address: 'ada@private-mx.test', expect: undeliverable('unroutable_mx') }],
	},
	{
		domain: 'dangling-mx.test',
		does: 'Its MX host does not exist.',
		zone: { mx: [[10, 'mx.dangling-mx.test']] },
		samples: [{ address: 'ada@dangling-mx.test', expect: undeliverable('unroutable_mx') }],
	},
	{
		domain: 'servfail.test',
		does: 'Its name servers are broken (SERVFAIL).',
		zone: { fault: 'servfail' },
		samples: [{ address: 'ada@servfail.test', expect: unknown('dns_error') }],
	},
	{
		domain: 'dns-timeout.test',
		does: 'Its name servers never answer.',
		zone: { fault: 'silence' },
		samples: [{ address: 'ada@dns-timeout.test', expect: unknown('dns_error'), slow: true }],
	},
	{
		// No sample: nonsense from the resolver is a 502 of our own (contract.md), not a verdict.
		domain: 'dns-garbage.test',
		does: 'The resolver answers with bytes that are not DNS.',
		zone: { fault: 'garbage' },
		samples: [],
	},
	scene(
		'refused.test',
		'Both MX hosts refuse the connection.',
		[
			{ preference: 10, host: 'mx1.refused.test', plays: 'refused' },
			{ preference: 20, host: 'mx2.refused.test', plays: 'refused' },
		],
		unknown('no_connect'),
	),
	scene('unreachable.test', 'No route to its MX host.', 'unreachable', unknown('no_connect')),
	scene(
		'black-hole.test',
		'Its MX host never answers a connection attempt.',
		'never',
		unknown('no_connect'),
		{
			slow: true,
		},
	),
	{
		domain: 'backup.test',
		does: 'The first MX host is down, the second one knows its users.',
		mail: [
			{ preference: 10, host: 'mx1.backup.test', plays: 'refused' },
			{ preference: 20, host: 'mx2.backup.test', plays: 'plain' },
		],
		samples: [
			{ address: 'ada@backup.test', expect: deliverable() },
			{ address: 'nobody@backup.test', expect: undeliverable('rejected_email') },
		],
	},
	scene(
		'backup-accepts-all.test',
		'The first MX host is down, the second one accepts everything: that proves nothing.',
		[
			{ preference: 10, host: 'mx1.backup-accepts-all.test', plays: 'refused' },
			{ preference: 20, host: 'mx2.backup-accepts-all.test', plays: 'catch-all' },
		],
		{ ...unknown('no_connect'), catch_all: null },
	),
	{
		domain: 'slow-primary.test',
		does: 'The first MX host is slow and knows its users, the backup is fast and accepts everything.',
		mail: [
			{ preference: 10, host: 'mx1.slow-primary.test', plays: 'slow' },
			{ preference: 20, host: 'mx2.slow-primary.test', plays: 'catch-all' },
		],
		samples: [{ address: 'nobody@slow-primary.test', expect: undeliverable('rejected_email') }],
	},
	{
		domain: 'unsorted.test',
		does: 'DNS lists the backup, which accepts everything, before the first MX host.',
		mail: [
			{ preference: 20, host: 'mx2.unsorted.test', plays: 'catch-all' },
			{ preference: 10, host: 'mx1.unsorted.test', plays: 'plain' },
		],
		samples: [
			{ address: 'ada@unsorted.test', expect: deliverable() },
			{ address: 'nobody@unsorted.test', expect: undeliverable('rejected_email') },
		],
	},
];
