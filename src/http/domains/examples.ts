import type { z } from '@hono/zod-openapi';
import type { DeepReadonly } from '../responses.ts';
import type { domainReports } from './schemas.ts';

/** A company's domain, and a slip that is not registered. */
export const DOMAIN_REPORTS: DeepReadonly<z.infer<typeof domainReports>> = {
	results: [
		{
			domain: 'acme.com',
			exists: true,
			accepts_mail: true,
			mx: ['aspmx.l.google.com', 'alt1.aspmx.l.google.com'],
			smtp_provider: 'google',
			gateway: null,
			catch_all: false,
			catch_all_checked_at: '2026-07-01T10:00:08.000Z',
			disposable: false,
			free: false,
			did_you_mean: null,
			told_at_rcpt: true,
		},
		{
			domain: 'gmail.con',
			exists: false,
			accepts_mail: false,
			mx: [],
			smtp_provider: null,
			gateway: null,
			catch_all: null,
			catch_all_checked_at: null,
			disposable: false,
			free: false,
			did_you_mean: 'gmail.com',
			told_at_rcpt: null,
		},
	],
};
