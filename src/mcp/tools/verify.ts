import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PRICE, inCredits } from '../../core/credits/price.ts';
import { STATUSES } from '../../core/verification/sub-status.ts';
import { credits } from '../../http/schemas/credits.ts';
import { verification } from '../../http/schemas/verification.ts';
import { answered, meta, published } from '../answers.ts';
import type { Api } from '../api.ts';
import { dryRun, idempotencyKey, maxCredits } from '../arguments.ts';
import { quoteOr, spending } from '../spending.ts';
import { READS, SPENDS } from './tool.ts';

const PRICED = { atMost: PRICE.single, count: () => ({ required: PRICE.single, beside: {} }) };

/** The tools for one address, and for the balance. */
export function addVerify(server: McpServer, api: Api): void {
	server.registerTool(
		'verify_email',
		{
			title: 'Verify an address',
			description: `Says whether an address takes mail: status (${STATUSES.join(', ')}), the reason, a score. Costs ${inCredits(PRICE.single)}, nothing if unknown.`,
			inputSchema: z.strictObject({
				email: z.string().min(1).max(320).describe('The address'),
				quick: z
					.boolean()
					.default(false)
					.describe('True: ask no mail server. Lists and DNS answer, and what they leave open is free'),
				explain: z.boolean().default(false).describe('True: the answer holds the steps that led to it'),
				dryRun,
				maxCredits: maxCredits.default(PRICE.single).describe('The most that this may cost, in credits'),
				idempotencyKey,
			}),
			outputSchema: published(quoteOr(verification.extend({ meta }))),
			annotations: SPENDS,
		},
		async ({ email, quick, explain, idempotencyKey: key, ...limits }) =>
			spending(api, { ...PRICED, ...limits }, async () =>
				api.post('/v1/verify', { email, ...(quick ? { mode: 'quick' } : {}), explain }, key),
			),
	);
	server.registerTool(
		'credits',
		{
			title: 'Credits',
			description: 'How many credits are available, reserved and spent.',
			inputSchema: z.strictObject({}),
			outputSchema: published(credits.extend({ meta })),
			annotations: READS,
		},
		async () => answered(await api.get('/v1/credits')),
	);
}
