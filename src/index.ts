import { compose, openOutside } from './compose.ts';
import { Account as AccountObject } from './durable-objects/account/account.ts';
import { describeError, log } from './lib/log.ts';
import { createApp } from './http/app.ts';
import { withInvocation } from './lib/invocation.ts';
import { sweepIdentity } from './operations/people/settings.ts';
import { noteProbers } from './operations/probers/probers.ts';
import type { Services } from './services.ts';

// Pages, MCP and the work on lists are loaded with the first need of them, so that they do not slow down the API's cold
// start.
const app = createApp(
	compose,
	async () => {
		const { createDashboard } = await import('./dashboard/app.ts');
		return createDashboard(compose);
	},
	() => import('./mcp/serve.ts'),
);

export class Account extends AccountObject {
	constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
		super(ctx, env, openOutside(env));
	}
}

const OFTEN = '*/10 * * * *';

export default {
	fetch: (request, env, context) => withInvocation(() => app.fetch(request, env, context)),
	queue: (batch, env) =>
		withInvocation(async () => {
			const { consumeParts } = await import('./queues/consume-parts.ts');
			return consumeParts(compose(env), batch);
		}),
	scheduled: ({ cron }, env) =>
		withInvocation(async () => {
			try {
				await work(compose(env), cron);
			} catch (error) {
				// The platform's own line of an invocation is switched off.
				log('cron_failed', { cron, ...describeError(error) });
				throw error;
			}
		}),
} satisfies ExportedHandler<Env>;

async function work(services: Services, cron: string): Promise<void> {
	if (cron === OFTEN) return noteProbers(services);
	await sweepIdentity(services);
}
