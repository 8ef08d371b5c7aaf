import { accept } from '../behaviour.ts';
import type { Scene } from './scene.ts';
import { healthyNames, SPF } from './scene.ts';

/** Domains that differ in what the DNS and the registry say of them. No address of theirs is in the table. */
export const REGISTRATION_SCENES: readonly Scene[] = [
	{
		domain: 'well-kept.test',
		does: 'Publishes SPF and DMARC; fifteen years old.',
		mail: 'catch-all',
		zone: { txt: [SPF] },
		names: healthyNames('well-kept.test'),
		registeredDaysAgo: 5500,
		rdap: { expiresInDays: 200 },
		samples: [],
	},
	{
		domain: 'newborn.test',
		does: 'Registered three days ago.',
		mail: 'catch-all',
		registeredDaysAgo: 3,
		samples: [],
	},
	{
		domain: 'reborn.test',
		does: 'Lapsed, and was registered anew twenty days ago.',
		mail: 'catch-all',
		registeredDaysAgo: 4000,
		rdap: { reregisteredDaysAgo: 20, expiresInDays: 345 },
		samples: [],
	},
	{
		domain: 'on-hold.test',
		does: 'The registrar has switched it off.',
		mail: 'catch-all',
		rdap: { status: ['client hold', 'client transfer prohibited'], expiresInDays: 5 },
		samples: [],
	},
	{
		domain: 'rdap-unknown.test',
		does: 'In the DNS, and unknown to the registry.',
		mail: 'plain',
		rdap: { fault: 'unknown' },
		samples: [],
	},
	{
		domain: 'rdap-busy.test',
		does: 'The registry wants to be left alone for two minutes (429).',
		mail: 'plain',
		rdap: { fault: 'busy' },
		samples: [],
	},
	{
		domain: 'rdap-loop.test',
		does: 'The registry redirects in a circle.',
		mail: 'plain',
		rdap: { fault: 'loop' },
		samples: [],
	},
	{
		domain: 'rdap-garbage.test',
		does: 'The registry answers half a JSON text.',
		mail: 'plain',
		rdap: { fault: 'garbage' },
		samples: [],
	},
	{
		domain: 'rdap-silent.test',
		does: 'At Google, long registered, and the registry never answers.',
		mail: [{ preference: 1, host: 'rdap-silent.aspmx.l.google.com', plays: 'catch-all' }],
		zone: { txt: [SPF] },
		names: healthyNames('rdap-silent.test'),
		rdap: { fault: 'silence' },
		samples: [],
	},
	{
		domain: 'txt-silent.test',
		does: 'At Google, and its name servers never answer a question for TXT.',
		mail: [{ preference: 1, host: 'txt-silent.aspmx.l.google.com', plays: 'catch-all' }],
		zone: { silentTypes: ['TXT'] },
		samples: [],
	},
	{
		domain: 'all-silent.test',
		does: 'At Google, and neither registry nor TXT answers.',
		mail: [{ preference: 1, host: 'all-silent.aspmx.l.google.com', plays: 'catch-all' }],
		zone: { silentTypes: ['TXT'] },
		rdap: { fault: 'silence' },
		samples: [],
	},
	{
		domain: 'slow-catch-all.test',
		does: 'Accepts everybody, and takes a second for each reply.',
		mail: [{ preference: 10, host: 'mx.slow-catch-all.test', plays: { rcpt: accept, tarpitMs: 1_000 } }],
		samples: [],
	},
	{
		domain: 'slow-catch-all-too.test',
		does: 'Accepts everybody, and takes a second for each reply.',
		mail: [{ preference: 10, host: 'mx.slow-catch-all-too.test', plays: { rcpt: accept, tarpitMs: 1_000 } }],
		samples: [],
	},
];
